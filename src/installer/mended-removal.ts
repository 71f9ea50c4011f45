/** The databases on which a store may have migrations. */
export type MigratedDatabase = 'sqlite' | 'postgres'

/**
 * The migration that drops what Storeconnect has stored, changed so that it runs and no row of the shop is lost. Payload
 * writes statements that cannot run one after the other: docs/upgrading.md says which.
 *
 * @param text As Payload has written it.
 * @returns undefined when it looks otherwise than what Payload writes, so that nobody knows what it would do.
 */
export function mendedRemoval(database: MigratedDatabase, text: string): string | undefined {
  if (text.match(eachFunction)?.length !== 2) return undefined
  return text.replace(eachFunction, (_, head: string, body: string) => {
    const mended = { sqlite: withoutForeignKeys, postgres: withDropsThatMayBeDone }[database]
    return `${head}${mended(body)}}\n`
  })
}

/** `up` and `down`, each with its head and its body. */
const eachFunction = /^(export async function (?:up|down)\(\{ db, [^\n]*\n)(.*?)^\}\n/gms

/** A table that is dropped takes its constraints and indexes along. */
const withDropsThatMayBeDone = (body: string) =>
  body.replace(/DROP (CONSTRAINT|INDEX) "/g, 'DROP $1 IF EXISTS "')

/** While foreign keys are on, a table that is made anew takes along the rows that belong to it. */
const withoutForeignKeys = (body: string) => `  await db.run(sql\`PRAGMA foreign_keys=OFF;\`)
  const { rows } = await db.run(sql\`PRAGMA foreign_keys;\`)
  if (rows[0]?.foreign_keys !== 0) {
    throw new Error(
      'Foreign keys stay on inside a transaction, and this would delete lines of orders. Take transactionOptions out of the database adapter until it has run.',
    )
  }
${body.replace(/^.*PRAGMA foreign_keys.*\n/gm, '')}  await db.run(sql\`PRAGMA foreign_keys=ON;\`)
`
