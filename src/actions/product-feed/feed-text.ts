import type { DocumentId } from '../../commerce/order.js'
import type { FeedPage, FeedProduct } from '../../store/product-feed.js'
import type { FeedItem } from './feed-item.js'

export interface FeedTextParts {
  pageAfter: (id: DocumentId | undefined) => Promise<FeedPage>
  describe: (product: FeedProduct) => FeedItem | undefined
  /** Told at the end how many products are not in it. */
  leftOut: (count: number) => void
}

/** The feed as JSON text, a page at a time. What breaks off is no JSON. */
export async function* feedText({
  pageAfter,
  describe,
  leftOut,
}: FeedTextParts): AsyncGenerator<string> {
  let before = '['
  let missing = 0
  let last: DocumentId | undefined
  do {
    const page = await pageAfter(last)
    const items = page.products.flatMap((product) => describe(product) ?? [])
    missing += page.products.length - items.length
    if (items.length > 0) {
      yield before + items.map((item) => JSON.stringify(item)).join(',\n')
      before = ',\n'
    }
    last = page.last
  } while (last !== undefined)
  if (missing > 0) leftOut(missing)
  yield before === '[' ? '[]\n' : ']\n'
}
