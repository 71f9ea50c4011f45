import type { accountOptions } from '../accounts/account-options.js'
import type { CartParts } from '../carts/feature.js'
import type { DeliveryParts } from '../delivery/feature.js'
import { eventOptions } from '../events/event-options.js'
import type { Feature, StoreConfig } from '../feature.js'
import type { klaviyoOptions } from '../klaviyo/klaviyo-options.js'
import type { MarketingSettingsParts } from '../marketing-settings/feature.js'
import type { OptionsOf } from '../options-schema.js'
import { ownNote } from '../orders/order-fields.js'
import type { OrderParts } from '../orders/feature.js'
import { addFields } from '../payload/field-search.js'
import type { ShippingParts } from '../shipping/feature.js'
import type { Shop } from '../shop.js'
import type { SiteParts } from '../sites/feature.js'
import type { siteOptions } from '../sites/site-options.js'
import { withAccountEvents } from './account-events.js'
import { sentProfileField } from './account-source.js'
import { checkoutStateField } from './cart-sources.js'
import { withCheckoutEvents } from './extend-transactions.js'
import { wakeFeed } from './feed.js'
import { rememberStatus } from './remember-status.js'
import { createFeeds, type ShopEventsOf } from './feeds.js'

interface Options extends OptionsOf<typeof siteOptions> {
  marketing: OptionsOf<typeof accountOptions> &
    OptionsOf<typeof klaviyoOptions> &
    OptionsOf<typeof eventOptions>
}

export type FeedsParts = ReturnType<typeof build>

type Needed = SiteParts &
  OrderParts &
  ShippingParts &
  MarketingSettingsParts &
  DeliveryParts &
  CartParts

function build(
  { payload, options, database, customersSlug, clock, waits }: Shop<Options>,
  parts: Needed,
) {
  const { reader, sites, restoreLinks, isAdminAccount, outbox, delivery } = parts
  const {
    carts: shopCarts,
    orders: orderRecords,
    ...built
  } = createFeeds({
    payload,
    database,
    names: options,
    reader,
    accounts: options.marketing,
    hooks: options.marketing,
    productUrl: options.productUrl,
    settings: parts.marketingSettings.get,
    shippingSettings: parts.shippingSettings.get,
    sites,
    restoreUrl: (baseUrl, cart) => restoreLinks.url(baseUrl, cart),
    customersSlug,
    isAdminAccount,
    outbox,
    wakeDelivery: () => delivery.wake(),
    now: () => clock.now(),
    waits,
  })
  return { ...built, shopCarts, orderRecords }
}

/** The feeds: they find what happened to orders, checkouts, carts and accounts, and store the sends. */
export const feedsFeature = {
  options: { marketing: eventOptions },

  fields: ({ options: { collections }, customersSlug }: StoreConfig) => ({
    [collections.transactions]: (transactions) => ({
      ...transactions,
      fields: addFields(transactions.fields, [
        { ...ownNote, name: checkoutStateField, type: 'text' },
      ]),
    }),
    ...(customersSlug && {
      [customersSlug]: (customers) =>
        customers.auth
          ? {
              ...customers,
              fields: addFields(customers.fields, [
                { ...ownNote, name: sentProfileField, type: 'text' },
              ]),
            }
          : customers,
    }),
  }),

  hooks({ options, customersSlug, partsOf }: StoreConfig<object, FeedsParts>) {
    const eventsOf: ShopEventsOf = (payload) => partsOf(payload).events
    const { collections } = options
    return {
      [collections.orders]: (orders) => ({
        ...orders,
        hooks: {
          ...orders.hooks,
          // The store's own hooks run first, because they may change the status.
          beforeChange: [...(orders.hooks?.beforeChange ?? []), rememberStatus(options, eventsOf)],
          afterChange: [...(orders.hooks?.afterChange ?? []), wakeFeed(eventsOf)],
        },
      }),
      [collections.transactions]: (transactions) => withCheckoutEvents(transactions, eventsOf),
      ...(customersSlug && {
        [customersSlug]: (customers) =>
          customers.auth ? withAccountEvents(customers, eventsOf) : customers,
      }),
    }
  },

  build,
  workers: (_shop: Shop, { feeds }: FeedsParts) => [...feeds],
} satisfies Feature
