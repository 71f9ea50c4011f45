import { defineFeature } from '../../core/feature.js'

/** The product feed. */
export const productFeedFeature = defineFeature({
  parts: async () => (await import('./parts.js')).productFeedParts,
})
