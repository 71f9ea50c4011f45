import { hasConsentField } from '../../shop/orders/order-fields.js'
import type { CollectionConfig } from 'payload'
import { defineFeature, type StoreConfig } from '../../core/feature.js'
import type { HttpParts } from '../../core/http/parts.js'
import { ownNote } from '../../shop/orders/order-fields.js'
import { addFields } from '../../core/payload/field-search.js'
import { giverFields } from '../../shop/orders/order-fields.js'
import { checkoutConsentFields } from './checkout-consent.js'
import { consentForOrder, consentGiverFields, leaveConsentBehind } from './consent-giver.js'
import { consentOptions } from './consent-options.js'
import { consentProofEndpoint } from './consent-proof-endpoint.js'
import { customerConsentFields } from '../accounts/customer-consents.js'
import { keepProof, keptProofCollection } from './kept-proofs.js'
import type { ConsentParts } from './parts.js'

type Store = StoreConfig<object, ConsentParts & HttpParts>

/** Consents that follow Klaviyo; consent at the checkout, and its proof. */
export const consentFeature = defineFeature({
  options: { marketing: consentOptions },
  collections: ({ customersSlug }: StoreConfig) => [keptProofCollection(customersSlug)],
  fields: ({ options: { collections }, customersSlug, isAdmin }: StoreConfig) => ({
    [collections.orders]: (orders) => ({
      ...orders,
      fields: addFields(orders.fields, [
        ...checkoutConsentFields(),
        { ...ownNote, name: giverFields.email, type: 'text' },
      ]),
    }),
    [collections.carts]: (carts) => ({
      ...carts,
      fields: addFields(carts.fields, [
        // Whoever restores a cart may read it, and is not always the person who answered.
        ...checkoutConsentFields({ read: isAdmin }),
        ...consentGiverFields(),
      ]),
    }),
    ...(customersSlug && {
      [customersSlug]: (customers) =>
        customers.auth
          ? {
              ...customers,
              fields: addFields(customers.fields, customerConsentFields(customersSlug, isAdmin)),
            }
          : customers,
    }),
  }),
  hooks: ({ options, partsOf }: Store) => ({
    [options.collections.orders]: (orders) => ({
      ...orders,
      hooks: {
        ...orders.hooks,
        beforeDelete: [...(orders.hooks?.beforeDelete ?? []), keepProof(partsOf)],
      },
    }),
    [options.collections.carts]: (carts) =>
      hasConsentField(carts.fields)
        ? {
            ...carts,
            hooks: {
              ...carts.hooks,
              beforeChange: [...(carts.hooks?.beforeChange ?? []), leaveConsentBehind(options)],
            },
          }
        : carts,
  }),
  fromCart: ({ options, customersSlug, partsOf }: Store, { fields }: CollectionConfig) =>
    hasConsentField(fields)
      ? consentForOrder({
          names: options,
          customersSlug,
          sessionsOf: async (payload) => (await partsOf(payload)).sessions,
        })
      : undefined,
  endpoints: (store: Store) => [consentProofEndpoint(store)],
  parts: async () => (await import('./parts.js')).consentParts,
})
