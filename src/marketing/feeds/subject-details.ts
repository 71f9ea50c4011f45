import type { DocumentId } from '../../core/database/document-id.js'
import type { EventContext } from '../events/event-context.js'
import { guarded } from './store-code.js'
import type { ContextOf } from './event-contexts.js'
import type { Shop } from '../../core/shop.js'
import { valueOf } from '../events/event-sends.js'
import type { Subject } from '../events/event-options.js'
import type { NamedOrder, OrderRecords } from './order-records.js'
import { personOf, profileOf, type Person } from '../events/person.js'
import type { ShopCarts } from './shop-carts.js'
import { documentOf, subjectProperties } from '../events/subject-properties.js'
import type { Profile, Properties } from '../klaviyo/profile.js'

/** The data of an order, in the shape of the built-in order events. */
export interface OrderDetails {
  /** The total, in major units of `valueCurrency`. */
  value?: number
  /** ISO 4217. */
  valueCurrency?: string
  properties: Properties
  /** The profile that the event belongs to; undefined for an order without an email. */
  customer: Profile | undefined
  account?: DocumentId | undefined
}

/** Undefined when the store's hooks veto them or fail. */
export async function subjectDetails(
  subject: Subject,
  person: Person | undefined,
  context: EventContext,
): Promise<OrderDetails | undefined> {
  const { whole } = await subjectProperties(subject, context)
  if (whole === undefined) return undefined
  const { total, currency } = documentOf(subject)
  return {
    ...valueOf(total, currency),
    properties: whole,
    customer: person && profileOf(person),
  }
}

/**
 * For a posted event (`event[trackOrder]`). Undefined when there is no such order or cart; `kept back` when the store's
 * own code vetoes it, or fails, which is logged.
 */
export function createDetailsSource(
  shop: Shop,
  {
    orders,
    carts,
    contextOf,
  }: { orders: OrderRecords; carts: ShopCarts | undefined; contextOf: ContextOf },
) {
  const orKeptBack = async (
    about: Record<string, unknown>,
    account: DocumentId | undefined,
    read: () => Promise<OrderDetails | undefined>,
  ) => {
    const sentence = 'The details of an order or cart failed'
    const details = await guarded(shop, read, { about, sentence })
    return details === undefined ? 'kept back' : { ...details, account }
  }

  return {
    async ofOrder(where: NamedOrder): Promise<OrderDetails | 'kept back' | undefined> {
      const id = await orders.idOf(where)
      if (id === undefined) return undefined
      const [record] = (await orders.readPage([id])).orders
      if (record === undefined) return 'kept back'
      const { order } = record
      const { siteId, reference, customerId } = order
      return orKeptBack({ reference }, customerId, async () => {
        const context = await contextOf({ siteId })
        return subjectDetails({ kind: 'order', order }, personOf(order), context)
      })
    },

    async ofCart(
      where: { id: DocumentId } | { number: string },
    ): Promise<OrderDetails | 'kept back' | undefined> {
      const [field, value] =
        'id' in where ? ['id', where.id] : [shop.options.fields.number, where.number]
      const [cart] = (await carts?.read({ [field]: { equals: value } })) ?? []
      if (carts === undefined || cart === undefined) return undefined
      const { id, siteId, number: cartNumber, customerId } = cart
      return orKeptBack({ cartId: id }, customerId, async () => {
        const person = (await carts.people([cart])).get(id)
        const snapshot = await carts.snapshotOf(cart)
        const context = await contextOf({ siteId, cartNumber })
        return subjectDetails({ kind: 'cart', cart: snapshot }, person, context)
      })
    },
  }
}
