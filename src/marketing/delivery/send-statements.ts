import { sql, type SQL } from 'drizzle-orm'
import type { Row } from '../../core/database/database.js'
import type { Shop } from '../../core/shop.js'
import { createPieces } from './pieces.js'
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
