import { defineFeature } from '../../core/feature.js'

/** The link that restores an abandoned cart. */
export const restoreFeature = defineFeature({
  parts: async () => (await import('./parts.js')).restoreParts,
})
