import type { OrderDetails } from '../marketing/order-details.js'
import type { EventContext } from './event-context.js'
import { valueOf } from './event-send.js'
import type { Subject } from './order-hooks.js'
import { profileOf, type Person } from './person.js'
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
  const { total: amount, currency } = subject.kind === 'order' ? subject.order : subject.cart
  return {
    ...valueOf({ amount, currency }),
    properties: whole,
    customer: person && profileOf(person),
  }
}
