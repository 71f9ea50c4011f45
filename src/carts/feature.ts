import {
  createConsentOffers,
  noteCheckoutConsent,
  type CheckoutConsent,
  type ConsentGiver,
} from '../consent/checkout-consent.js'
import type { DocumentId } from '../database/document-id.js'
import { defineFeature, type StoreConfig } from '../feature.js'
import type { HttpParts } from '../http/feature.js'
import { formAction } from '../http/form-action.js'
import type { OptionsOf } from '../options-schema.js'
import type { Shop } from '../shop.js'
import type { SiteParts } from '../sites/feature.js'
import { cartSchemaOf } from './cart-documents.js'
import { createCarts } from './carts.js'
import { guardCartOwner } from './guard-cart-owner.js'
import { createPurchasables } from './purchasables.js'
import { rememberNewCart } from './remember-new-cart.js'
import { createAbandonedCartUrl, createRestoreLinks } from './restore-link.js'
import { restoreOptions } from './restore-options.js'
import { createUpdateCart } from './update-cart-action.js'

type Options = OptionsOf<typeof restoreOptions>

export type CartParts = ReturnType<typeof build>

function build(
  { payload, options, database, customersSlug, effects }: Shop<Options>,
  { sites }: SiteParts,
) {
  const { signedLinks, linkDays } = options.restore
  const restoreLinks = createRestoreLinks({
    secret: payload.config.secret,
    signed: signedLinks,
    linkDays,
    now: effects.now,
  })
  const hasCarts = payload.collections[options.collections.carts] !== undefined
  const cartSchema = hasCarts ? cartSchemaOf(payload, options) : undefined
  return {
    restoreLinks,
    abandonedCartUrl: createAbandonedCartUrl({ payload, names: options, sites, restoreLinks }),
    /** Undefined in a store without carts. */
    cartSchema,
    /** Undefined in a store without carts. */
    carts:
      cartSchema &&
      createCarts({ payload, database, names: options, schema: cartSchema, sites, customersSlug }),
  }
}

/** The visitor's cart. */
export const cartsFeature = defineFeature({
  options: restoreOptions.shape,
  hooks: ({ options, customersSlug, isAdmin, partsOf }: StoreConfig<object, HttpParts>) => ({
    [options.collections.carts]: (carts) =>
      guardCartOwner(
        {
          ...carts,
          hooks: {
            ...carts.hooks,
            afterChange: [
              ...(carts.hooks?.afterChange ?? []),
              rememberNewCart({
                names: options,
                customersSlug,
                sessionsOf: (payload) => partsOf(payload).sessions,
              }),
            ],
          },
        },
        { path: options.fields.customer, customersSlug, isAdmin },
      ),
  }),
  build,
  forwardable(
    { payload, options, database, customersSlug, effects }: Shop,
    { carts, cartSchema, forms, sites, texts }: CartParts & HttpParts & SiteParts,
  ) {
    if (carts === undefined || cartSchema === undefined) return {}
    const updateCart = createUpdateCart({
      carts,
      purchasables: createPurchasables(payload, cartSchema),
      sites,
      texts,
      consents: {
        offers: createConsentOffers({ secret: payload.config.secret }),
        note: (cartId: DocumentId, answer: { consent: CheckoutConsent; giver: ConsentGiver }) =>
          noteCheckoutConsent(database, { carts: options.collections.carts, cartId }, answer),
      },
      customersSlug,
      now: effects.now,
    })
    return { 'commerce/cart/update-cart': formAction(forms, updateCart) }
  },
})
