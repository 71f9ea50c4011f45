import type { CollectionConfig } from 'payload'
import { defineFeature, type StoreConfig } from '../feature.js'
import type { DeliveryParts } from '../delivery/feature.js'
import type { HttpParts } from '../http/feature.js'
import type { KlaviyoParts } from '../klaviyo/feature.js'
import type { MarketingSettingsParts } from '../marketing-settings/feature.js'
import type { OptionsOf } from '../options-schema.js'
import { ownNote } from '../orders/order-fields.js'
import { addFields } from '../payload/field-search.js'
import type { Shop } from '../shop.js'
import {
  checkoutConsentFields,
  createConsentOffers,
  giverFields,
  hasConsentField,
} from './checkout-consent.js'
import { consentForOrder, consentGiverFields, leaveConsentBehind } from './consent-giver.js'
import { consentOptions } from './consent-options.js'
import { createConsentPoll } from './consent-poll.js'
import { consentProofEndpoint, createConsentProofs } from './consent-proof.js'
import { customerConsentFields } from './customer-consents.js'
import { keepProof, keptProofCollection } from './kept-proofs.js'

interface Options {
  marketing: OptionsOf<typeof consentOptions>
}

export type ConsentParts = ReturnType<typeof build>

type Needed = KlaviyoParts & MarketingSettingsParts & DeliveryParts

function build(
  shop: Shop<Options>,
  { platform, marketingSettings, deliverer, customerConsents }: Needed,
) {
  return {
    consentOffers: createConsentOffers({ secret: shop.payload.config.secret }),
    consentProofs: createConsentProofs(shop),
    consentPoll: createConsentPoll(shop, {
      platform,
      deliverer,
      settings: marketingSettings.get,
      customers: customerConsents,
    }),
  }
}

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

  hooks: ({ options, customersSlug, partsOf }: Store) => ({
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
              beforeChange: [
                ...(carts.hooks?.beforeChange ?? []),
                leaveConsentBehind({ names: options, customersSlug }),
              ],
            },
          }
        : carts,
  }),

  fromCart: ({ options, customersSlug, partsOf }: Store, { fields }: CollectionConfig) =>
    hasConsentField(fields)
      ? consentForOrder({
          names: options,
          customersSlug,
          sessionsOf: (payload) => partsOf(payload).sessions,
        })
      : undefined,

  endpoints: (store: Store) => [consentProofEndpoint(store)],
  build,
  workers: (_shop: Shop, { consentPoll }: ConsentParts) => [consentPoll],
})
