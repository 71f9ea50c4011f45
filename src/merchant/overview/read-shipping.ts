import { sql, type SQL } from 'drizzle-orm'
import { column, type Database } from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { isFailureOf, skippedOrdersSlug } from '../../shipping/export/skipped-orders.js'
import { noticesSlug } from '../../shipping/notice/notice-collection.js'
import { pullsSlug } from '../../shipping/pull-collection.js'

const skippedShown = 5

/** What was done since then: orders in pulls, and parcels. */
export async function readShippedToday(database: Database, since: Date) {
  const [pulls, notices] = [database.table(pullsSlug), database.table(noticesSlug)]
  const isToday = (of: typeof pulls) => sql`${column(of, 'createdAt')} >= ${since.toISOString()}`
  const [counts] = await database.rows(sql`select
      (select sum(${column(pulls, 'orders')}) from ${pulls}
        where ${column(pulls, 'state')} is not null and ${isToday(pulls)}) as "pulled",
      (select count(*) from ${notices} where ${isToday(notices)}) as "shipped"`)
  return { pulled: Number(counts?.pulled ?? 0), shipped: Number(counts?.shipped ?? 0) }
}

/** The newest skipped orders: those that the merchant has to complete, then others, as far as there is room. */
export async function readNewestSkipped(database: Database) {
  const skippedOrders = database.table(skippedOrdersSlug)
  const newest = (which: SQL, most: number) =>
    database.rows(sql`select ${column(skippedOrders, 'order')} as "order",
        ${column(skippedOrders, 'reference')} as "reference", ${column(skippedOrders, 'reasons')} as "reasons",
        ${isFailureOf(skippedOrders)} as "isFailure"
      from ${skippedOrders} where ${which}
      order by ${column(skippedOrders, 'updatedAt')} desc limit ${most}`)
  const toComplete = await newest(isFailureOf(skippedOrders), skippedShown)
  const room = skippedShown - toComplete.length
  const others = await newest(sql`${column(skippedOrders, 'isFailure')} is not true`, room)
  return [...toComplete, ...others].map(({ order, reference, reasons, isFailure }) => ({
    orderId: (order ?? undefined) as DocumentId | undefined,
    reference: String(reference ?? ''),
    reasons: String(reasons ?? ''),
    isFailure: Boolean(isFailure),
  }))
}
