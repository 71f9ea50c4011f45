import type { BasePayload, PayloadRequest } from 'payload'
import type { DocumentId } from '../commerce/order.js'
import type { RestoreLinks } from '../http/restore-link.js'
import type { OrderDetails } from '../marketing/order-details.js'
import type { PersonKeys } from '../marketing/person-keys.js'
import type { ResolvedOptions } from '../options/resolve-options.js'
import { builtInEvents, type BuiltInEvent } from '../settings/marketing-settings.js'
import type { OrderDetailsSource } from '../store/order-details-source.js'
import type { Database } from '../store/payload/database.js'
import { readDocumentId } from '../store/payload/document-id.js'
import { keptOpen } from '../store/payload/kept-open.js'
import { createOrderReader } from '../store/payload/order-reader.js'
import type { Outbox } from '../delivery/outbox.js'
import type { PayloadSites } from '../store/payload/payload-sites.js'
import type { PayloadSettings } from '../store/payload/settings.js'
import { locateTracking } from '../store/payload/tracking-place.js'
import { createAccounts } from './account-source.js'
import { createCartSource } from './cart-source.js'
import { createCheckoutSource } from './checkout-source.js'
import { createEventContexts, type EventContexts } from './event-context.js'
import { createCursor, createFeed, type Feed } from './feed.js'
import { createGuard } from './guard.js'
import { attemptWith, createOrderSource } from './order-source.js'
import { statusLabels } from './status-labels.js'
import { createStoredCarts, stateOf } from './stored-carts.js'
import { personOf } from './person.js'
import { subjectDetails } from './subject-details.js'
import { createTakenCarts } from './taken-carts.js'
import { createToldOrders, type StoredHistory, type ToldOrders } from './told-orders.js'

/** What the hooks of the shop's collections need. */
export interface ShopEvents {
  /** Something was saved: the feed looks at once, and again a little later. */
  wake: () => void
  /** Status and history of an order as they are now, kept from others until the request is over. */
  lockedHistory(id: DocumentId, req: PayloadRequest): Promise<StoredHistory>
  /** The built-in events that the settings switch off. */
  switchedOff(req: PayloadRequest): Promise<BuiltInEvent[]>
  /** What a cart holds, in short; undefined when there is no such cart. */
  checkoutState(cartId: DocumentId, req: PayloadRequest): Promise<string | undefined>
  /** What is told of an account as it is stored, in short; undefined when nothing is. */
  profileState(accountId: DocumentId, req: PayloadRequest): Promise<string | undefined>
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
  outbox: Pick<Outbox, 'store' | 'forget'>
  /** Slug of the customers' collection; undefined in a store without accounts. */
  customersSlug: string | undefined
  now: () => Date
}

/** Everything that tells the marketing platform of the shop's own documents. */
export interface ShopFeed {
  /** Without `wake`, which is the delivery's too. */
  events: Omit<ShopEvents, 'wake'>
  feeds: readonly Feed[]
  details: OrderDetailsSource
  /** What the history reads and tells orders by. */
  orders: ToldOrders
  contextOf: EventContexts
}

export function createShopFeed(parts: ShopEventsParts): ShopFeed {
  const { payload, database, options, settings, customersSlug, outbox } = parts
  const { collections, fields } = options
  const log = payload.logger
  const guard = createGuard({ database, log })
  const ground = { ...parts, log, guard, serverUrl: payload.config.serverURL }
  const contextOf = createEventContexts(ground)
  const orderFields = payload.collections[collections.orders]?.config.fields ?? []
  const orders = createToldOrders({
    ...ground,
    reader: createOrderReader(parts),
    labelOf: statusLabels(orderFields, fields.status),
    locateEntry: (handles) => locateTracking(payload, collections.orders, handles),
  })
  const carts = payload.collections[collections.carts] && createStoredCarts(ground)
  const takeCart = createTakenCarts(ground)
  const cartParts = carts && { ...ground, carts, takeCart, contextOf }
  const accounts =
    customersSlug !== undefined && payload.collections[customersSlug]?.config.auth
      ? createAccounts({ ...ground, customersSlug })
      : undefined
  const sources = [
    ...(accounts ? [accounts.source] : []),
    ...(cartParts && payload.collections[collections.transactions]
      ? [createCheckoutSource(cartParts)]
      : []),
    createOrderSource({ ...ground, orders, contextOf }),
    ...(cartParts ? [createCartSource(cartParts)] : []),
  ]

  /** What the store's own code fails at when it is read costs the note, and not the save. */
  const within = async <Result>(
    req: PayloadRequest,
    about: Record<string, unknown>,
    read: (own: PayloadRequest) => Promise<Result>,
  ): Promise<Result | undefined> => {
    try {
      return await read(keptOpen(req))
    } catch (error) {
      log.error({ err: error, ...about }, 'What a change means could not be noted with it')
      return undefined
    }
  }

  const detailsOf = async (
    compose: () => Promise<OrderDetails | undefined>,
    about: Record<string, unknown>,
  ): Promise<OrderDetails | 'kept back'> => {
    const sentence = 'The details of an order or cart failed'
    return (await guard(compose, { about: () => about, sentence })) ?? 'kept back'
  }

  return {
    events: {
      lockedHistory: (id, req) => orders.lockedHistory(id, req),
      async switchedOff(req) {
        const switches = (await settings.marketing(req)).builtInEvents
        return builtInEvents.filter((event) => !switches[event])
      },
      checkoutState: (cartId, req) =>
        within(req, { cartId }, async (own) => {
          const [cart] = (await carts?.read({ id: { equals: cartId } }, own)) ?? []
          return cart && stateOf(cart)
        }),
      profileState: (id, req) =>
        within(req, { accountId: id }, async (own) => accounts?.stateOf(id, own)),
      personOf: async (id, req) => accounts?.personOf(id, req),
      async forgetPerson(person, req) {
        if (person !== undefined) await outbox.forget(await database.within(req), person)
      },
    },
    feeds: sources.map((source) =>
      createFeed({
        source,
        store: (sends) => outbox.store(sends),
        cursor: createCursor(payload, source.name),
        clock: parts,
      }),
    ),
    orders,
    contextOf,
    details: {
      async ofOrder(where) {
        const named = orderNamed(where, parts)
        const id = named && (await orders.idOf(named))
        if (id === undefined) return undefined
        const page = await orders.readPage([id], attemptWith(guard, orders))
        const order = page.orders[0]?.order
        if (order === undefined) return 'kept back'
        const { siteId, reference } = order
        const details = async () =>
          subjectDetails({ kind: 'order', order }, personOf(order), await contextOf({ siteId }))
        return detailsOf(details, { reference })
      },
      async ofCart(where) {
        const isIt =
          'id' in where
            ? { id: { equals: where.id } }
            : { [fields.number]: { equals: where.number } }
        const [cart] = (await carts?.read(isIt)) ?? []
        if (carts === undefined || cart === undefined) return undefined
        const { id, siteId, number: cartNumber } = cart
        const details = async () => {
          const person = (await carts.people([cart])).get(id)
          const context = await contextOf({ siteId, cartNumber })
          return subjectDetails({ kind: 'cart', cart: await takeCart(cart) }, person, context)
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
