import { readRedirectTarget } from '../../core/http/redirect-target.js'
import type { DocumentId } from '../../core/database/document-id.js'
import type { Site } from './site.js'

/**
 * The absolute URL of a page of a site: a path, with or without a slash in front, is appended to the
 * base URL; an http(s) URL is returned as it is. Undefined when the page, or the base URL that it needs,
 * is not a valid redirect target.
 *
 * @example
 * siteUrl('https://shop.example/de', '/cart') // https://shop.example/de/cart
 */
export function siteUrl(baseUrl: string, place: string): string | undefined {
  const target = readRedirectTarget(place)
  if (target === undefined || !target.startsWith('/')) return target
  const base = readRedirectTarget(baseUrl)
  if (base === undefined || base.startsWith('/')) return undefined
  const { origin, pathname } = new URL(base)
  return origin + pathname.replace(/\/+$/, '') + target
}

/** What the URL of a product's page is built from. */
export interface LinkedProduct {
  productId: DocumentId | undefined
  /** Blank when the product has none. */
  slug: string
  sku: string
}

/**
 * Returns the URL of a product's page on a site, or a path below the site's base URL. Blank when the
 * product has no page.
 */
export type ProductUrl = (product: LinkedProduct, site: Site | undefined) => string

/** `/products/<slug>` below the base URL; a slug may contain slashes. Blank without a slug. */
export const defaultProductUrl: ProductUrl = ({ slug }) =>
  slug === '' ? '' : `/products/${slug.toWellFormed().split('/').map(encodeURIComponent).join('/')}`
