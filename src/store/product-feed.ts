import type { DocumentId } from '../commerce/order.js'

/** A product that everybody may see, as the feed tells it. */
export interface FeedProduct {
  id: DocumentId
  title: string
  slug: string
  sku: string
  /** Plain text. */
  description: string
  /** A URL or a path. Blank: it has no picture. */
  image: string
  categories: readonly string[]
  /** Minor units by currency; of variants the least. A currency without a price is not in it. */
  prices: Readonly<Record<string, number>>
  /** How many there are, of all variants together. Undefined where the store counts none. */
  stock: number | undefined
}

export interface FeedPage {
  products: readonly FeedProduct[]
  /** Where the next page begins; undefined when this is the last. */
  last: DocumentId | undefined
}

/** The products of the store, a page at a time. */
export interface FeedProducts {
  /** The first is the store's default. */
  currencies: readonly string[]
  /** Published products in the order of their ids. `language`: of the site that shows them. */
  pageAfter(id: DocumentId | undefined, language: string): Promise<FeedPage>
}
