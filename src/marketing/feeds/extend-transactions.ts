import type { CollectionBeforeChangeHook, CollectionConfig } from 'payload'
import { idOf } from '../../core/payload/document-value.js'
import { checkoutStateField } from '../../shop/orders/order-fields.js'
import type { ShopEventsOf } from './feeds.js'
import { isImport } from '../../shop/orders/status-history.js'
import { wakeFeed } from './wake-feed.js'

/** Notes in a transaction the cart whose checkout it begins, and wakes the feed. */
export const withCheckoutEvents = (
  transactions: CollectionConfig,
  eventsOf: ShopEventsOf,
): CollectionConfig => ({
  ...transactions,
  hooks: {
    ...transactions.hooks,
    beforeChange: [...(transactions.hooks?.beforeChange ?? []), rememberCheckout(eventsOf)],
    afterChange: [...(transactions.hooks?.afterChange ?? []), wakeFeed(eventsOf)],
  },
})

/** Stores a digest of the cart with the transaction, so that the feed can report the checkout later. */
const rememberCheckout =
  (eventsOf: ShopEventsOf): CollectionBeforeChangeHook =>
  async ({ data, operation, originalDoc, req }) => {
    const transaction = data as Record<string, unknown>
    if (operation === 'update') {
      const known = (originalDoc as Record<string, unknown>)[checkoutStateField]
      return { ...transaction, [checkoutStateField]: known ?? null }
    }
    const cartId = idOf(transaction.cart)
    const isReported = cartId !== undefined && !isImport(req)
    const state = isReported
      ? await (await eventsOf(req.payload)).checkoutState(cartId, req)
      : undefined
    return { ...transaction, [checkoutStateField]: state ?? null }
  }
