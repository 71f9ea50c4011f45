import { defineFeature, type StoreConfig } from '../feature.js'
import type { OptionsOf } from '../options-schema.js'
import type { Shop } from '../shop.js'
import { createPageTexts } from '../translations/page-texts.js'
import { createProblemPages } from './problem-pages.js'
import { siteCollection, withSitesForgotten } from './site-collection.js'
import { siteOptions } from './site-options.js'
import { createSites } from './sites.js'

export type SiteParts = ReturnType<typeof build>

function build({ payload, options, effects }: Shop<OptionsOf<typeof siteOptions>>) {
  const sites = createSites(payload, options, effects.now)
  const texts = createPageTexts(payload)
  return { sites, texts, problemPage: createProblemPages({ sites, texts }) }
}

/** The store's sites, and the language of their pages. */
export const sitesFeature = defineFeature({
  options: siteOptions.shape,
  collections: ({ config, isAdmin, options: { collections } }: StoreConfig) =>
    config.collections?.some(({ slug }) => slug === collections.sites)
      ? []
      : [siteCollection(collections.sites, isAdmin)],
  hooks: ({ options: { collections }, partsOf }: StoreConfig<object, SiteParts>) => ({
    [collections.sites]: (sites) =>
      withSitesForgotten(sites, (payload) => partsOf(payload).sites.forget()),
  }),
  build,
})
