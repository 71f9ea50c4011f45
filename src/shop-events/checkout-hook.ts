import type { CollectionBeforeChangeHook, CollectionConfig } from 'payload'
import type { ResolvedOptions } from '../options/resolve-options.js'
import { addFields } from '../store/payload/add-fields.js'
import { idOf } from '../store/payload/document-value.js'
import { checkoutStateField, transactionFields } from '../store/payload/order-fields.js'
import type { ShopEventsOf } from './shop-events.js'
import { isSilent, wakeFeed } from './status-hook.js'

/** The extension's transactions, made when a payment is begun: a checkout is read off one. */
export function extendTransactions(
  transactions: CollectionConfig,
  { options, eventsOf }: { options: ResolvedOptions; eventsOf: ShopEventsOf },
): CollectionConfig {
  const fields = addFields(transactions.fields, transactionFields())
  if (!options.enabled) return { ...transactions, fields }
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

/** Has a transaction remember what the cart held, so that it can be reported at any time. */
const rememberCheckout =
  (eventsOf: ShopEventsOf): CollectionBeforeChangeHook =>
  async ({ data, operation, originalDoc, req }) => {
    const transaction = data as Record<string, unknown>
    if (operation === 'update') {
      const known = (originalDoc as Record<string, unknown>)[checkoutStateField]
      return { ...transaction, [checkoutStateField]: known ?? null }
    }
    const cartId = idOf(transaction.cart)
    const isReported = cartId !== undefined && !isSilent(req)
    const state = isReported ? await eventsOf(req.payload).checkoutState(cartId, req) : undefined
    return { ...transaction, [checkoutStateField]: state ?? null }
  }
