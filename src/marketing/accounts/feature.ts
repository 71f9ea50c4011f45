import { defineFeature } from '../../core/feature.js'
import { accountOptions } from './account-options.js'

/** What may be sent to Klaviyo about an account. */
export const accountProfilesFeature = defineFeature({
  options: { marketing: accountOptions },
  parts: async () => (await import('./parts.js')).accountProfilesParts,
})
