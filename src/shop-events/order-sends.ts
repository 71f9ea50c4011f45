import type { Order } from '../commerce/order.js'
import type { NewSend } from '../delivery/send.js'
import type { Properties } from '../marketing/profile.js'
import type { BuiltInEvent } from '../settings/marketing-settings.js'
import { composedSend, type Composed } from './composed-send.js'
import type { EventContext } from './event-context.js'
import { statusEventName } from './event-name.js'
import { switchesOf } from './event-switches.js'
import type { OrderHappening, Tracking } from './happening.js'
import { rowTotal } from './line-properties.js'
import { majorUnits } from './major-units.js'
import { lineKey, parcelKey, placedKey, statusKey } from './occurrence-keys.js'
import { personOf, profileOf } from './person.js'
import { plainText } from './plain-text.js'
import { presentValues } from './present-values.js'
import { toldLines, type ToldLine } from './told-lines.js'
import { trackingUrl } from './tracking-url.js'
import { orderUniqueId, partUniqueId, statusUniqueId } from './unique-id.js'
import { identityOf, wholeProperties } from './whole-properties.js'

type StatusHappening = OrderHappening & { kind: 'status' }

/** An order and everything that is told of it. */
interface ToldOrder {
  order: Order
  /** Undefined when nothing may be told of the whole. */
  whole: Properties | undefined
  lines: readonly ToldLine[]
}

/**
 * What the platform is told of what happened to an order (`decisions.md`, Marketing). The same
 * happenings always give sends of the same keys.
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
    context.log.info({ reference }, 'Order not told to the marketing platform: no valid email')
    return []
  }
  const subject = { kind: 'order', order } as const
  const told = await toldLines(subject, context)
  const whole = await wholeProperties(subject, told, context)
  const composed = wanted.flatMap((happening) =>
    eventsOf(happening, { order, whole, lines: told.lines }, context),
  )
  const sends = new Map<string, NewSend>()
  for (const event of composed) {
    const send = await composedSend(event, { profile, subject }, context)
    if (send !== undefined && !sends.has(send.key)) sends.set(send.key, send)
  }
  return [...sends.values()]
}

/** What of it the settings have told. */
export const wantedOf = (
  { items }: Pick<Order, 'items'>,
  happenings: readonly OrderHappening[],
  context: EventContext,
): OrderHappening[] =>
  happenings.filter((happening) =>
    switchesOf(happening).some(
      (event) =>
        isOn(event, happening, context) && (event !== 'orderedProduct' || items.length > 0),
    ),
  )

/** On now, and when it happened. */
const isOn = (
  event: BuiltInEvent,
  { off }: OrderHappening,
  { builtInEvents }: EventContext,
): boolean => builtInEvents[event] && off?.includes(event) !== true

const eventsOf = (happening: OrderHappening, told: ToldOrder, context: EventContext): Composed[] =>
  happening.kind === 'status'
    ? statusEvents(happening, told, context)
    : [
        ...(isOn('placedOrder', happening, context) ? placedOrder(happening.at, told) : []),
        ...(isOn('orderedProduct', happening, context) ? orderedProducts(happening.at, told) : []),
      ]

function placedOrder(at: Date, { order, whole }: ToldOrder): Composed[] {
  if (whole === undefined) return []
  return [
    {
      name: 'Placed Order',
      key: placedKey(order),
      uniqueId: orderUniqueId(order),
      at,
      ...totalOf(order),
      properties: whole,
    },
  ]
}

const orderedProducts = (at: Date, { order, lines }: ToldOrder): Composed[] =>
  lines.map(({ line, properties }) => {
    const index = order.items.indexOf(line)
    return {
      name: 'Ordered Product',
      key: lineKey(order, index),
      uniqueId: partUniqueId(order, line.id ?? String(index)),
      at,
      value: rowTotal(line, order.currency),
      currency: order.currency,
      properties: { ...properties, ...identityOf(order) },
    }
  })

/** One event; for the shipped status one for each parcel. */
function statusEvents(
  happening: StatusHappening,
  { order, whole }: ToldOrder,
  context: EventContext,
): Composed[] {
  if (whole === undefined) return []
  const { status, at, isShipped, parcels, tracking } = happening
  const event = (own: Pick<Composed, 'key' | 'uniqueId' | 'at'>, sentBy?: Tracking): Composed => ({
    name: statusEventName(happening, context),
    ...own,
    ...totalOf(order),
    properties: { ...whole, OrderStatus: plainText(status), ...trackingProperties(sentBy) },
  })
  if (!isShipped || parcels.length === 0) {
    const own = { key: statusKey(order, happening), uniqueId: statusUniqueId(order, happening), at }
    return [event(own, isShipped ? tracking : undefined)]
  }
  return parcels.map((parcel) => {
    const key = parcelKey(order, status, parcel)
    const uniqueId = partUniqueId(order, parcel.id)
    return event({ key, uniqueId, at: parcel.shippedAt ?? at }, parcel)
  })
}

const trackingProperties = (tracking: Tracking | undefined): Properties =>
  tracking === undefined
    ? {}
    : presentValues({
        Carrier: plainText(tracking.carrier),
        Service: plainText(tracking.service),
        TrackingNumber: plainText(tracking.trackingNumber),
        TrackingURL: trackingUrl(tracking),
      })

const totalOf = ({ total, currency }: Order) => ({ value: majorUnits(total, currency), currency })
