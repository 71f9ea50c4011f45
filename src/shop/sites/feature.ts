import type { Config } from 'payload'
import { withPushedSchema } from '../../core/database/pushed-schema.js'
import { defineFeature, type StoreConfig } from '../../core/feature.js'
import { siteCollection, withSitesForgotten } from './site-collection.js'
import { siteOptions } from './site-options.js'
import type { SiteParts } from './parts.js'

/** The store's sites, and the language of their pages. */
export const sitesFeature = defineFeature({
  options: siteOptions.shape,
  collections: ({ config, isAdmin, options: { collections } }: StoreConfig) =>
    config.collections?.some(({ slug }) => slug === collections.sites)
      ? []
      : [siteCollection(collections.sites, isAdmin)],
  hooks: ({ options: { collections }, partsOf }: StoreConfig<object, SiteParts>) => ({
    [collections.sites]: (sites) =>
      withSitesForgotten(sites, async (payload) => (await partsOf(payload)).sites.forget()),
  }),
  config: (config: Config, { config: { collections: given }, options: { collections } }) =>
    given?.some(({ slug }) => slug === collections.sites)
      ? config
      : { ...config, db: withPushedSchema(config.db, [collections.sites]) },
  parts: async () => (await import('./parts.js')).sitesParts,
})
