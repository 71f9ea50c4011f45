import { sql, type SQL } from 'drizzle-orm'
import type { Database, Row } from '../../core/database/database.js'
import type { Shop } from '../../core/shop.js'
import type { SendKind } from './send.js'
import { sendTable, waitingIndex, type SendColumns } from './send-table.js'

/** What the statements of the delivery share: the table of the sends, and the turns in which they run. */
export function sendStatements(shop: Shop) {
  const sends = sendTable(shop.database)
  return {
    ...sends,
    /** The columns under the alias `s`. */
    s: sends.as('s'),
    pieces: createPieces(shop),
    /** Without this hint SQLite scans all sends for a kind that its statistics do not know. */
    byWaitingIndex: shop.database.isSqlite
      ? sql`indexed by ${sql.identifier(waitingIndex)}`
      : sql.empty(),
  }
}

export type SendStatements = ReturnType<typeof sendStatements>

export const idsOf = (rows: readonly Row[]): number[] => rows.map(({ id }) => Number(id))

export const isWaiting = ({ state, kind }: SendColumns, of: SendKind): SQL =>
  sql`${kind} = ${sql.raw(`'${of}'`)} and ${state} = 'queued'`

/**
 * Rows in one statement. On SQLite a post that comes meanwhile waits for it; on PostgreSQL each statement costs a way
 * to the server.
 */
export const rowsAtOnce = ({ isSqlite }: Pick<Database, 'isSqlite'>): number =>
  isSqlite ? 50 : 250

/** A piece that took less needs no rest: it is the work for a few sends, which go at once. */
const shortMs = 5

/** For so long after somebody has posted, another one is expected. */
const postsExpectedMs = 1_000

/**
 * Runs work one piece at a time, with rests as long as the pieces: on SQLite a statement blocks the thread that
 * answers shoppers. On PostgreSQL pieces wait for each other only while somebody posts.
 */
export function createPieces({ database, effects }: Pick<Shop, 'database' | 'effects'>) {
  const { isSqlite } = database
  const atOnce = rowsAtOnce(database)
  let last: Promise<void> = Promise.resolve()
  let postedAt = Number.NEGATIVE_INFINITY

  const piece = async <Result>(work: () => PromiseLike<Result>): Promise<Result> => {
    if (!isSqlite && effects.steadyMs() - postedAt > postsExpectedMs) return work()
    const before = last
    let end = (): void => undefined
    last = new Promise((resolve) => (end = resolve))
    await before
    const begunAt = effects.steadyMs()
    try {
      return await work()
    } finally {
      const tookMs = effects.steadyMs() - begunAt
      if (tookMs < shortMs) setImmediate(end)
      else effects.after(tookMs, end)
    }
  }

  return {
    piece,

    /** Tells that somebody has posted. */
    posted: (): void => {
      postedAt = effects.steadyMs()
    },

    /** Runs work for many rows, for a limited number of them at a time. */
    async each<Row>(rows: readonly Row[], work: (some: readonly Row[]) => PromiseLike<unknown>) {
      for (let place = 0; place < rows.length; place += atOnce) {
        await piece(() => work(rows.slice(place, place + atOnce)))
      }
    },
  }
}
