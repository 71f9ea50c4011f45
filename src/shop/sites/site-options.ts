import * as z from 'zod/mini'
import { callback, schemaOf } from '../../core/options-schema.js'
import { defaultProductUrl, type ProductUrl, type MapSite } from './site.js'

export interface GivenSiteOptions {
  /**
   * Turns a document of `collections.sites` into a site, or into undefined when it is none. A store
   * needs it when it has its own collection of sites or tenants. Default: reads the fields of
   * Storeconnect's own collection.
   *
   * @example
   * mapSite: ({ id, slug, title, domain }) => ({ id, handle: slug, name: title, baseUrl: `https://${domain}`, … })
   */
  mapSite?: MapSite
  /**
   * Returns the page of a product, for events and the product feed: a URL, a path below the site's base
   * URL, or blank for none. Default: `/products/<slug>`.
   *
   * @example
   * productUrl: ({ slug }, site) => (site?.language === 'de' ? `/artikel/${slug}` : `/items/${slug}`)
   */
  productUrl?: ProductUrl
}

export const siteOptions = schemaOf<GivenSiteOptions>()(
  z.strictObject({
    mapSite: z.optional(callback<MapSite>()),
    // zod calls a function to learn the default.
    productUrl: z._default(callback<ProductUrl>(), () => defaultProductUrl),
  }),
)
