import type { Shop } from '../../core/shop.js'
import { createFeeds } from './feeds.js'
import { defineParts } from '../../core/feature.js'

export type FeedsParts = ReturnType<typeof createFeeds>

export const feedsParts = defineParts({
  build: createFeeds,
  workers: (_shop: Shop, { feeds }: FeedsParts) => [...feeds],
})
