import type { ProductFeedParts } from '../../marketing/product-feed/parts.js'
import type { Shop } from '../../core/shop.js'
import { createOverview } from './overview.js'
import type { Read } from './read-overview.js'
import { defineParts } from '../../core/feature.js'

const build = (shop: Shop, read: Read & ProductFeedParts) => ({
  overview: createOverview(shop, read),
})

export const overviewParts = defineParts({
  build,
})
