import type { OrderDetails } from '../marketing/order-details.js'
import type { OrderDetailsSource } from '../store/order-details-source.js'
import type { EventContext, EventContexts } from './event-context.js'
import { valueOf } from './event-send.js'
import type { Subject } from './order-hooks.js'
import type { OrderRecords } from './order-records.js'
import { personOf, profileOf, type Person } from './person.js'
import type { ShopCarts } from './shop-carts.js'
import { guarded, type ShopParts } from './shop-parts.js'
import { subjectProperties } from './subject-properties.js'

/**
 * What an event of the store's own has of an order or a cart (`event[trackOrder]`); undefined when the
 * store's hooks veto it or fail. A cart has a person only where one is known.
 */
export async function subjectDetails(
  subject: Subject,
  person: Person | undefined,
  context: EventContext,
): Promise<OrderDetails | undefined> {
  const { whole } = await subjectProperties(subject, context)
  if (whole === undefined) return undefined
  const { total, currency } = subject.kind === 'order' ? subject.order : subject.cart
  return {
    ...valueOf(total, currency),
    properties: whole,
    customer: person && profileOf(person),
  }
}

interface DetailsParts {
  orders: OrderRecords
  /** Undefined in a store without carts. */
  carts: ShopCarts | undefined
  contextOf: EventContexts
}

export function createDetailsSource(
  parts: ShopParts,
  { orders, carts, contextOf }: DetailsParts,
): OrderDetailsSource {
  const orKeptBack = async (
    about: Record<string, unknown>,
    details: () => Promise<OrderDetails | undefined>,
  ) => {
    const sentence = 'The details of an order or cart failed'
    return (await guarded(parts, details, { about, sentence })) ?? 'kept back'
  }

  return {
    async ofOrder(where) {
      const id = await orders.idOf(where)
      if (id === undefined) return undefined
      const [record] = (await orders.readPage([id])).orders
      if (record === undefined) return 'kept back'
      const { order } = record
      const { siteId, reference } = order
      return orKeptBack({ reference }, async () =>
        subjectDetails({ kind: 'order', order }, personOf(order), await contextOf({ siteId })),
      )
    },

    async ofCart(where) {
      const [field, value] =
        'id' in where ? ['id', where.id] : [parts.options.fields.number, where.number]
      const [cart] = (await carts?.read({ [field]: { equals: value } })) ?? []
      if (carts === undefined || cart === undefined) return undefined
      const { id, siteId, number: cartNumber } = cart
      return orKeptBack({ cartId: id }, async () => {
        const person = (await carts.people([cart])).get(id)
        const snapshot = await carts.snapshotOf(cart)
        const context = await contextOf({ siteId, cartNumber })
        return subjectDetails({ kind: 'cart', cart: snapshot }, person, context)
      })
    },
  }
}
