import type { MarketingPlatform } from '../marketing/platform.js'
import type { CallParts } from './call.js'
import { checkAccount } from './check-account.js'
import { createExchange, type ExchangeParts } from './exchange.js'
import { findProfiles } from './find-profiles.js'
import { importErrors, importJob } from './import-jobs.js'
import { klaviyoBounds } from './limits.js'
import { readLists } from './read-lists.js'
import { sendEvent, sendEvents } from './send-events.js'
import { sendListMembers, sendSubscriptions } from './send-lists.js'
import { sendImport, sendProfile } from './send-profiles.js'

export interface KlaviyoParts extends ExchangeParts {
  now: () => Date
}

/**
 * Klaviyo behind the port, over one exchange of our own (`docs/decisions/0006-klaviyo-client.md`).
 *
 * @throws {TypeError} when `apiUrl` is no http or https URL.
 */
export function createKlaviyo({ apiUrl, fetch, now }: KlaviyoParts): MarketingPlatform {
  const parts: CallParts = { exchange: createExchange({ apiUrl, fetch }), now }
  return {
    bounds: klaviyoBounds,
    trackEvent: (event, options) => sendEvent(parts, event, options),
    trackEvents: (events, options) => sendEvents(parts, events, options),
    saveProfile: (profile, options) => sendProfile(parts, profile, options),
    importProfiles: (profiles, options) => sendImport(parts, profiles, options),
    subscribe: (messages, options) => sendSubscriptions(parts, messages, options),
    findProfiles: findProfiles(parts),
    addToList: (ids, options) => sendListMembers(parts, ids, options),
    importJob: importJob(parts),
    importErrors: importErrors(parts),
    lists: readLists(parts),
    checkAccount: checkAccount(parts),
  }
}
