import type { BasePayload, PayloadRequest } from 'payload'
import type { DocumentId } from '../commerce/order.js'
import type { RestoreLinks } from '../http/restore-link.js'
import type { StatusChange } from './happening.js'
import type { ResolvedOptions } from '../options/resolve-options.js'
import { cartDetails, orderDetails } from './subject-details.js'
import type { OrderDetails } from '../marketing/order-details.js'
import type { PersonKeys } from '../marketing/person-keys.js'
import { builtInEvents, type BuiltInEvent } from '../settings/marketing-settings.js'
import type { OrderDetailsSource } from '../store/order-details-source.js'
import type { PastChanges, QuietCarts } from '../store/past-changes.js'
import type { Database } from '../store/payload/database.js'
import { readDocumentId } from '../store/payload/document-id.js'
import { createOrderReader } from '../store/payload/order-reader.js'
import type { PayloadOutbox } from '../store/payload/outbox/outbox.js'
import type { PayloadSettings } from '../store/payload/settings.js'
import type { PayloadSites } from '../store/payload/payload-sites.js'
import type { ShipmentParts } from '../store/payload/shipment-parts.js'
import { locateTracking } from '../store/payload/tracking-place.js'
import { createAccountTeller, type SavedAccount } from './account-source.js'
import { createCheckoutTeller } from './checkout-source.js'
import { createEventContexts } from './event-contexts.js'
import { createEventStore } from '../store/payload/order-events/event-store.js'
import { createFailureGuard } from '../store/payload/order-events/failure-guard.js'
import { createOrderTeller, type OrderTellerParts } from './order-source.js'
import { createQuietCarts } from './cart-source.js'
import { statusLabels } from './status-labels.js'
import { createStoredKeys } from '../store/payload/order-events/stored-keys.js'
import { createStoredCarts } from './stored-carts.js'
import { createStoredCheckouts } from '../store/payload/order-events/stored-checkouts.js'
import { createTakenCarts } from './taken-carts.js'
import { createTellings } from '../store/payload/order-events/tellings.js'
import { createToldOrders, type StoredHistory } from './told-orders.js'
import { createWalkEnd } from '../store/payload/order-events/walk-ends.js'

/** What the hooks of the shop's collections tell of; `tellings.ts` says when. */
export interface ShopEvents {
  /** Status and history of an order as they are now, kept from others until the request is over. */
  lockedHistory(id: DocumentId, req: PayloadRequest): Promise<StoredHistory>
  /** The built-in events that the settings switch off. */
  switchedOff(req: PayloadRequest): Promise<BuiltInEvent[]>
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
  /** What the sends about an account's person are known by; undefined for one that is not there. */
  personOf(accountId: DocumentId, req: PayloadRequest): Promise<PersonKeys | undefined>
  /** Deletes all sends about a person. */
  forgetPerson(person: PersonKeys | undefined, req: PayloadRequest): Promise<void>
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
  /** Whether accounts are verified, which no hook says. */
  hasAccountsToVerify: boolean
  /** Undefined in a store without carts. */
  quietCarts: QuietCarts | undefined
  details: OrderDetailsSource
  /** Resolves when all is stored that this process had to tell so far. */
  told: () => Promise<void>
  /** What the history reads and tells orders by. */
  pastOrders: Pick<OrderTellerParts, 'orders' | 'contextOf' | 'labelOf' | 'locateEntry'>
}

/**
 * Without transactions Payload writes a document row by row, and each may wait for what other processes
 * write: some seconds, by the `busyTimeout` of SQLite.
 */
const settleMs = 15_000

export function createShopTeller(parts: ShopEventsParts): ShopTeller {
  const { payload, database, options, settings, customersSlug, outbox } = parts
  const log = payload.logger
  const tellings = createTellings(log)
  const guarded = createFailureGuard({ database, log })
  const ground = { ...parts, log, tellings, guarded, serverUrl: payload.config.serverURL }
  const contextOf = createEventContexts(ground)
  const store = createEventStore(ground)
  const stored = createToldOrders({ ...ground, reader: createOrderReader(parts) })
  const pastOrders = { ...wordsOf(parts), orders: stored, contextOf }
  const storedKeys = createStoredKeys(database)
  const orders = createOrderTeller({ ...ground, ...pastOrders, store, storedKeys })
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
  const accounts =
    customersSlug !== undefined && payload.collections[customersSlug]?.config.auth
      ? createAccountTeller({ ...ground, customersSlug, store })
      : undefined

  const detailsOf = async (
    compose: () => Promise<OrderDetails | undefined>,
    about: Record<string, unknown>,
  ): Promise<OrderDetails | 'kept back'> => {
    const sentence = 'The details of an order or cart failed'
    const details = await guarded(compose, { about: () => about, sentence, otherwise: undefined })
    return details ?? 'kept back'
  }

  return {
    events: {
      lockedHistory: (id, req) => stored.lockedHistory(id, req),
      switchedOff: (req) =>
        guarded(
          async () => {
            const switches = (await settings.marketing(req)).builtInEvents
            return builtInEvents.filter((event) => !switches[event])
          },
          { req, about: () => ({}), sentence: 'The marketing settings failed', otherwise: [] },
        ),
      orderChanged: (change, req) => orders.changed(change, req),
      parcelsCame: (id, told) => orders.tell(id, told),
      checkoutState: async (cartId, req) => checkouts?.stateOf(cartId, req),
      checkoutStarted: async (id, req) => checkouts?.started(id, req),
      accountSaved: async (account, req) => accounts?.saved(account, req),
      personOf: async (id, req) => accounts?.personOf(id, req),
      async forgetPerson(person, req) {
        // Without a transaction, what was saved before may be told a little later.
        if (!(await req.transactionID)) await tellings.over()
        if (person !== undefined) await outbox.forget(await database.within(req), person)
      },
    },
    past: {
      ...createWalkEnd(payload, 'event-sweep'),
      settleMs: database.isSqlite ? settleMs : 0,
      tellOrders: (from, range) => orders.sweep(from, range),
      tellCheckouts: async (from, until) => checkouts?.sweep(from, until),
      tellAccounts: async (from, until) => accounts?.sweep(from, until),
    },
    hasAccountsToVerify: accounts?.isToVerify === true,
    told: () => tellings.over(),
    pastOrders,
    quietCarts:
      carts &&
      createQuietCarts({
        ...ground,
        carts,
        takeCart,
        contextOf,
        walkEnd: createWalkEnd(payload, 'cart-watch'),
      }),
    details: {
      async ofOrder(where) {
        const named = orderNamed(where, parts)
        const order = named && (await orders.find(named))
        if (order === undefined) return undefined
        if (order === 'unreadable') return 'kept back'
        const { siteId, reference } = order
        return detailsOf(async () => orderDetails(order, await contextOf({ siteId })), {
          reference,
        })
      },
      async ofCart(where) {
        const cart = await carts?.read(where)
        if (cart === undefined) return undefined
        const { id, siteId, number: cartNumber, person } = cart
        const details = async () => {
          const context = await contextOf({ siteId, cartNumber })
          return cartDetails({ cart: await takeCart(cart), person }, context)
        }
        return detailsOf(details, { cartId: id })
      },
    },
  }
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
    locateEntry: (handles) => locateTracking(payload, collections.orders, handles),
  }
}
