import type { OptionsOf } from '../../core/options-schema.js'
import type { Shop } from '../../core/shop.js'
import { withTestsNoted } from './check-account.js'
import type { klaviyoOptions } from './klaviyo-options.js'
import { createKlaviyo } from './klaviyo.js'
import { defineParts } from '../../core/feature.js'

export type KlaviyoParts = ReturnType<typeof build>

function build(shop: Shop<{ marketing: OptionsOf<typeof klaviyoOptions> }>) {
  const { options, effects } = shop
  return { klaviyo: withTestsNoted(createKlaviyo(options.marketing.apiUrl, effects), shop) }
}

export const klaviyoParts = defineParts({ build })
