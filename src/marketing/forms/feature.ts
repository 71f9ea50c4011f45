import { defineFeature } from '../../core/feature.js'

/** `identify` and `track`. */
export const formsFeature = defineFeature({
  parts: async () => (await import('./parts.js')).formsParts,
})
