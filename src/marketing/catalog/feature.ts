import type { CollectionConfig, Config } from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'
import { defineFeature, type StoreConfig } from '../../core/feature.js'
import { withHooks } from '../../core/payload/collection-hooks.js'
import { idOf } from '../../core/payload/document-value.js'
import { fieldsIn, productSlugs } from '../../shop/orders/named-fields.js'
import { catalogCollection, withCatalogIndex } from './catalog-collection.js'
import { catalogMatters } from './matters.js'
import type { CatalogParts } from './parts.js'

/** A product, or a variant of one. */
interface Sold {
  id: DocumentId
  product?: unknown
}

/** The catalog by Klaviyo's API, for shops that choose it in place of the product feed. */
export const catalogFeature = defineFeature({
  collections: () => [catalogCollection()],
  hooks: ({ config, options, partsOf }: StoreConfig<object, CatalogParts>) =>
    Object.fromEntries(
      productSlugs(options, fieldsIn(config)).map((slug) => [
        slug,
        (products: CollectionConfig) =>
          withHooks(products, {
            // What is deleted, or moved to another product, leaves no date by which it would be found.
            afterDelete: [
              async ({ doc, req }) => {
                const { id, product } = doc as Sold
                await (await partsOf(req.payload)).catalogLoss(idOf(product) ?? id, req)
              },
            ],
            afterChange: [
              async ({ doc, previousDoc, req }) => {
                const before = idOf((previousDoc as Partial<Sold> | undefined)?.product)
                if (before !== undefined && before !== idOf((doc as Sold).product))
                  await (await partsOf(req.payload)).catalogLoss(before, req)
              },
            ],
          }),
      ]),
    ),
  matters: catalogMatters,
  config: (config: Config): Config => ({ ...config, db: withCatalogIndex(config.db) }),
  parts: async () => (await import('./parts.js')).catalogParts,
})
