import { defineFeature } from '../../core/feature.js'
import { onsiteOptions } from './onsite-options.js'

/** What pages with Klaviyo's script ask for. */
export const onsiteFeature = defineFeature({
  options: { marketing: onsiteOptions },
  parts: async () => (await import('./parts.js')).onsiteParts,
})
