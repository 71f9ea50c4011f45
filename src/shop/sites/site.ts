import type { TypeWithID } from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'
import { readRedirectTarget } from '../../core/http/redirect-target.js'

/** One of the sites that an installation serves (`docs/interface.md` (Sites)). */
export interface Site {
  id: DocumentId
  /** Short name for code: `europe`. */
  handle: string
  /** What shoppers call it. */
  name: string
  /** Without a slash at its end: `https://shop.example/de`. */
  baseUrl: string
  enabled: boolean
  /** Whether it is used when no other site matches. */
  primary: boolean
  /** Handle of the commerce store that it belongs to; blank when there is only one store. */
  store: string
  /** The cart page: a URL, or a path below the base URL. Blank when the site has none. */
  cartUrl: string
  /** BCP 47, such as `de`. Blank for the language of the visitor's browser, if the store has it. */
  language: string
}

/** A document of the sites' collection, at depth 0. */
export type SiteDocument = TypeWithID & Record<string, unknown>

/** Returns the site of a document; undefined when the document is not a site. */
export type MapSite = (document: SiteDocument) => Site | undefined

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
