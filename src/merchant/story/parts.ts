import { defineParts } from '../../core/feature.js'
import type { Shop, Products } from '../../core/shop.js'
import type { DeliveryParts } from '../../marketing/delivery/parts.js'
import type { ShippingParts } from '../../shipping/parts.js'
import type { PaymentParts } from '../../shop/payments/parts.js'
import { createStories, type Stories } from './read-story.js'

export interface StoryParts {
  stories: Stories
}

export async function loadStoryParts({ shipping, marketing }: Products) {
  const ofShipping = shipping ? await import('./shipping-story.js') : undefined
  const ofMarketing = marketing ? await import('./marketing-story.js') : undefined
  return defineParts({
    build: (shop: Shop, parts: DeliveryParts & ShippingParts & PaymentParts): StoryParts => ({
      stories: createStories(shop, {
        payments: parts.payments,
        shipping: ofShipping?.createShippingStory(shop, parts),
        marketing: ofMarketing?.createMarketingStory(shop, parts),
      }),
    }),
  })
}
