import { hasConsentField, ownNote, giverFields } from '../../shop/orders/order-fields.js'
import type { CollectionConfig, Endpoint } from 'payload'
import { defineFeature, type StoreConfig } from '../../core/feature.js'
import type { HttpParts } from '../../core/http/parts.js'
import { addFields } from '../../core/payload/field-search.js'
import { checkoutConsentFields, keepProof, keptProofCollection } from './checkout-consent.js'
import { consentForOrder, consentGiverFields, leaveConsentBehind } from './consent-giver.js'
import { consentOptions } from './consent-options.js'
import { customerConsentFields } from '../accounts/customer-consents.js'
import type { ConsentParts } from './parts.js'
import { adminEndpoint } from '../../core/payload/admin-endpoint.js'
import { consentProofPath } from '../admin-paths.js'
import { withHooks } from '../../core/payload/collection-hooks.js'

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
    [options.collections.orders]: (orders) =>
      withHooks(orders, { beforeDelete: [keepProof(partsOf)] }),
    [options.collections.carts]: (carts) =>
      hasConsentField(carts.fields)
        ? withHooks(carts, { beforeChange: [leaveConsentBehind(options)] })
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

/** `GET …/storeconnect/consent-proof.csv`: what shoppers agreed to, one line for each answer. */
const consentProofEndpoint = ({ partsOf, ...access }: Store): Endpoint =>
  adminEndpoint(access, {
    method: 'get',
    path: consentProofPath,
    answer: async ({ payload }) => {
      const lines = (await partsOf(payload)).consentProofs.lines()
      const encoder = new TextEncoder()
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const next = await lines.next()
          if (next.done) controller.close()
          else controller.enqueue(encoder.encode(next.value))
        },
        cancel: async () => void (await lines.return(undefined)),
      })
      const headers = {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="consent-proof.csv"',
        'x-content-type-options': 'nosniff',
      }
      return new Response(body, { headers })
    },
  })
