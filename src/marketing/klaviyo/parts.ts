import type { OptionsOf } from '../../core/options-schema.js'
import type { Shop } from '../../core/shop.js'
import { withTestsNoted } from './check-account.js'
import type { klaviyoOptions } from './klaviyo-options.js'
import { createKlaviyo } from './klaviyo.js'
import { defineParts } from '../../core/feature.js'

export type KlaviyoParts = ReturnType<typeof build>

function build(shop: Shop<{ marketing: OptionsOf<typeof klaviyoOptions> }>) {
  const { options, effects, visitors } = shop
  /** Where calls go with the key of a trial. They never go to Klaviyo, also when the trial is over. */
  const trialUrls = new Map<string, string>()
  const klaviyo = createKlaviyo(options.marketing.apiUrl, { ...effects, visitors }, (key) =>
    trialUrls.get(key),
  )
  return { klaviyo: withTestsNoted(klaviyo, shop), trialUrls }
}

export const klaviyoParts = defineParts({ build })
