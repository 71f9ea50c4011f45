import { defineFeature } from '../feature.js'
import type { OptionsOf } from '../options-schema.js'
import type { Shop } from '../shop.js'
import { withTestsNoted } from './connection-test.js'
import { klaviyoOptions } from './klaviyo-options.js'
import { createKlaviyo } from './klaviyo.js'

export type KlaviyoParts = ReturnType<typeof build>

function build(shop: Shop<{ marketing: OptionsOf<typeof klaviyoOptions> }>) {
  const { options, effects } = shop
  return { platform: withTestsNoted(createKlaviyo(options.marketing.apiUrl, effects), shop) }
}

/** The client of Klaviyo's API. */
export const klaviyoFeature = defineFeature({ options: { marketing: klaviyoOptions }, build })
