/** How many rows a statement names at most. */
export function rowsOfStatement(statement: unknown, values: unknown): number {
  const { args } = Object(statement) as { args?: unknown }
  const sizes = [args ?? values ?? []].flat().map((value: unknown) => {
    const isJson = typeof value === 'string' && value.startsWith('[')
    const list: unknown = isJson ? JSON.parse(value) : value
    return Array.isArray(list) ? list.length : 0
  })
  return Math.max(0, ...sizes)
}
