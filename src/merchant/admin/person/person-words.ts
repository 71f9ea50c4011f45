import type { TranslationKey } from '../../../core/payload/label.js'
import type { PersonConsent, PersonSend } from '../../people/person.js'
import { sendName, waitText } from '../send-words.js'
import type { Words } from '../words.js'
import type { Hindrance } from './hindrances.js'

/** Klaviyo's reasons of suppressions. Another one is shown as Klaviyo calls it. */
const reasons: Readonly<Record<string, TranslationKey>> = {
  HARD_BOUNCE: 'suppressedBounced',
  INVALID_EMAIL: 'suppressedInvalid',
  SPAM_COMPLAINT: 'suppressedComplaint',
  UNSUBSCRIBE: 'suppressedUnsubscribed',
  USER_SUPPRESSED: 'suppressedByHand',
}

const consentStatuses: Readonly<Record<string, TranslationKey>> = {
  subscribed: 'consentSubscribed',
  unsubscribed: 'consentUnsubscribed',
  never: 'consentNever',
}

/** Puts what is known of a person into the language of the reader. */
export function personTeller(words: Words) {
  const { translate, moment } = words
  const at = (since: string | undefined) =>
    since === undefined ? '' : ` (${moment(new Date(since))})`
  const reasonName = (reason: string) => {
    const key = reasons[reason]
    return key === undefined ? reason : translate(key)
  }
  const nameOf = (send: PersonSend) => sendName(send, words)
  return {
    sendName: nameOf,

    suppression: ({ reason, since }: { reason: string; since?: string }) =>
      `${reasonName(reason)}${at(since)}`,

    consent(
      this: void,
      { channel, status, since, source }: Omit<PersonConsent, 'source'> & { source?: string },
    ) {
      const key = consentStatuses[status]
      const name = translate(channel === 'email' ? 'emailConsent' : 'smsConsent')
      const said = `${name}: ${key === undefined ? status : translate(key)}${at(since)}`
      return source ? `${said} · ${source}` : said
    },

    hindrance(this: void, found: Hindrance): string {
      switch (found.is) {
        case 'failed': {
          const { send } = found
          const about = { send: nameOf(send), reason: send.reason ?? '' }
          return translate('personSendFailed', about) + at(send.at)
        }
        case 'waits': {
          const reason = waitText(found.wait, words)
          return translate('personSendWaits', { send: nameOf(found.send), reason })
        }
        case 'suppressed': {
          const { address, reason, since } = found
          return translate('personSuppressed', { address, reason: reasonName(reason) }) + at(since)
        }
        case 'unsubscribed': {
          const { address, channel, since } = found
          const of = translate(channel === 'email' ? 'emailConsent' : 'smsConsent')
          return translate('personUnsubscribed', { address, channel: of }) + at(since)
        }
        case 'unknown':
          return translate('personNotAtKlaviyo', { address: found.address })
        case 'neverAsked':
          return translate('personNeverAsked', { address: found.address })
      }
    },
  }
}
