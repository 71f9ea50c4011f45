import * as z from 'zod/mini'
import { callback, schemaOf } from '../../core/options-schema.js'
import type { PayloadRequest } from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'
import type { ConsentStatus } from '../klaviyo/find-consents.js'
import type { Channel } from '../klaviyo/message.js'

/** A person's consent as Klaviyo has it now. */
export interface ConsentChange {
  email?: string
  /** E.164. */
  phoneNumber?: string
  channel: Channel
  status: Exclude<ConsentStatus, 'never'>
  /** Undefined when Klaviyo does not say. */
  since: Date | undefined
  /** Klaviyo's word for how it came about, such as `UNSUBSCRIBE`; may be blank. */
  source: string
  /**
   * The customer with this email; absent when there is none, or when the account has this email only since
   * a change that nobody verified.
   */
  customerId?: DocumentId
  req: PayloadRequest
}

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
