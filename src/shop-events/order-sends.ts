import type { Order } from '../commerce/order.js'
import type { NewSend } from '../delivery/send.js'
import type { Properties } from '../marketing/profile.js'
import type { BuiltInEvent } from '../settings/marketing-settings.js'
import type { EventContext } from './event-context.js'
import { eventSend, type NewEvent } from './event-send.js'
import {
  refundedStatus,
  switchesOf,
  type OrderHappening,
  type StatusHappening,
  type Tracking,
} from './happening.js'
import { lineIds, parcelIds, placedIds, statusIds } from './order-ids.js'
import { personOf, profileOf } from './person.js'
import { plainText } from './property-values.js'
import {
  identityOf,
  rowTotal,
  subjectProperties,
  type DescribedLine,
} from './subject-properties.js'
import { trackingProperties } from './tracking-properties.js'

/**
 * What is sent of what happened to an order (`decisions.md`, Marketing). The same happenings always
 * give sends of the same keys.
 */
export async function orderSends(
  order: Order,
  happenings: readonly OrderHappening[],
  context: EventContext,
): Promise<NewSend[]> {
  const wanted = wantedOf(order, happenings, context)
  if (wanted.length === 0) return []
  const profile = profileOf(personOf(order))
  if (profile === undefined) {
    const { reference } = order
    context.log.info({ reference }, 'Order not reported to the marketing platform: no valid email')
    return []
  }
  const subject = { kind: 'order', order } as const
  const { whole, lines } = await subjectProperties(subject, context)
  const events = wanted.flatMap(({ event, happening }) => {
    if (event === 'orderedProduct') return orderedProducts(order, lines, happening)
    return whole === undefined ? [] : wholeEvents(happening, { order, whole }, context)
  })
  const sends = new Map<string, NewSend>()
  for (const event of events) {
    const send = await eventSend(event, { profile, subject }, context)
    if (send !== undefined && !sends.has(send.key)) sends.set(send.key, send)
  }
  return [...sends.values()]
}

/** What of it the settings want: on now, and on when it happened. */
export const wantedOf = (
  { items }: Pick<Order, 'items'>,
  happenings: readonly OrderHappening[],
  { builtInEvents }: EventContext,
): { event: BuiltInEvent; happening: OrderHappening }[] =>
  happenings.flatMap((happening) =>
    switchesOf(happening)
      .filter((event) => builtInEvents[event] && happening.off?.includes(event) !== true)
      .filter((event) => event !== 'orderedProduct' || items.length > 0)
      .map((event) => ({ event, happening })),
  )

const orderedProducts = (
  order: Order,
  lines: readonly DescribedLine[],
  { at }: OrderHappening,
): NewEvent[] =>
  lines.map(({ line, properties }) => {
    const index = order.items.indexOf(line)
    return {
      name: 'Ordered Product',
      ...lineIds(order, index, line.id),
      at,
      amount: rowTotal(line),
      currency: order.currency,
      properties: { ...properties, ...identityOf(order) },
    }
  })

/** One event; for the shipped status one for each parcel. */
function wholeEvents(
  happening: OrderHappening,
  { order, whole }: { order: Order; whole: Properties },
  context: EventContext,
): NewEvent[] {
  const { total: amount, currency } = order
  const common = { amount, currency, at: happening.at, properties: whole }
  if (happening.kind === 'placed') {
    return [{ name: 'Placed Order', ...placedIds(order), ...common }]
  }
  const { status, isShipped, parcels, tracking } = happening
  const name = statusEventName(happening, context)
  const propertiesOf = (sentBy: Tracking | undefined) => ({
    ...whole,
    OrderStatus: plainText(status),
    ...(sentBy && trackingProperties(sentBy)),
  })
  if (!isShipped || parcels.length === 0) {
    const properties = propertiesOf(isShipped ? tracking : undefined)
    return [{ name, ...statusIds(order, happening), ...common, properties }]
  }
  return parcels.map((parcel) => ({
    name,
    ...parcelIds(order, status, parcel),
    ...common,
    at: parcel.shippedAt ?? happening.at,
    properties: propertiesOf(parcel),
  }))
}

/** `<Status> Order`, unless the settings call it something else. A refund's name is the same everywhere. */
function statusEventName(
  { status, label }: StatusHappening,
  { statusEvents }: EventContext,
): string {
  const mapped = statusEvents.find((row) => row.status === status)
  if (mapped !== undefined) return mapped.event
  if (status === refundedStatus) return 'Refunded Order'
  return `${plainText(label) || capitalised(plainText(status))} Order`
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
