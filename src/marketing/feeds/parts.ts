import type { Shop } from '../../core/shop.js'
import { defineParts } from '../../core/feature.js'
import type { BasePayload, PayloadRequest } from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'
import type { CartParts } from '../../carts/parts.js'
import type { WorkerParts } from '../../core/workers/parts.js'
import type { DeliveryParts } from '../delivery/parts.js'
import type { PersonKeys } from '../../core/people/person-keys.js'
import { detachedRequest } from '../../core/database/in-transaction.js'
import { createAccountEmails } from './account-emails.js'
import { createAccounts } from './account-source.js'
import { createCartSource, createCheckoutSource } from './cart-sources.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import type { OrderParts } from '../../shop/orders/parts.js'
import type { ShippingParts } from '../../shipping/parts.js'
import type { TrackingParts } from '../../shipping/tracking/parts.js'
import type { SiteParts } from '../../shop/sites/parts.js'
import { createEventContexts, type FeedShop } from './event-contexts.js'
import { createCursor, createFeed, type Source } from './feed.js'
import { createOrderRecords } from './order-records.js'
import { createOrderSource } from './order-source.js'
import { createParcelSource } from './parcel-source.js'
import { orderEventsOf } from '../events/event-table.js'
import type { ParcelState } from '../../shop/orders/parcel-state.js'
import { createShopCarts, stateOf } from './shop-carts.js'
import { createDetailsSource } from './subject-details.js'

export type FeedsParts = ReturnType<typeof build>

export type ShopEvents = FeedsParts['events']

/** A hook learns its Payload instance only when it runs. */
export type ShopEventsOf = (payload: BasePayload) => Promise<ShopEvents>

function build(
  shop: FeedShop,
  parts: SiteParts &
    OrderParts &
    Partial<ShippingParts & TrackingParts> &
    MarketingSettingsParts &
    WorkerParts &
    DeliveryParts &
    CartParts,
) {
  const { payload, database, options, customersSlug, log } = shop
  const { outbox, delivery, marketingSettings, movedParcels } = parts
  const { collections } = options
  const contextOf = createEventContexts(shop, parts)
  const orders = createOrderRecords(shop, parts)
  const accountEmails = createAccountEmails(shop, parts)
  const carts =
    payload.collections[collections.carts] && createShopCarts(shop, { accountEmails, contextOf })
  const accounts =
    customersSlug !== undefined && payload.collections[customersSlug]?.config.auth
      ? createAccounts(shop, parts, customersSlug)
      : undefined
  const hasCheckouts = payload.collections[collections.transactions] !== undefined
  const orderSource = createOrderSource(shop, parts, { orders, contextOf })
  const sources = [
    accounts?.source,
    carts && hasCheckouts ? createCheckoutSource(shop, carts) : undefined,
    orderSource,
    movedParcels && createParcelSource(shop, { movedParcels, orderSource }),
    carts && createCartSource(shop, parts, carts),
  ].filter((source) => source !== undefined)

  const feedOf = (source: Source) =>
    createFeed(shop, source, {
      cursor: createCursor(payload, source.name),
      store: (sends) => outbox.store(sends),
    })
  const feeds = sources.map(feedOf)

  /** When the store's own code fails, the note is missing and the save goes on. */
  async function noteFor(
    req: PayloadRequest,
    about: Record<string, unknown>,
    read: (own: PayloadRequest) => Promise<string | undefined>,
  ): Promise<string | undefined> {
    try {
      return await read(detachedRequest(req))
    } catch (error) {
      log.error({ err: error, ...about }, 'A change could not be noted for the marketing events')
      return undefined
    }
  }

  const events = {
    wake(): void {
      for (const feed of feeds) feed.wake()
      delivery.wake()
    },

    lockedStatus: orders.lockedStatus,

    switches: async (req: PayloadRequest) => (await marketingSettings.get(req)).builtInEvents,

    checkoutState: (cartId: DocumentId, req: PayloadRequest) =>
      noteFor(req, { cartId }, async (own) => {
        const [cart] = (await carts?.read({ id: { equals: cartId } }, own)) ?? []
        return cart && stateOf(cart)
      }),

    profileState: (accountId: DocumentId, req: PayloadRequest) =>
      noteFor(req, { accountId }, async (own) => accounts?.stateOf(accountId, own)),

    personKeysOf: async (accountId: DocumentId, req: PayloadRequest, named?: string) =>
      accounts?.personKeysOf(accountId, req, named),

    async forgetPerson(person: PersonKeys | undefined, req: PayloadRequest): Promise<void> {
      if (person !== undefined) await outbox.forget(await database.within(req), person)
    },
  }

  return {
    events,
    /** Whether the merchant has the event of a parcel's state sent now. */
    async isParcelEventOn(state: ParcelState): Promise<boolean> {
      const { builtInEvents } = await marketingSettings.get()
      return orderEventsOf({ kind: 'parcel', state }).every((event) => builtInEvents[event])
    },
    feeds,
    /** A feed of a feature above. */
    feedOf,
    accountEmails,
    details: createDetailsSource(shop, { orders, carts, contextOf }),
    orderRecords: orders,
    /** Undefined in a store without carts. */
    shopCarts: carts,
    contextOf,
  }
}

export const feedsParts = defineParts({
  build,
  workers: (_shop: Shop, { feeds }: FeedsParts) => [...feeds],
})
