import type { Profile, Properties } from '../klaviyo/profile.js'
import { hashOf } from '../../core/signing.js'
import type { LineItem, Order } from '../../shop/orders/order.js'
import type { TranslationKey } from '../../core/payload/label.js'
import {
  endingStatuses,
  refundedStatus,
  type OrderHappening,
  type Parcel,
  type StatusHappening,
  type Tracking,
} from '../../shop/orders/happening.js'
import type { ParcelState } from '../../shop/orders/parcel-state.js'
import { trackingUrl } from '../../shop/orders/tracking-url.js'
import type { CartSnapshot } from './event-options.js'
import {
  lineIds,
  parcelIds,
  parcelStateIds,
  placedIds,
  requestIds,
  statusIds,
} from './order-ids.js'
import { plainText, presentValues } from './property-values.js'

const trackingProperties = (tracking: Tracking): Properties =>
  presentValues({
    Carrier: plainText(tracking.carrier),
    Service: plainText(tracking.service),
    TrackingNumber: plainText(tracking.trackingNumber),
    TrackingURL: trackingUrl(tracking),
  })

interface NamedEvent {
  /** The name at Klaviyo, without the prefix. */
  name: string
  /** For the page of the events in the documentation. */
  sentWhen: string
}

/** A built-in event. Its key in the table is also its name in the settings and the key of its label. */
interface EventRow<Happening, Document, Fact = Happening> extends NamedEvent {
  /** A `line` event is sent once for each line item. */
  of: 'cart' | 'order' | 'line'
  when: (fact: Fact) => boolean
  /** The same happening always has the same ids. */
  events: (happening: Happening, about: Described<Document>) => EventDraft[]
}

export type EventTable<Happening, Document, Fact = Happening> = Readonly<
  Partial<Record<TranslationKey, EventRow<Happening, Document, Fact>>>
>

/** The properties are those that the hooks of the store returned. */
interface Described<Document> {
  document: Document
  whole: Properties
  lines: readonly DescribedLine[]
  profile: Profile
  statusEvents: readonly { status: string; event: string }[]
}

export interface DescribedLine {
  line: LineItem
  properties: Properties
}

/** An event of an order or a cart, before `beforeProfile` and `beforeEvent` have run. */
export interface EventDraft {
  /** Default: the name of the row. The settings may give another one to a status. */
  name?: string
  /** A repeated report of the same event has the same key. */
  key: string
  /** Klaviyo records events with the same id once. */
  uniqueId: string
  at: Date
  /** In integer minor units of the currency. Default: the total of the order or cart. */
  amount?: number | 'none'
  /** Default: the properties of the order or cart. */
  properties?: Properties
}

export type CartHappening = { at: Date } & (
  | { kind: 'updated' }
  /** `state`: a digest of the cart then, so that a report after a crash is about the same, whatever has changed since. */
  | { kind: 'started'; state: string }
)

export const cartEvents = {
  updatedCart: {
    name: 'Updated Cart',
    sentWhen: 'somebody who is known filled or changed a cart',
    of: 'cart',
    when: ({ kind }) => kind === 'updated',
    events: ({ at }, { document: cart, profile }) => {
      const ids = cartIds(`${cart.number}:cart:${cart.updatedAt.getTime()}`, profile)
      return [{ ...ids, at }]
    },
  },
  startedCheckout: {
    name: 'Started Checkout',
    sentWhen: 'the checkout of a cart began',
    of: 'cart',
    when: ({ kind }) => kind === 'started',
    events(happening, { document: cart, profile }) {
      if (happening.kind !== 'started') return []
      const ids = cartIds(`${cart.number}:checkout:${happening.state}`, profile)
      return [{ ...ids, at: happening.at }]
    },
  },
} as const satisfies EventTable<CartHappening, CartSnapshot>

const refundedName = 'Refunded Order'

type OrderFact =
  | { kind: 'placed' | 'reviewable' }
  | { kind: 'status'; status: string }
  | { kind: 'parcel'; state: ParcelState }

/** ShipStation's webhooks say in which state a parcel is. */
const parcelEvent = (state: ParcelState, name: string, what: string) =>
  ({
    name,
    sentWhen: `the carrier says that a parcel ${what}`,
    of: 'order',
    when: (fact: OrderFact) => fact.kind === 'parcel' && fact.state === state,
    events(happening: OrderHappening, { document: order, whole }: Described<Order>): EventDraft[] {
      if (happening.kind !== 'parcel') return []
      const { at, parcel } = happening
      const expected = presentValues({ EstimatedDeliveryDate: parcel.estimatedDelivery })
      const properties = { ...whole, ...trackingProperties(parcel), ...expected }
      return [{ ...parcelStateIds(order, state, parcel), at, properties }]
    },
  }) as const

export const orderEvents = {
  placedOrder: {
    name: 'Placed Order',
    sentWhen: 'an order was made',
    of: 'order',
    when: ({ kind }) => kind === 'placed',
    events: ({ at }, { document: order }) => [{ ...placedIds(order), at }],
  },
  orderedProduct: {
    name: 'Ordered Product',
    sentWhen: 'an order was made, for each line',
    of: 'line',
    when: ({ kind }) => kind === 'placed',
    events: ({ at }, { document: order, lines }) =>
      lines.filter(isNamed).map(({ line, properties }) => ({
        ...lineIds(order, order.items.indexOf(line), line.id),
        at,
        amount: rowTotal(line),
        properties: {
          ...properties,
          ...presentValues({ ProductBrand: properties.Brand }),
          ...identityOf(order),
        },
      })),
  },
  statusChanged: {
    name: '<Status> Order',
    sentWhen: 'an order got another status; where it was shipped, for each parcel',
    of: 'order',
    when: (fact) => fact.kind === 'status' && fact.status !== refundedStatus,
    events: statusEvents,
  },
  refundedOrder: {
    name: refundedName,
    sentWhen: 'an order became refunded',
    of: 'order',
    when: (fact) => fact.kind === 'status' && fact.status === refundedStatus,
    events: statusEvents,
  },
  shipmentInTransit: parcelEvent('in-transit', 'Shipment In Transit', 'is on its way'),
  shipmentOutForDelivery: parcelEvent(
    'out-for-delivery',
    'Shipment Out for Delivery',
    'is out for delivery',
  ),
  shipmentDeliveryAttempted: parcelEvent(
    'attempted',
    'Shipment Delivery Attempted',
    'could not be handed over',
  ),
  shipmentReadyForPickup: parcelEvent(
    'ready-for-pickup',
    'Shipment Ready for Pickup',
    'waits at a pickup point',
  ),
  shipmentDelivered: parcelEvent('delivered', 'Shipment Delivered', 'was delivered'),
  shipmentDelayed: parcelEvent('delayed', 'Shipment Delayed', 'is late'),
  readyToReview: {
    name: 'Ready to Review',
    sentWhen: 'an order was delivered some days ago, or shipped where nobody tracks its parcels',
    of: 'order',
    when: ({ kind }) => kind === 'reviewable',
    events: ({ at }, { document: order }) => [{ ...requestIds(order), at, amount: 'none' }],
  },
} as const satisfies EventTable<OrderHappening, Order, OrderFact>

/** What Klaviyo's script on the pages sends, where there is one. */
export const pageEvents = {
  viewedProduct: { name: 'Viewed Product', sentWhen: 'a visitor opened the page of a product' },
  addedToCart: { name: 'Added to Cart', sentWhen: 'a visitor added something to the cart' },
} as const satisfies Record<string, NamedEvent>

/** What a shop sends whose reviews an option names. */
export const reviewEvents = {
  submittedReview: { name: 'Submitted Review', sentWhen: 'somebody has submitted a review' },
} as const satisfies Record<string, NamedEvent>

/** The settings that switch the events, and the history, follow from these rows. */
const shopEvents = { ...cartEvents, ...orderEvents, ...reviewEvents }

/** All events that the shop sends by itself. */
export const eventTable = { ...shopEvents, ...pageEvents }

export type BuiltInEvent = keyof typeof shopEvents

export const builtInEvents = Object.keys(shopEvents) as BuiltInEvent[]

export const defaultSwitches = Object.fromEntries(
  builtInEvents.map((event) => [event, true]),
) as Record<BuiltInEvent, boolean>

export const eventRows = <Happening, Document>(table: EventTable<Happening, Document>) =>
  Object.entries(table) as [BuiltInEvent, EventRow<Happening, Document>][]

export const orderEventsOf = (fact: OrderFact): BuiltInEvent[] =>
  (Object.keys(orderEvents) as (keyof typeof orderEvents)[]).filter((event) =>
    orderEvents[event].when(fact),
  )

/** `OrderId` is the name of Klaviyo's guide; `OrderID` is ours, and stays for the flows that use it. */
export const identityOf = ({ id, number, reference }: Order): Properties =>
  presentValues({
    OrderID: id,
    OrderId: id,
    OrderNumber: number,
    OrderReference: plainText(reference),
  })

/** A line without a name and a SKU says nothing of a product. */
const isNamed = ({ line: { name, sku } }: DescribedLine): boolean =>
  plainText(name) !== '' || plainText(sku) !== ''

/** The total of a line in minor units, before discounts on the whole order. */
export const rowTotal = ({ unitPrice, quantity }: LineItem): number => unitPrice * quantity

/** The key contains the person: an event for a corrected email is another send. */
const cartIds = (uniqueId: string, { email, exchangeId }: Profile) => ({
  key: `cart:${uniqueId}:${hashOf(email?.toLowerCase() ?? exchangeId)}`,
  uniqueId,
})

/** The shipped status has an event for each parcel. */
function statusEvents(
  happening: OrderHappening,
  { document: order, whole, statusEvents: names }: Described<Order>,
): EventDraft[] {
  if (happening.kind !== 'status') return []
  const { status, isShipped, parcels, tracking, at } = happening
  const name = statusEventName(happening, names)
  const propertiesOf = (sentBy: (Tracking & Partial<Parcel>) | undefined) => ({
    ...whole,
    OrderStatus: plainText(status),
    ...(endingStatuses.has(status) && presentValues({ Reason: plainText(order.reason ?? '') })),
    ...(sentBy && trackingProperties(sentBy)),
    ...(sentBy?.itemsLeft !== undefined && {
      PartlyShipped: sentBy.itemsLeft > 0,
      ItemsNotShipped: sentBy.itemsLeft,
    }),
  })
  if (!isShipped || parcels.length === 0) {
    const properties = propertiesOf(isShipped ? tracking : undefined)
    return [{ name, ...statusIds(order, happening), at, properties }]
  }
  return parcels.map((parcel) => ({
    name,
    ...parcelIds(order, status, parcel),
    at: parcel.shippedAt ?? at,
    properties: propertiesOf(parcel),
  }))
}

export function statusEventName(
  { status, label }: Pick<StatusHappening, 'status' | 'label'>,
  names: readonly { status: string; event: string }[],
): string {
  const named = names.find((row) => row.status === status)?.event
  if (named !== undefined) return named
  if (status === refundedStatus) return refundedName
  return `${plainText(label) || capitalised(plainText(status))} Order`
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
