import type { Feature, StoreConfig } from '../feature.js'
import type { Shop } from '../shop.js'
import { createPageTexts } from '../translations/page-texts.js'
import { createProblemPages } from './problem-pages.js'
import { siteCollection, withSitesForgotten } from './site-collection.js'
import type { MapSite } from './site.js'
import { createSites } from './sites.js'

interface Options {
  mapSite: MapSite | undefined
}

export type SiteParts = ReturnType<typeof build>

function build({ payload, options, clock }: Shop<Options>) {
  const sites = createSites(payload, options, () => clock.now())
  const texts = createPageTexts(payload)
  return { sites, texts, problemPage: createProblemPages({ sites, texts }) }
}

/** The store's sites, and the language of their pages. */
export const sitesFeature: Feature = {
  collections: ({ config, isAdmin, options: { collections } }: StoreConfig) =>
    config.collections?.some(({ slug }) => slug === collections.sites)
      ? []
      : [siteCollection(collections.sites, isAdmin)],
  hooks: ({ options: { collections }, partsOf }: StoreConfig<object, SiteParts>) => ({
    [collections.sites]: (sites) =>
      withSitesForgotten(sites, (payload) => partsOf(payload).sites.forget()),
  }),
  build,
}
