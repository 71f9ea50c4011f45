import { eventOptions } from '../events/event-options.js'
import { defineFeature, type StoreConfig } from '../../core/feature.js'
import {
  exchangeIdField,
  ownNote,
  sentStateField,
  checkoutStateField,
} from '../../shop/orders/order-fields.js'
import { addFields } from '../../core/payload/field-search.js'
import { withAccountEvents, withCheckoutEvents, wakeFeed, rememberStatus } from './feed-hooks.js'
import { sentProfileField } from './feed-notes.js'
import type { ShopEventsOf, FeedsParts } from './parts.js'
import { withHooks } from '../../core/payload/collection-hooks.js'

/** The feeds: they find what happened to orders, checkouts, carts and accounts, and store the sends. */
export const feedsFeature = defineFeature({
  options: { marketing: eventOptions },
  fields: ({ options: { collections }, customersSlug }: StoreConfig) => ({
    [collections.carts]: (carts) => ({
      ...carts,
      fields: addFields(
        carts.fields,
        [sentStateField, exchangeIdField].map((name) => ({ ...ownNote, name, type: 'text' })),
      ),
    }),
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
  hooks({ options, customersSlug, effects, isAdmin, partsOf }: StoreConfig<object, FeedsParts>) {
    const eventsOf: ShopEventsOf = async (payload) => (await partsOf(payload)).events
    const { collections } = options
    return {
      [collections.orders]: (orders) =>
        withHooks(orders, {
          beforeChange: [rememberStatus(options, eventsOf, { effects, isAdmin })],
          afterChange: [wakeFeed(eventsOf)],
        }),
      [collections.transactions]: (transactions) => withCheckoutEvents(transactions, eventsOf),
      ...(customersSlug && {
        [customersSlug]: (customers) =>
          customers.auth ? withAccountEvents(customers, eventsOf) : customers,
      }),
    }
  },
  parts: async () => (await import('./parts.js')).feedsParts,
})
