import { defineParts } from '../../core/feature.js'
import type { Shop, Products } from '../../core/shop.js'
import type { DeliveryParts } from '../../marketing/delivery/parts.js'
import { createStories, type Stories } from './read-story.js'

export interface StoryParts {
  stories: Stories
}

export async function loadStoryParts({ shipping, marketing }: Products) {
  const ofShipping = shipping ? await import('./shipping-story.js') : undefined
  const ofMarketing = marketing ? await import('./marketing-story.js') : undefined
  return defineParts({
    build: (shop: Shop, parts: DeliveryParts): StoryParts => ({
      stories: createStories(shop, {
        shipping: ofShipping?.createShippingStory(shop),
        marketing: ofMarketing?.createMarketingStory(shop, parts),
      }),
    }),
  })
}
