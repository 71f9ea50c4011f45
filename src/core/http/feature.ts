import { requestCountCollection } from '../database/shared-counts.js'
import { defineFeature } from '../feature.js'
import { httpOptions } from './http-options.js'

/** Sessions, form tokens and throttles: what the actions of all features share. */
export const httpFeature = defineFeature({
  options: httpOptions.shape,
  collections: () => [requestCountCollection()],
  parts: async () => (await import('./parts.js')).httpParts,
})
