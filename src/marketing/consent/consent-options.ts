import * as z from 'zod/mini'
import { callback, schemaOf } from '../../core/options-schema.js'
import type { ConsentChange } from './consent-change.js'

export interface ConsentHooks {
  /**
   * For a store that keeps consents elsewhere: called when a person has left or come back, while the
   * marketing setting `followUnsubscribes` is on. It may be called again for the same change. When it
   * throws, it is called again fifteen minutes later, until it succeeds.
   *
   * @example
   * onConsentChange: async ({ email, channel, status, req }) => {
   *   if (channel === 'email' && email) await updateNewsletter(req, email, status)
   * }
   */
  onConsentChange?: (change: ConsentChange) => void | Promise<void>
}

export const consentOptions = schemaOf<ConsentHooks>()(
  z.strictObject({ onConsentChange: z.optional(callback<ConsentHooks['onConsentChange']>()) }),
)
