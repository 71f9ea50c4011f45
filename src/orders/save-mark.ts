import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { PayloadRequest } from 'payload'
import type { DocumentId } from '../database/document-id.js'
import { bareName, column, type Database } from '../database/database.js'

/** The field that says since when a save of several statements is running. Blank: the order is whole. */
export const savingSinceField = 'savingSince'

/**
 * No save writes longer than this. An older mark is from a save that was cut off, by a kill for example; so
 * is one that is this far ahead, since the clock was set back.
 */
const writesAtMostMs = 5000

const checkAgainMs = 10

export const isCutOff = (since: unknown): boolean =>
  typeof since === 'string' && Math.abs(Date.now() - Date.parse(since)) > writesAtMostMs

type Document = Record<string, unknown>

interface MarkedSave {
  id: DocumentId | undefined
  data: Document
  req: Partial<PayloadRequest> | undefined
  write: (data: Document) => Promise<Document | null>
}

/**
 * Writes an order that takes several statements. Without a transaction (SQLite) others could read it half
 * written, so it is marked as being saved first and as whole last.
 */
export async function writeMarked(
  database: Database,
  ordersSlug: string,
  { id, data, req, write }: MarkedSave,
): Promise<Document | null> {
  if (req && (await database.isWithin(req))) return write(data)
  const orders = database.table(ordersSlug)
  const changesNow = isChangedNow(data)
  const since = id === undefined ? now() : await takeMark(database, ordersSlug, id)
  const saved = await write({ ...data, [savingSinceField]: since })
  const savedId = id ?? (saved?.id as DocumentId | undefined)
  if (savedId === undefined) return saved

  // `updatedAt` is when the order became whole, so that an export that left it out has it next time.
  const [mark, updatedAt] = [column(orders, savingSinceField), column(orders, 'updatedAt')]
  const moment = database.isSqlite ? sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')` : sql`now()`
  const [whole] = await database.rows(sql`update ${orders} set ${bareName(mark)} = null
      ${changesNow ? sql`, ${bareName(updatedAt)} = ${moment}` : sql``}
    where ${column(orders, 'id')} = ${savedId} and ${mark} = ${since}
    returning ${updatedAt} as "updatedAt"`)
  if (saved === null || whole === undefined) return saved
  const changedAt = new Date(String(whole.updatedAt)).toISOString()
  return { ...saved, updatedAt: changedAt, [savingSinceField]: null }
}

const now = () => new Date().toISOString()

/** False for an import that sets an `updatedAt` of its own, which stays. */
const isChangedNow = ({ updatedAt }: Document): boolean =>
  updatedAt === undefined ||
  (updatedAt !== null && new Date(String(updatedAt)).getTime() > Date.now() - writesAtMostMs)

/** Waits until no other save of the order is running, and marks it. */
async function takeMark(database: Database, ordersSlug: string, id: DocumentId): Promise<string> {
  const orders = database.table(ordersSlug)
  const [idColumn, mark] = [column(orders, 'id'), column(orders, savingSinceField)]
  for (;;) {
    const since = now()
    const [over, ahead] = [-writesAtMostMs, writesAtMostMs].map((ms) =>
      new Date(Date.now() + ms).toISOString(),
    )
    const taken = await database.rows(sql`update ${orders} set ${bareName(mark)} = ${since}
      where ${idColumn} = ${id} and (${mark} is null or ${mark} < ${over} or ${mark} > ${ahead})
      returning ${idColumn}`)
    if (taken.length > 0) return since
    const [row] = await database.rows(
      sql`select ${mark} as "since" from ${orders} where ${idColumn} = ${id}`,
    )
    if (row === undefined) return since
    await sleep(checkAgainMs)
  }
}
