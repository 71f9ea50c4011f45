import type { DeliveryParts } from '../../marketing/delivery/parts.js'
import type { Shop } from '../../core/shop.js'
import { createStories, type Stories } from './read-story.js'
import { defineParts } from '../../core/feature.js'

export interface StoryParts {
  stories: Stories
}

export const storyParts = defineParts({
  build: (shop: Shop, parts: DeliveryParts): StoryParts => ({
    stories: createStories(shop, parts),
  }),
})
