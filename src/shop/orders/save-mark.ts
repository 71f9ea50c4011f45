import { sql } from 'drizzle-orm'
import type { PayloadRequest } from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'
import { bareName, column, type Database, type PayloadTable } from '../../core/database/database.js'
import { sleep, type Effects } from '../../core/effects.js'

/** The field that says since when a save of several statements is running. Blank: the order is whole. */
export const savingSinceField = 'savingSince'

/** No save writes longer than this. An older mark, or one that is this far ahead, is from a save that was cut off. */
const writesAtMostMs = 5000

const checkAgainMs = 10

export const isCutOff = (since: unknown, now: Date): boolean =>
  typeof since === 'string' && Math.abs(now.getTime() - Date.parse(since)) > writesAtMostMs

type Document = Record<string, unknown>

interface MarkedOrders {
  database: Database
  orders: PayloadTable
  effects: Effects
}

/**
 * Writes an order that takes several statements. Without a transaction (SQLite) others could read it half
 * written, so it is marked as being saved first and as whole last.
 */
export async function writeMarked(
  { database, orders, effects }: MarkedOrders,
  {
    id,
    data,
    req,
    write,
  }: {
    id: DocumentId | undefined
    data: Document
    req: Partial<PayloadRequest> | undefined
    write: (data: Document) => Promise<Document | null>
  },
): Promise<Document | null> {
  if (req && (await database.isWithin(req))) return write(data)
  const changesNow = isChangedNow(data, effects.now())
  const since =
    id === undefined
      ? effects.now().toISOString()
      : await takeMark({ database, orders, effects }, id)
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

/** False for an import that sets an `updatedAt` of its own, which stays. */
const isChangedNow = ({ updatedAt }: Document, now: Date): boolean =>
  updatedAt === undefined ||
  (updatedAt !== null && new Date(String(updatedAt)).getTime() > now.getTime() - writesAtMostMs)

/** Waits until no other save of the order is running, and marks it. */
async function takeMark(
  { database, orders, effects }: MarkedOrders,
  id: DocumentId,
): Promise<string> {
  const [idColumn, mark] = [column(orders, 'id'), column(orders, savingSinceField)]
  for (;;) {
    const now = effects.now()
    const since = now.toISOString()
    const [over, ahead] = [-writesAtMostMs, writesAtMostMs].map((ms) =>
      new Date(now.getTime() + ms).toISOString(),
    )
    const taken = await database.rows(sql`update ${orders} set ${bareName(mark)} = ${since}
      where ${idColumn} = ${id} and (${mark} is null or ${mark} < ${over} or ${mark} > ${ahead})
      returning ${idColumn}`)
    if (taken.length > 0) return since
    const [row] = await database.rows(
      sql`select ${mark} as "since" from ${orders} where ${idColumn} = ${id}`,
    )
    if (row === undefined) return since
    await sleep(effects, checkAgainMs)
  }
}
