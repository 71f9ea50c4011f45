import { defineFeature } from '../../core/feature.js'
import { klaviyoOptions } from './klaviyo-options.js'

/** The client of Klaviyo's API. */
export const klaviyoFeature = defineFeature({
  options: { marketing: klaviyoOptions },
  parts: async () => (await import('./parts.js')).klaviyoParts,
})
