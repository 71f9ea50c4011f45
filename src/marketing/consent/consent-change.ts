import type { PayloadRequest } from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'
import type { ChannelConsent, ConsentStatus } from '../klaviyo/profile-consents.js'
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

/**
 * Whether a customer's document must follow what Klaviyo says. A profile that was never asked changes
 * nothing: whoever has left has still left when their profile is deleted and made again.
 */
export const isChange = (stored: ChannelConsent, told: ChannelConsent): boolean =>
  told.status !== 'never' &&
  (stored.status !== told.status || stored.since?.getTime() !== told.since?.getTime())
