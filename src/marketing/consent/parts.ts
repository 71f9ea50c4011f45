import type { AccountProfilesParts } from '../accounts/parts.js'
import type { DeliveryParts } from '../delivery/parts.js'
import type { KlaviyoParts } from '../klaviyo/parts.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import type { OptionsOf } from '../../core/options-schema.js'
import type { Shop } from '../../core/shop.js'
import { createConsentOffers } from './checkout-consent.js'
import type { consentOptions } from './consent-options.js'
import { readConsentOfPost } from './consent-of-post.js'
import { createConsentPoll } from './consent-poll.js'
import { createConsentProofs } from './consent-proof.js'
import { defineParts } from '../../core/feature.js'

interface Options {
  marketing: OptionsOf<typeof consentOptions>
}

export type ConsentParts = ReturnType<typeof build>

type Needed = AccountProfilesParts & KlaviyoParts & MarketingSettingsParts & DeliveryParts

function build(
  shop: Shop<Options>,
  { klaviyo, marketingSettings, deliverer, customerConsents }: Needed,
) {
  return {
    consentOffers: createConsentOffers({ secret: shop.payload.config.secret }),
    consentProofs: createConsentProofs(shop),
    consentPoll: createConsentPoll(shop, {
      klaviyo,
      deliverer,
      settings: marketingSettings.get,
      customers: customerConsents,
    }),
  }
}

export const consentParts = defineParts({
  build,
  workers: (_shop: Shop, { consentPoll }: ConsentParts) => [consentPoll],
  readCartPost: (shop: Shop, { consentOffers }: ConsentParts) =>
    readConsentOfPost(shop, consentOffers),
})
