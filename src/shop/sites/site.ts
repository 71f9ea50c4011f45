import type { TypeWithID } from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'

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
