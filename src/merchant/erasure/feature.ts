import { defineFeature, type StoreConfig } from '../../core/feature.js'
import { erasureCollection } from './erasure-collection.js'
import { erasureOptions } from './erasure-options.js'
import { customerPaths, withFormerCustomer } from './former-customers.js'
import { withErasure } from './with-erasure.js'
import type { ErasureParts } from './parts.js'

export const erasureFeature = defineFeature({
  options: { erasure: erasureOptions },
  collections: (store: StoreConfig<object, ErasureParts>) => [
    erasureCollection(store, store.options.products),
  ],
  fields: ({ options }: StoreConfig) =>
    Object.fromEntries(
      Object.keys(customerPaths(options)).map((slug) => [slug, withFormerCustomer]),
    ),
  hooks: ({ customersSlug, partsOf }: StoreConfig<object, ErasureParts>) => ({
    ...(customersSlug && {
      [customersSlug]: (customers) =>
        customers.auth ? withErasure(customers, partsOf) : customers,
    }),
  }),
  parts: async () => (await import('./parts.js')).erasureParts,
})
