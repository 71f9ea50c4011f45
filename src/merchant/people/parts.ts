import { defineParts } from '../../core/feature.js'
import type { Products, Shop } from '../../core/shop.js'
import type { CartParts } from '../../carts/parts.js'
import type { ConsentParts } from '../../marketing/consent/parts.js'
import type { DeliveryParts } from '../../marketing/delivery/parts.js'
import type { KlaviyoParts } from '../../marketing/klaviyo/parts.js'
import type { MarketingSettingsParts } from '../../marketing/settings/parts.js'
import type { ShippingParts } from '../../shipping/parts.js'
import { createPeople, type People } from './people.js'

export interface PeopleParts {
  people: People
}

type Needed = CartParts &
  ShippingParts &
  DeliveryParts &
  ConsentParts &
  KlaviyoParts &
  MarketingSettingsParts

export async function loadPeopleParts({ shipping, marketing }: Products) {
  const ofShipping = shipping ? await import('../story/shipping-story.js') : undefined
  const ofMarketing = marketing ? await import('./person-marketing.js') : undefined
  return defineParts({
    build: (shop: Shop, parts: Needed): PeopleParts => ({
      people: createPeople(shop, {
        ...parts,
        shipping: ofShipping?.createShippingStory(shop, parts),
        marketing: ofMarketing?.createPersonMarketing(shop, parts),
      }),
    }),
  })
}
