import type { CollectionBeforeChangeHook, CollectionConfig } from 'payload'
import { addFields } from '../payload/field-search.js'
import { idOf } from '../payload/document-value.js'
import { ownNote } from '../orders/order-fields.js'
import { checkoutStateField } from './cart-sources.js'
import type { ShopEventsOf } from './shop-events.js'
import { isImport } from '../orders/status-history.js'
import { wakeFeed } from './feed.js'

/**
 * Adds a field and hooks to the extension's transactions. The extension creates one when a payment
 * begins, so a new transaction is a started checkout.
 */
export function extendTransactions(
  transactions: CollectionConfig,
  { enabled, eventsOf }: { enabled: boolean; eventsOf: ShopEventsOf },
): CollectionConfig {
  const fields = addFields(transactions.fields, [
    { ...ownNote, name: checkoutStateField, type: 'text' },
  ])
  if (!enabled) return { ...transactions, fields }
  const { hooks } = transactions
  return {
    ...transactions,
    fields,
    hooks: {
      ...hooks,
      beforeChange: [...(hooks?.beforeChange ?? []), rememberCheckout(eventsOf)],
      afterChange: [...(hooks?.afterChange ?? []), wakeFeed(eventsOf)],
    },
  }
}

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
    const state = isReported ? await eventsOf(req.payload).checkoutState(cartId, req) : undefined
    return { ...transaction, [checkoutStateField]: state ?? null }
  }
