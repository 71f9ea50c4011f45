import type { MarketingEvent } from './message.js'
import type { Profile } from './profile.js'

/** What a store's developer may say about everything that is told. */
export interface MessageHooks {
  /**
   * Called with the profile of each message that creates or updates one. Return it, changed or not,
   * or `false`: then the message is not sent, and of a post by a form nothing about this person,
   * lists included. `event` is the name of the event that goes with it.
   *
   * @example
   * beforeProfile: ({ phoneNumber, ...profile }) => profile
   */
  beforeProfile?: (
    profile: Profile,
    about: { event: string | undefined },
  ) => Profile | false | Promise<Profile | false>
  /**
   * Called with each event. Return it, changed or not, or `false`: then it is not sent. The id stays,
   * so that a retry records once, and so does `backfill`, the mark of the history.
   *
   * @example
   * beforeEvent: (event) => (event.name === 'Updated Cart' && event.value === 0 ? false : event)
   */
  beforeEvent?: (
    event: MarketingEvent,
    about: { profile: Profile },
  ) => MarketingEvent | false | Promise<MarketingEvent | false>
}
