import { defineFeature } from '../../core/feature.js'
import { formsOptions } from './forms-options.js'

/** `identify` and `track`, and the store's own actions. */
export const formsFeature = defineFeature({
  options: formsOptions.shape,
  parts: async () => (await import('./parts.js')).formsParts,
})
