import { sql, type SQL } from 'drizzle-orm'
import type { Row } from '../../core/database/database.js'
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

/** Rows in one statement on SQLite while visitors are here: they wait for it. */
const rowsBesideVisitors = 50

/** Otherwise, as each statement costs time of its own. */
const rowsAtOnce = 250

/** A piece that took less needs no rest: it is the work for a few sends, which go at once. */
const shortMs = 5

/**
 * Runs work in pieces that make room for visitors. On SQLite they run one at a time, as each blocks the thread, and let
 * it look for requests in between; on PostgreSQL they do so while visitors are here. Then a piece begins when nobody
 * waits for an answer, and is followed by a rest as long as it took.
 */
export function createPieces({
  database,
  effects,
  visitors,
}: Pick<Shop, 'database' | 'effects' | 'visitors'>) {
  let last: Promise<void> = Promise.resolve()

  const atOnce = (): number =>
    database.isSqlite && visitors.areHere() ? rowsBesideVisitors : rowsAtOnce

  const piece = async <Result>(
    work: () => PromiseLike<Result>,
    rows = atOnce(),
  ): Promise<Result> => {
    if (!database.isSqlite && !visitors.areHere()) return work()
    const before = last
    let end = (): void => undefined
    last = new Promise((resolve) => (end = resolve))
    await before
    await visitors.turn(rows)
    const begunAt = effects.steadyMs()
    try {
      return await work()
    } finally {
      const tookMs = effects.steadyMs() - begunAt
      if (tookMs >= shortMs && visitors.areHere()) effects.after(tookMs, end)
      else end()
    }
  }

  return {
    piece,

    /** The most rows of a piece that begins now. */
    rowsAtOnce: atOnce,

    /** Runs work for many rows, for a limited number of them at a time. */
    async each<Row>(rows: readonly Row[], work: (some: readonly Row[]) => PromiseLike<unknown>) {
      for (let place = 0; place < rows.length;) {
        const some = rows.slice(place, place + atOnce())
        place += some.length
        await piece(() => work(some), some.length)
      }
    },
  }
}
