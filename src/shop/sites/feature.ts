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
  parts: async () => (await import('./parts.js')).sitesParts,
})
