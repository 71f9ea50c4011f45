import type { Order } from '../commerce/order.js'
import type { OrderDetails } from '../marketing/order-details.js'
import { valueOf } from './composed-send.js'
import type { EventContext } from './event-context.js'
import type { Person, TakenCart } from './happening.js'
import { majorUnits } from './major-units.js'
import type { Subject } from './order-hooks.js'
import { personOf, profileOf } from './person.js'
import { currencyOf, toldLines } from './told-lines.js'
import { wholeProperties } from './whole-properties.js'

/**
 * What an event of the store's own tells of an order (`event[trackOrder]`); undefined when the
 * store's hooks veto it or fail.
 */
export const orderDetails = (
  order: Order,
  context: EventContext,
): Promise<OrderDetails | undefined> =>
  details({ kind: 'order', order }, { person: personOf(order), total: order.total }, context)

/** The same for a cart; it has a person only where one is known. */
export const cartDetails = (
  { cart, person }: { cart: TakenCart; person: Person | undefined },
  context: EventContext,
): Promise<OrderDetails | undefined> =>
  details({ kind: 'cart', cart }, { person, total: cart.total }, context)

async function details(
  subject: Subject,
  { person, total }: { person: Person | undefined; total: number },
  context: EventContext,
): Promise<OrderDetails | undefined> {
  const properties = await wholeProperties(subject, await toldLines(subject, context), context)
  if (properties === undefined) return undefined
  const currency = currencyOf(subject)
  return {
    ...valueOf(majorUnits(total, currency), currency),
    properties,
    customer: person && profileOf(person),
  }
}
