import type { BasePayload, PayloadRequest } from 'payload'
import type { DocumentId } from '../../../commerce/order.js'
import type { RestoreLinks } from '../../../http/restore-link.js'
import type { StatusChange } from '../../../order-events/happening.js'
import type { ResolvedOptions } from '../../../options/resolve-options.js'
import { cartDetails, orderDetails } from '../../../order-events/subject-details.js'
import type { OrderDetailsSource } from '../../order-details-source.js'
import type { PastChanges, QuietCarts } from '../../past-changes.js'
import type { Database } from '../database.js'
import { readDocumentId } from '../document-id.js'
import { createMappedReader } from '../order-documents.js'
import { createOrderRows } from '../order-rows.js'
import type { PayloadOutbox } from '../outbox/outbox.js'
import type { PayloadSettings } from '../settings.js'
import type { PayloadSites } from '../payload-sites.js'
import type { ShipmentParts } from '../shipment-parts.js'
import { locateTracking } from '../tracking-place.js'
import { createAccountTeller, type SavedAccount } from './account-teller.js'
import { createCheckoutTeller } from './checkout-teller.js'
import { createEventContexts } from './event-context.js'
import { createEventStore } from './event-store.js'
import { createOrderTeller, type OrderTellerParts } from './order-teller.js'
import { createQuietCarts } from './quiet-carts.js'
import { statusLabels } from './status-labels.js'
import { createStoredCarts } from './stored-carts.js'
import { createStoredCheckouts } from './stored-checkouts.js'
import { createTakenCarts } from './taken-carts.js'
import { createToldOrders } from './told-orders.js'

/** What the hooks of the shop's collections tell of. All of it happens within their request. */
export interface ShopEvents {
  /** Status and history of an order as they are now, kept from others until the request is over. */
  lockedHistory(
    id: DocumentId,
    req: PayloadRequest,
  ): Promise<{ status: unknown; changes: StatusChange[] }>
  orderChanged(
    change: { id: DocumentId; changes: readonly StatusChange[] },
    req: PayloadRequest,
  ): Promise<void>
  /** Parcels came since a moment, to an order whose status said already that it was shipped. */
  parcelsCame: ShipmentParts['tellParcels']
  /** What a cart holds, in short; undefined when there is no such cart. */
  checkoutState(cartId: DocumentId, req: PayloadRequest): Promise<string | undefined>
  checkoutStarted(transactionId: DocumentId, req: PayloadRequest): Promise<void>
  accountSaved(account: SavedAccount, req: PayloadRequest): Promise<void>
}

export interface ShopEventsParts {
  payload: BasePayload
  database: Database
  options: ResolvedOptions
  settings: PayloadSettings
  sites: PayloadSites
  restoreLinks: Pick<RestoreLinks, 'url'>
  outbox: PayloadOutbox
  /** Slug of the customers' collection; undefined in a store without accounts. */
  customersSlug: string | undefined
  now: () => Date
}

/** Everything that tells the marketing platform of the shop's own documents. */
export interface ShopTeller {
  events: ShopEvents
  past: PastChanges
  /** Undefined in a store without carts. */
  quietCarts: QuietCarts | undefined
  details: OrderDetailsSource
  /** What the history reads and tells orders by. */
  pastOrders: Pick<OrderTellerParts, 'orders' | 'contextOf' | 'labelOf' | 'locateEntry'>
}

export function createShopTeller(parts: ShopEventsParts): ShopTeller {
  const { payload, options } = parts
  const log = payload.logger
  const ground = { ...parts, log, serverUrl: payload.config.serverURL }
  const contextOf = createEventContexts(ground)
  const store = createEventStore(ground)
  const stored = createToldOrders({ ...ground, readOrders: readerOf(parts) })
  const pastOrders = { ...wordsOf(parts), orders: stored, contextOf }
  const orders = createOrderTeller({ ...ground, ...pastOrders, store })
  const hasCarts = payload.collections[options.collections.carts] !== undefined
  const carts = hasCarts ? createStoredCarts(ground) : undefined
  const takeCart = createTakenCarts(ground)
  const checkouts =
    carts && payload.collections[options.collections.transactions]
      ? createCheckoutTeller({
          ...ground,
          carts,
          checkouts: createStoredCheckouts(ground),
          takeCart,
          contextOf,
          store,
        })
      : undefined

  return {
    events: {
      lockedHistory: (id, req) => stored.lockedHistory(id, req),
      orderChanged: (change, req) => orders.changed(change, req),
      parcelsCame: (id, told) => orders.tell(id, told),
      checkoutState: async (cartId, req) => checkouts?.stateOf(cartId, req),
      checkoutStarted: async (id, req) => checkouts?.started(id, req),
      accountSaved: createAccountTeller({ ...ground, store }),
    },
    past: {
      tellOrders: (from, since) => orders.sweep(from, since),
      tellCheckouts: async (from) => checkouts?.sweep(from),
    },
    pastOrders,
    quietCarts: carts && createQuietCarts({ ...ground, carts, takeCart, contextOf }),
    details: {
      async ofOrder(where) {
        const named = orderNamed(where, parts)
        const order = named && (await orders.find(named))
        if (order === undefined) return undefined
        return orderDetails(order, await contextOf({ siteId: order.siteId }))
      },
      async ofCart(where) {
        const cart = await carts?.read(where)
        if (cart === undefined) return undefined
        const { siteId, number: cartNumber, person } = cart
        const context = await contextOf({ siteId, cartNumber })
        return cartDetails({ cart: await takeCart(cart), person }, context)
      },
    },
  }
}

/** The orders as the export reads them, the store's own `mapOrder` included. */
function readerOf({ payload, database, options, customersSlug }: ShopEventsParts) {
  const { mapOrder } = options.shipping
  if (mapOrder) {
    const mapped = createMappedReader(payload, options, mapOrder)
    return (ids: readonly DocumentId[], req?: PayloadRequest) => mapped.read(ids, req)
  }
  const rows = createOrderRows(database, options, customersSlug)
  return async (ids: readonly DocumentId[], req?: PayloadRequest) =>
    rows.read(ids, req ? await database.within(req) : database)
}

/** Undefined for an id that no order can have. */
function orderNamed(
  where: Parameters<OrderDetailsSource['ofOrder']>[0],
  { payload, options }: ShopEventsParts,
) {
  if ('number' in where) return where
  const id = readDocumentId(payload, options.collections.orders, where.id)
  return id === undefined ? undefined : { id, customerId: where.customerId }
}

/** What only the orders' own fields know. */
function wordsOf({
  payload,
  options: { collections, fields },
}: ShopEventsParts): Pick<OrderTellerParts, 'labelOf' | 'locateEntry'> {
  const orderFields = payload.collections[collections.orders]?.config.fields ?? []
  return {
    labelOf: statusLabels(orderFields, fields.status),
    locateEntry: (handles) => locateTracking(orderFields, handles),
  }
}
