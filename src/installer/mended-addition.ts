/**
 * A migration of SQLite, changed so that it runs. Payload makes a table anew to change it, and copies what the old one has: also
 * its new columns, which the old one lacks. Without them the new table has their defaults.
 *
 * @param text As Payload has written it.
 * @param before The schema before it, as Payload keeps it beside a migration.
 */
export const mendedAddition = (text: string, before: unknown): string =>
  text.replace(eachCopy, (statement, ...found: string[]) => {
    const [head = '', table = '', into = '', from = '', end = ''] = found
    const had = columnsOf(before, table)
    if (had === undefined) return statement
    const names = into.split(', ')
    const kept = (list: string) =>
      list
        .split(', ')
        .filter((_, index) => had.has(names[index]?.replaceAll('"', '') ?? ''))
        .join(', ')
    return `${head}(${kept(into)}) SELECT ${kept(from)} ${end}`
  })

const eachCopy = /(INSERT INTO \\`__new_(\w+)\\`)\(([^()]*)\) SELECT ([^()`;]*) (FROM \\`\2\\`)/g

function columnsOf(schema: unknown, table: string): ReadonlySet<string> | undefined {
  const columns = memberOf(memberOf(memberOf(schema, 'tables'), table), 'columns')
  return typeof columns === 'object' && columns !== null ? new Set(Object.keys(columns)) : undefined
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
