import type { BasePayload } from 'payload'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import type { BrowserCart, BrowserCarts } from '../browser-carts.js'
import type { Carts } from '../carts.js'
import { idOf, valueAt } from './document-value.js'
import { requestOf } from './payload-catalogue.js'

/** The extension's carts with the secret that it gives to guests. */
export function createBrowserCarts({
  payload,
  options: { collections, fields },
  carts,
  customersSlug,
}: {
  payload: BasePayload
  options: ResolvedOptions
  carts: Carts
  /** Slug of the customers' collection; undefined where carts have no customers. */
  customersSlug: string | undefined
}): BrowserCarts {
  return {
    async find(holder): Promise<BrowserCart | undefined> {
      // Whose a cart is, one place decides.
      const cart = await carts.find(holder)
      if (cart === undefined) return undefined
      const { visitor } = holder
      const document: unknown = await payload.findByID({
        collection: collections.carts,
        id: cart.id,
        depth: 0,
        disableErrors: true,
        req: await requestOf(payload, visitor),
      })
      const owner = idOf(valueAt(document, fields.customer))
      if (owner !== undefined) {
        const isOwn = visitor?.collection === customersSlug && visitor?.id === owner
        return isOwn ? { id: cart.id } : undefined
      }
      const secret = valueAt(document, 'secret')
      return typeof secret === 'string' ? { id: cart.id, secret } : { id: cart.id }
    },
  }
}
