import * as z from 'zod/mini'
import { baseUrl, callback, schemaOf } from '../../core/options-schema.js'
import type { MarketingEvent } from './message.js'
import type { Profile } from './profile.js'

/**
 * Hooks that let a developer change everything that is sent to Klaviyo. When a hook throws, the error is
 * logged, and only this message is not sent.
 */
export interface MessageHooks {
  /**
   * Called with the profile of each message that creates or updates one. Return it, changed or not. Return
   * `false` to send no such message; when a form posted it, its list adds and subscriptions for this
   * person are not sent either. `event` is the name of the message's event, if it has one.
   *
   * @example
   * beforeProfile: ({ phoneNumber, ...profile }) => profile
   */
  beforeProfile?: (
    profile: Profile,
    about: { event: string | undefined },
  ) => Profile | false | Promise<Profile | false>
  /**
   * Called with each event. Return it, changed or not, or `false` to not send it. A changed `uniqueId` has
   * no effect, so that a retry is recorded once, and neither has a changed `backfill`.
   *
   * @example
   * beforeEvent: (event) => (event.name === 'Updated Cart' && event.value === 0 ? false : event)
   */
  beforeEvent?: (
    event: MarketingEvent,
    about: { profile: Profile },
  ) => MarketingEvent | false | Promise<MarketingEvent | false>
}

export interface KlaviyoOptions extends MessageHooks {
  /** The URL of Klaviyo's API. Default `https://a.klaviyo.com`. */
  apiUrl?: string
}

export const klaviyoOptions = schemaOf<KlaviyoOptions>()(
  z.strictObject({
    apiUrl: z._default(baseUrl, 'https://a.klaviyo.com'),
    beforeProfile: z.optional(callback<MessageHooks['beforeProfile']>()),
    beforeEvent: z.optional(callback<MessageHooks['beforeEvent']>()),
  }),
)
