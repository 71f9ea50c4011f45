import type { BasePayload, PayloadRequest } from 'payload'
import type { DocumentId } from '../database/document-id.js'
import type { Clock } from '../workers/clock.js'
import type { Outbox } from '../delivery/outbox.js'
import type { PersonKeys } from '../klaviyo/person-keys.js'
import { detachedRequest } from '../database/in-transaction.js'
import { createAccounts } from './account-source.js'
import { createCartSource, createCheckoutSource } from './cart-sources.js'
import { eventContext, type ShopParts } from './shop-parts.js'
import { createCursor, createFeed } from './feed.js'
import { createOrderRecords } from './order-records.js'
import { createOrderSource } from './order-source.js'
import { createShopCarts, stateOf } from './shop-carts.js'
import { createDetailsSource } from './subject-details.js'

export type ShopEvents = ReturnType<typeof createFeeds>['events']

/** Finds what a hook needs, by the Payload instance: a hook learns its instance only when it runs. */
export type ShopEventsOf = (payload: BasePayload) => ShopEvents

/** Builds everything that reports the shop's own documents to Klaviyo. */
export function createFeeds(
  parts: ShopParts & {
    outbox: Pick<Outbox, 'store' | 'forget'>
    /** Makes the delivery of this process, and of others, poll at once. */
    wakeDelivery: () => void
    /** The clock for waits. Default: that of `now`. */
    waits?: Clock
  },
) {
  const { payload, database, names, settings, customersSlug, outbox } = parts
  const { collections } = names
  const orders = createOrderRecords(parts)
  const carts = payload.collections[collections.carts] && createShopCarts(parts)
  const accounts =
    customersSlug !== undefined && payload.collections[customersSlug]?.config.auth
      ? createAccounts(parts, customersSlug)
      : undefined
  const hasCheckouts = payload.collections[collections.transactions] !== undefined
  const sources = [
    accounts?.source,
    carts && hasCheckouts ? createCheckoutSource(parts, carts) : undefined,
    createOrderSource(parts, orders),
    carts && createCartSource(parts, carts),
  ].filter((source) => source !== undefined)

  const feeds = sources.map((source) =>
    createFeed({
      source,
      store: (sends) => outbox.store(sends),
      cursor: createCursor(payload, source.name),
      clock: parts,
      ...(parts.waits && { waits: parts.waits }),
    }),
  )

  /** Reads a note for a save. When the store's own code fails, the note is missing and the save goes on. */
  async function noted(
    req: PayloadRequest,
    about: Record<string, unknown>,
    read: (own: PayloadRequest) => Promise<string | undefined>,
  ): Promise<string | undefined> {
    try {
      return await read(detachedRequest(req))
    } catch (error) {
      payload.logger.error(
        { err: error, ...about },
        'A change could not be noted for the marketing events',
      )
      return undefined
    }
  }

  const events = {
    /** Call it after a save: the feeds poll at once, and again a little later. */
    wake(): void {
      for (const feed of feeds) feed.wake()
      parts.wakeDelivery()
    },

    lockedStatus: orders.lockedStatus,

    switches: async (req: PayloadRequest) => (await settings(req)).builtInEvents,

    checkoutState: (cartId: DocumentId, req: PayloadRequest) =>
      noted(req, { cartId }, async (own) => {
        const [cart] = (await carts?.read({ id: { equals: cartId } }, own)) ?? []
        return cart && stateOf(cart)
      }),

    profileState: (accountId: DocumentId, req: PayloadRequest) =>
      noted(req, { accountId }, async (own) => accounts?.stateOf(accountId, own)),

    /** The keys that find all sends about the account's person; undefined when there is no such account. */
    personKeysOf: async (accountId: DocumentId, req: PayloadRequest, named?: string) =>
      accounts?.personKeysOf(accountId, req, named),

    async forgetPerson(person: PersonKeys | undefined, req: PayloadRequest): Promise<void> {
      if (person !== undefined) await outbox.forget(await database.within(req), person)
    },
  }

  return {
    events,
    feeds,
    details: createDetailsSource(parts, { orders, carts }),
    orders,
    /** Undefined in a store without carts. */
    carts,
    contextOf: (about: { siteId: DocumentId | undefined; cartNumber?: string }) =>
      eventContext(parts, about),
  }
}
