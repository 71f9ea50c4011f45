import type { CollectionConfig, Config } from 'payload'
import { withIndex } from '../../core/database/changed-table.js'
import { internalCollection } from '../../core/database/internal-collection.js'
import { catalogSlug } from '../klaviyo/known-variants.js'

/**
 * What an entry waits for. `ask`: nobody knows what Klaviyo has of it. `due`: Klaviyo has something else than what is
 * wanted. `sending`: its job is being posted. `job`: Klaviyo works on it. `refused`: until the shop changes it, or the
 * next comparison.
 */
export type EntryState = 'ask' | 'due' | 'sending' | 'job' | 'done' | 'refused'

const text = (name: string) => ({ name, type: 'text' }) as const

/** One row for each category, item and variant of the catalog. Only SQL writes it (`catalog-rows.ts`). */
export const catalogCollection = (): CollectionConfig => ({
  slug: catalogSlug,
  ...internalCollection,
  timestamps: false,
  fields: [
    // Its kind and the id that Klaviyo knows, such as `item:7`.
    { name: 'id', type: 'text', required: true },
    text('kind'),
    text('entryId'),
    // The id of the product; blank for a category.
    { ...text('product'), index: true },
    // What Klaviyo is to have, as JSON; null when it is to be gone.
    { name: 'wish', type: 'textarea' },
    // The digests of the wish, of what the present job carries, and of what Klaviyo has; null for nothing.
    text('wished'),
    text('sent'),
    text('known'),
    // The product under which Klaviyo has a variant; null when nobody knows.
    text('heldBy'),
    text('state'),
    // Klaviyo's id of the job, or our own until it has answered.
    { ...text('job'), index: true },
    text('verb'),
    // How often Klaviyo has refused it in a row, and why.
    { name: 'tries', type: 'number' },
    { name: 'error', type: 'textarea' },
    // How many entries its job may have: fewer after one that failed without a word on which.
    { name: 'size', type: 'number' },
    // The reading of the product that wrote it last. Null or `again…`: the product is to be read again.
    { ...text('seen'), index: true },
  ],
})

/** Adds the index by which an idle process sees that nothing waits. */
export const withCatalogIndex = (db: Config['db']): Config['db'] =>
  withIndex(db, {
    collection: catalogSlug,
    name: 'marketing_catalog_state_idx',
    on: ['state', 'kind'],
  })
