import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { PayloadRequest } from 'payload'
import type { DocumentId } from '../../commerce/order.js'
import { column, type Database } from './database.js'

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
  const [idColumn, mark] = [column(orders, 'id'), column(orders, savingSinceField)]
  const since =
    id === undefined ? new Date().toISOString() : await takeMark(database, ordersSlug, id)
  const saved = await write({ ...data, [savingSinceField]: since })
  const savedId = id ?? (saved?.id as DocumentId | undefined)
  if (savedId === undefined) return saved

  // Whoever left the order out of an export has it in the next one, as it changes after that.
  const whole = { [savingSinceField]: null, ...(isOfNow(data) && { updatedAt: now() }) }
  await database.update(orders, whole, sql`${idColumn} = ${savedId} and ${mark} = ${since}`)
  return saved && { ...saved, ...whole }
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
    const taken =
      await database.rows(sql`update ${orders} set ${sql.identifier(mark.name)} = ${since}
      where ${idColumn} = ${id} and (${mark} is null or ${mark} < ${over}) returning ${idColumn}`)
    if (taken.length > 0) return since
    const [row] = await database.rows(
      sql`select ${mark} as "since" from ${orders} where ${idColumn} = ${id}`,
    )
    if (row === undefined) return since
    await sleep(lookAgainMs)
  }
}
