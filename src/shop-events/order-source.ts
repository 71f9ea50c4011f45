import type { PayloadRequest } from 'payload'
import type { DocumentId, Order } from '../commerce/order.js'
import type { NewSend } from '../delivery/outbox.js'
import type { OrderHappening, StatusChange } from './happening.js'
import { happeningsOf } from './happenings-of.js'
import { keysOfTelling, oneByOne } from './occurrence-keys.js'
import { orderSends } from './order-sends.js'
import type { ShippingSettings } from '../settings/shipping-settings.js'
import type { Position } from '../store/past-changes.js'
import type { ShipmentLog, TrackingPlace } from '../store/shipment-log.js'
import type { PayloadSettings } from '../store/payload/settings.js'
import type { EventContexts } from './event-contexts.js'
import type { StoreEvents } from '../store/payload/order-events/event-store.js'
import type { FailureGuard } from '../store/payload/order-events/failure-guard.js'
import type { StoredKeys } from '../store/payload/order-events/stored-keys.js'
import type { Tellings } from '../store/payload/order-events/tellings.js'
import type { ToldOrder, ToldOrders } from './told-orders.js'

export interface OrderTellerParts {
  orders: ToldOrders
  contextOf: EventContexts
  settings: PayloadSettings
  store: StoreEvents
  tellings: Tellings
  labelOf: (status: string) => string
  locateEntry: ShipmentLog['locateEntry']
  guarded: FailureGuard
  storedKeys: StoredKeys
}

/** What orders are told by; the others are of carts. */
const orderEvents = ['placedOrder', 'orderedProduct', 'statusChanged', 'refundedOrder'] as const

/** Orders whose sends are stored by one look of the sweep. */
const sweptAtOnce = 200

/** Tells the marketing platform what happened to orders. */
export function createOrderTeller(parts: OrderTellerParts) {
  const { orders, contextOf, settings, store, tellings, labelOf, locateEntry } = parts
  const { guarded, storedKeys } = parts

  /** What happened to an order since a moment. */
  const happenedTo = (
    { tracking, changes, parcels }: ToldOrder,
    { since, shippedStatus }: { since: Date; shippedStatus: string },
  ): OrderHappening[] =>
    happeningsOf({
      changes,
      parcels,
      ...(tracking !== undefined && { tracking }),
      shippedStatus,
      labelOf,
      since,
    })

  const composed = (
    { order }: ToldOrder,
    happenings: readonly OrderHappening[],
    req?: PayloadRequest,
  ): Promise<NewSend[]> =>
    guarded(
      async (own) => orderSends(order, happenings, await contextOf({ siteId: order.siteId }, own)),
      {
        req,
        about: () => ({ reference: order.reference }),
        sentence: 'The events of an order failed',
        otherwise: [],
      },
    )

  /** Without an order that the store's own code fails at. */
  const readOne = (id: DocumentId, place?: TrackingPlace, req?: PayloadRequest) =>
    guarded(async (own) => orders.read([id], { place, ...(own && { req: own }) }), {
      req,
      about: async () => ({ reference: await orders.referenceOf(id, req) }),
      sentence: 'An order could not be read, and is not told',
      otherwise: [],
    })

  async function readPage(
    ids: readonly DocumentId[],
    place: TrackingPlace | undefined,
  ): Promise<ToldOrder[]> {
    try {
      return await orders.read(ids, { place })
    } catch {
      // One by one: that which fails is logged, and the others are told.
      const read: ToldOrder[] = []
      for (const id of ids) read.push(...(await readOne(id, place)))
      return read
    }
  }

  /** What is not stored of what happened to orders. */
  async function untold(
    page: readonly ToldOrder[],
    within: { since: Date; shippedStatus: string },
  ): Promise<{ told: ToldOrder; happenings: OrderHappening[] }[]> {
    const histories = page.map((told) => ({
      told,
      happenings: oneByOne(happenedTo(told, within)).map((happening) => ({
        happening,
        keys: keysOfTelling(told, happening),
      })),
    }))
    const keys = histories.flatMap(({ happenings }) => happenings.flatMap((each) => each.keys))
    const stored = await storedKeys(keys)
    return histories.map(({ told, happenings }) => ({
      told,
      happenings: happenings
        .filter((each) => !each.keys.some((key) => stored.has(key)))
        .map(({ happening }) => happening),
    }))
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
    const [told] = await readOne(id, place, req)
    if (told === undefined) return
    const happenings = happenedTo(told, { since, shippedStatus: shipping?.statusHandle ?? '' })
    await store(await composed(told, happenings, req), req)
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
    async find(
      where: Parameters<ToldOrders['idOf']>[0],
    ): Promise<Order | 'unreadable' | undefined> {
      const id = await orders.idOf(where)
      if (id === undefined) return undefined
      const [told] = await readOne(id)
      return told?.order ?? 'unreadable'
    },

    /** Stores again what a page of changed orders has to tell of what happened since a moment. */
    async sweep(
      from: Position,
      { since, until }: { since: Date; until: Date },
    ): Promise<Position | undefined> {
      const { ids, next } = await orders.changedBehind(from, { until, limit: sweptAtOnce })
      const shipping = await settings.shipping()
      const within = { since, shippedStatus: shipping.statusHandle }
      const sends: NewSend[][] = []
      for (const { told, happenings } of await untold(
        await readPage(ids, placeOf(shipping)),
        within,
      )) {
        sends.push(await composed(told, happenings))
      }
      await Promise.all(sends.map((ofOrder) => store(ofOrder)))
      return next
    },
  }
}
