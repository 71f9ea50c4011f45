import type { DocumentId } from './order.js'

/** One of the sites that an installation serves (`decisions.md`, Cart restore). */
export interface Site {
  id: DocumentId
  /** Short name for code: `europe`. */
  handle: string
  /** What shoppers call it. */
  name: string
  /** Where it is, without a slash at its end: `https://shop.example/de`. */
  baseUrl: string
  enabled: boolean
  /** Stands in where no other site fits. */
  primary: boolean
  /** Handle of the commerce store that it sells for; blank where there is only one. */
  store: string
  /** Where its cart is shown: a URL, or a path below the base URL. Blank: it has none. */
  cartUrl: string
  /** BCP 47, such as `de`; blank: the store's own. */
  language: string
}
