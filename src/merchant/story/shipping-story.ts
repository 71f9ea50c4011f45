import { sql } from 'drizzle-orm'
import { column, momentOf, type Row, selected } from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import type { Translator } from '../../core/payload/label.js'
import type { Shop } from '../../core/shop.js'
import { orderCondition } from '../../shop/orders/order-reader.js'
import { reportStored } from '../../shipping/export/skip-reason.js'
import { skippedOrdersSlug } from '../../shipping/export/skipped-orders.js'
import { noticesSlug } from '../../shipping/notice/notice-collection.js'
import type { ShippingParts } from '../../shipping/parts.js'
import { lastPulls, pullsOfOrder } from '../../shipping/pulls.js'
import { textOf } from '../../core/payload/document-value.js'
import { standingOf, standingWithoutPulls } from './standing.js'
import type { Standing } from './story-entry.js'
import type { OrderFacts, StoryOrder } from './story.js'

/** A page shows the newest. */
const mostNotices = 100

export function createShippingStory(
  shop: Shop,
  { parcelsOfOrders }: Pick<ShippingParts, 'parcelsOfOrders'>,
) {
  const { database, options } = shop
  const skipped = database.table(skippedOrdersSlug)
  const orders = database.table(options.collections.orders)
  const id = column(orders, 'id')
  const ofOrder = (of: 'reasons' | 'updatedAt') =>
    sql`(select ${column(skipped, of)} from ${skipped} where ${column(skipped, 'order')} = ${id})`

  const readNotices = async (orderId: DocumentId) => {
    const table = database.table(noticesSlug)
    const names = [
      ...['id', 'createdAt', 'updatedAt', 'carrier', 'service', 'trackingNumber', 'itemsLeft'],
      ...['statusBefore', 'statusAfter', 'repeats', 'recipient', 'notesToCustomer'],
    ]
    const rows = await database.rows(sql`select ${selected(
      Object.fromEntries(names.map((name) => [name, column(table, name)])),
    )} from ${table} where ${column(table, 'order')} = ${orderId}
      order by ${column(table, 'id')} desc limit ${mostNotices}`)
    return rows.map(storedNotice)
  }

  /** What is selected of an order. */
  const columns = {
    reasons: ofOrder('reasons'),
    skippedAt: ofOrder('updatedAt'),
    status: sql`cast(${column(orders, options.fields.status)} as text)`,
    canBePulled: sql`case when ${orderCondition(shop)} then 1 else 0 end`,
  }

  return {
    /** What is selected of orders, and what it says. */
    async standing() {
      const parcels = await parcelsOfOrders()
      const factsOf = (row: Row, translate: Translator) => ({
        ...parcels.read(row),
        skipped: skippedOf(row, translate),
      })
      const standing = (
        { status, canBePulled }: Row,
        facts: ReturnType<typeof factsOf>,
        pulledAt: Date | undefined,
      ) =>
        standingOf({
          ...facts,
          pulledAt,
          status: textOf(status),
          shippedStatus: parcels.shippedStatus,
          canBePulled: Number(canBePulled) === 1,
        })

      return {
        columns: { ...columns, ...parcels.columns },
        /** How these orders stand. The pulls are read of those only that they say something about. */
        async ofOrders(
          orders: readonly StandingOrder[],
          translate: Translator,
        ): Promise<(Standing | undefined)[]> {
          const known = orders.map((order) => ({ order, facts: factsOf(order.row, translate) }))
          const asked = known.filter(({ facts }) => standingWithoutPulls(facts) === undefined)
          const pulls = await lastPulls(
            shop,
            asked.map(({ order }) => order),
          )
          return known.map((each) =>
            standing(each.order.row, each.facts, pulls[asked.indexOf(each)]),
          )
        },
        /** What the story of an order has of ShipStation. */
        async ofOrder(order: StandingOrder, translate: Translator) {
          const { tracking, ...facts } = factsOf(order.row, translate)
          const pulls = await pullsOfOrder(shop, order)
          const pulledAt = pulls.find(({ isAnswered }) => isAnswered)?.at
          return {
            ...facts,
            pulls,
            notices: await readNotices(order.id),
            standing: standing(order.row, { ...facts, tracking }, pulledAt),
          }
        },
      }
    },
  }
}

/** An order with the row of what was selected of it. */
export type StandingOrder = Pick<StoryOrder, 'id' | 'createdAt'> & { updatedAt: Date; row: Row }

function skippedOf({ reasons, skippedAt }: Row, translate: Translator): OrderFacts['skipped'] {
  const at = momentOf(skippedAt)
  if (typeof reasons !== 'string' || at === undefined) return undefined
  const sentences = reportStored(reasons, translate).map(({ message }) => message)
  return { at, reasons: sentences.join(' ') }
}

function storedNotice(row: Row): OrderFacts['notices'][number] {
  const [from, to] = [textOf(row.statusBefore), textOf(row.statusAfter)]
  const [recipient, notes] = [textOf(row.recipient), textOf(row.notesToCustomer)]
  return {
    is: 'notice',
    notice: row.id as DocumentId,
    at: new Date(String(row.createdAt)),
    repeatedAt: new Date(String(row.updatedAt)),
    carrier: String(row.carrier ?? ''),
    service: String(row.service ?? ''),
    trackingNumber: String(row.trackingNumber ?? ''),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(row.itemsLeft !== null && { itemsLeft: Number(row.itemsLeft) }),
    repeats: Number(row.repeats ?? 0),
    ...(recipient !== undefined && { recipient }),
    ...(notes !== undefined && { notesToCustomer: notes }),
  }
}
