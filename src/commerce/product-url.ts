import type { DocumentId } from './order.js'
import type { Site } from './site.js'

/** What the address of a product's page is made of. */
export interface LinkedProduct {
  productId: DocumentId | undefined
  /** Blank: the product has none. */
  slug: string
  sku: string
}

/** The URL of a product's page on a site, or a path below its base URL. Blank: it has no page. */
export type ProductUrl = (product: LinkedProduct, site: Site | undefined) => string

/** `<base URL>/products/<slug>`; a slug may have slashes. */
export const defaultProductUrl: ProductUrl = ({ slug }) =>
  slug === '' ? '' : `/products/${slug.toWellFormed().split('/').map(encodeURIComponent).join('/')}`
