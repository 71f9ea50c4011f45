import type { PayloadRequest } from 'payload'
import type { DocumentId, Order } from '../../../commerce/order.js'
import type { NewSend } from '../../../delivery/outbox.js'
import type { EventContext } from '../../../order-events/event-context.js'
import type { StatusChange } from '../../../order-events/happening.js'
import { happeningsOf } from '../../../order-events/happenings-of.js'
import { orderSends } from '../../../order-events/order-sends.js'
import type { ShippingSettings } from '../../../settings/shipping-settings.js'
import type { Log } from '../../log.js'
import type { Position } from '../../past-changes.js'
import type { ShipmentLog } from '../../shipment-log.js'
import type { PayloadSettings } from '../settings.js'
import type { EventContexts } from './event-context.js'
import type { StoreEvents } from './event-store.js'
import type { Tellings } from './tellings.js'
import type { ToldOrder, ToldOrders } from './told-orders.js'

export interface OrderTellerParts {
  orders: ToldOrders
  contextOf: EventContexts
  settings: PayloadSettings
  store: StoreEvents
  tellings: Tellings
  labelOf: (status: string) => string
  locateEntry: ShipmentLog['locateEntry']
  log: Log
}

/** What orders are told by; the others are of carts. */
const orderEvents = ['placedOrder', 'orderedProduct', 'statusChanged', 'refundedOrder'] as const

/** Orders whose sends are stored by one look of the sweep. */
const sweptAtOnce = 200

/** Tells the marketing platform what happened to orders. */
export function createOrderTeller(parts: OrderTellerParts) {
  const { orders, contextOf, settings, store, tellings, labelOf, locateEntry, log } = parts

  /** What happened to an order since a moment; a failure of composing costs the message alone. */
  async function composed(
    told: ToldOrder,
    about: { since: Date; shippedStatus: string; context: EventContext },
  ): Promise<NewSend[]> {
    const { order, tracking, ...history } = told
    const { since, shippedStatus, context } = about
    try {
      const happenings = happeningsOf({
        ...history,
        ...(tracking !== undefined && { tracking }),
        shippedStatus,
        labelOf,
        since,
      })
      return await orderSends(order, happenings, context)
    } catch (error) {
      log.error({ err: error, reference: order.reference }, 'The events of an order failed')
      return []
    }
  }

  const placeOf = (shipping: ShippingSettings) => {
    const located = locateEntry(shipping)
    return 'place' in located ? located.place : undefined
  }

  /** In a transaction, saving an order waits for this: it reads nothing that is not needed. */
  async function storeSince(
    id: DocumentId,
    { since, isNew }: { since: Date; isNew: boolean },
    req?: PayloadRequest,
  ): Promise<void> {
    const { builtInEvents } = await settings.marketing(req)
    if (!orderEvents.some((event) => builtInEvents[event])) return
    // Placed Order says nothing of shipments. Told later, it is not alone: an order may be shipped soon.
    const shipping = isNew && req ? undefined : await settings.shipping(req)
    const place = shipping && placeOf(shipping)
    const [told] = await orders.read([id], { place, ...(req && { req }) })
    if (told === undefined) return
    const context = await contextOf({ siteId: told.order.siteId }, req)
    const shippedStatus = shipping?.statusHandle ?? ''
    await store(await composed(told, { since, shippedStatus, context }), req)
  }

  const tell = (
    id: DocumentId,
    { since, isNew = false, req }: { since: Date; isNew?: boolean; req: PayloadRequest },
  ): Promise<void> =>
    tellings.take((within) => storeSince(id, { since, isNew }, within), {
      req,
      about: { orderId: id },
    })

  return {
    /** Tells what entries mean that were added to an order's history. */
    async changed(
      { id, changes }: { id: DocumentId; changes: readonly StatusChange[] },
      req: PayloadRequest,
    ): Promise<void> {
      const first = changes.find(({ silent }) => silent !== true)
      if (first === undefined) return
      await tell(id, { since: new Date(first.at), isNew: first.placed === true, req })
    },

    /** Tells of parcels that came since a moment. */
    tell,

    /** An order as it is now. */
    async find(where: Parameters<ToldOrders['idOf']>[0]): Promise<Order | undefined> {
      const id = await orders.idOf(where)
      const [told] = id === undefined ? [] : await orders.read([id], { place: undefined })
      return told?.order
    },

    /** Stores again what a page of changed orders has to tell of what happened since a moment. */
    async sweep(
      from: Position,
      { since, until }: { since: Date; until: Date },
    ): Promise<Position | undefined> {
      const { ids, next } = await orders.changedBehind(from, { until, limit: sweptAtOnce })
      const shipping = await settings.shipping()
      const shippedStatus = shipping.statusHandle
      const sends: NewSend[][] = []
      for (const told of await orders.read(ids, { place: placeOf(shipping) })) {
        const context = await contextOf({ siteId: told.order.siteId })
        sends.push(await composed(told, { since, shippedStatus, context }))
      }
      await Promise.all(sends.map((ofOrder) => store(ofOrder)))
      return next
    },
  }
}
