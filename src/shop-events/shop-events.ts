import type { BasePayload, PayloadRequest } from 'payload'
import type { DocumentId } from '../commerce/order.js'
import type { Outbox } from '../delivery/outbox.js'
import type { PersonKeys } from '../marketing/person-keys.js'
import { keptOpen } from '../store/payload/kept-open.js'
import { createAccounts } from './account-source.js'
import { createCartSource, createCheckoutSource } from './cart-sources.js'
import { createEventContexts } from './event-context.js'
import { createCursor, createFeed } from './feed.js'
import { createOrderRecords } from './order-records.js'
import { createOrderSource } from './order-source.js'
import { createShopCarts, stateOf } from './shop-carts.js'
import type { ShopParts } from './shop-parts.js'
import { createDetailsSource } from './subject-details.js'

/** What the hooks of the shop's collections need. */
export type ShopEvents = ReturnType<typeof createShopFeed>['events'] & {
  /** Something was saved: the feed looks at once, and again a little later. */
  wake: () => void
}

/** What the hooks of an instance need; they learn only when they run which it is. */
export type ShopEventsOf = (payload: BasePayload) => ShopEvents

/** Everything that reports the shop's own documents to the marketing platform. */
export function createShopFeed(parts: ShopParts & { outbox: Pick<Outbox, 'store' | 'forget'> }) {
  const { payload, database, options, settings, customersSlug, outbox } = parts
  const { collections } = options
  const contextOf = createEventContexts(parts)
  const orders = createOrderRecords(parts)
  const carts = payload.collections[collections.carts] && createShopCarts(parts, contextOf)
  const accounts =
    customersSlug !== undefined && payload.collections[customersSlug]?.config.auth
      ? createAccounts(parts, customersSlug)
      : undefined
  const hasCheckouts = payload.collections[collections.transactions] !== undefined
  const sources = [
    accounts?.source,
    carts && hasCheckouts ? createCheckoutSource(parts, carts) : undefined,
    createOrderSource(parts, { orders, contextOf }),
    carts && createCartSource(parts, carts),
  ].filter((source) => source !== undefined)

  /** What the store's own code fails at when it is read costs the note, and not the save. */
  async function noted(
    req: PayloadRequest,
    about: Record<string, unknown>,
    read: (own: PayloadRequest) => Promise<string | undefined>,
  ): Promise<string | undefined> {
    try {
      return await read(keptOpen(req))
    } catch (error) {
      payload.logger.error(
        { err: error, ...about },
        'What a change means could not be noted with it',
      )
      return undefined
    }
  }

  const events = {
    /** Status and history of an order as they are now, kept from others until the request is over. */
    lockedHistory: (id: DocumentId, req: PayloadRequest) => orders.lockedHistory(id, req),

    /** Which built-in events the settings have switched on. */
    switches: async (req: PayloadRequest) => (await settings.marketing(req)).builtInEvents,

    /** What a cart holds, in short; undefined when there is no such cart. */
    checkoutState: (cartId: DocumentId, req: PayloadRequest) =>
      noted(req, { cartId }, async (own) => {
        const [cart] = (await carts?.read({ id: { equals: cartId } }, own)) ?? []
        return cart && stateOf(cart)
      }),

    /** What is sent of an account as it is stored, in short; undefined when nothing is. */
    profileState: (accountId: DocumentId, req: PayloadRequest) =>
      noted(req, { accountId }, async (own) => accounts?.stateOf(accountId, own)),

    /** What the sends about an account's person are known by; undefined for one that is not there. */
    personOf: async (accountId: DocumentId, req: PayloadRequest) =>
      accounts?.personOf(accountId, req),

    /** Deletes all sends about a person. */
    async forgetPerson(person: PersonKeys | undefined, req: PayloadRequest): Promise<void> {
      if (person !== undefined) await outbox.forget(await database.within(req), person)
    },
  }

  return {
    events,
    feeds: sources.map((source) =>
      createFeed({
        source,
        store: (sends) => outbox.store(sends),
        cursor: createCursor(payload, source.name),
        clock: parts,
      }),
    ),
    details: createDetailsSource(parts, { orders, carts, contextOf }),
    /** What the history reads and reports orders by. */
    orders,
    contextOf,
  }
}
