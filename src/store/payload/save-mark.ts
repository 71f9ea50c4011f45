import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { PayloadRequest } from 'payload'
import type { DocumentId } from '../../commerce/order.js'
import { bareName, column, type Database } from './database.js'

/** Since when an order is being written that takes several statements; blank: it is whole. */
export const savingSinceField = 'savingSince'

/** No save writes longer. A mark that is older is of one that was cut off, by a kill for example. */
const writesAtMostMs = 5000

/** How soon to look again whether another save is over. */
const lookAgainMs = 10

export const isCutOff = (since: unknown): boolean =>
  typeof since === 'string' && Date.parse(since) < Date.now() - writesAtMostMs

type Document = Record<string, unknown>

interface MarkedSave {
  /** Undefined for a new order. */
  id: DocumentId | undefined
  data: Document
  req: Partial<PayloadRequest> | undefined
  write: (data: Document) => Promise<Document | null>
}

/**
 * Writes an order that takes several statements. Without a transaction others could read it in between
 * (SQLite), so the order says first that it is being saved, and last that it is whole.
 */
export async function writeMarked(
  database: Database,
  ordersSlug: string,
  { id, data, req, write }: MarkedSave,
): Promise<Document | null> {
  if (req && (await database.isWithin(req))) return write(data)
  const orders = database.table(ordersSlug)
  const movesOn = isOfNow(data)
  const since = id === undefined ? now() : await takeMark(database, ordersSlug, id)
  const saved = await write({ ...data, [savingSinceField]: since })
  const savedId = id ?? (saved?.id as DocumentId | undefined)
  if (savedId === undefined) return saved

  // Whoever left the order out of an export has it in the next one: it changes when it is whole.
  const [mark, updatedAt] = [column(orders, savingSinceField), column(orders, 'updatedAt')]
  const moment = database.isSqlite ? sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')` : sql`now()`
  const [whole] = await database.rows(sql`update ${orders} set ${bareName(mark)} = null
      ${movesOn ? sql`, ${bareName(updatedAt)} = ${moment}` : sql``}
    where ${column(orders, 'id')} = ${savedId} and ${mark} = ${since}
    returning ${updatedAt} as "updatedAt"`)
  if (saved === null || whole === undefined) return saved
  const changedAt = new Date(String(whole.updatedAt)).toISOString()
  return { ...saved, updatedAt: changedAt, [savingSinceField]: null }
}

const now = () => new Date().toISOString()

/** An import sets a moment of its own, which stays. */
const isOfNow = ({ updatedAt }: Document): boolean =>
  updatedAt === undefined ||
  (updatedAt !== null && new Date(String(updatedAt)).getTime() > Date.now() - writesAtMostMs)

/** Two saves of one order go one after the other. */
async function takeMark(database: Database, ordersSlug: string, id: DocumentId): Promise<string> {
  const orders = database.table(ordersSlug)
  const [idColumn, mark] = [column(orders, 'id'), column(orders, savingSinceField)]
  for (;;) {
    const since = now()
    const over = new Date(Date.now() - writesAtMostMs).toISOString()
    const taken = await database.rows(sql`update ${orders} set ${bareName(mark)} = ${since}
      where ${idColumn} = ${id} and (${mark} is null or ${mark} < ${over}) returning ${idColumn}`)
    if (taken.length > 0) return since
    const [row] = await database.rows(
      sql`select ${mark} as "since" from ${orders} where ${idColumn} = ${id}`,
    )
    if (row === undefined) return since
    await sleep(lookAgainMs)
  }
}
