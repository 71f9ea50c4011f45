import type { Translator } from '../../core/payload/label.js'
import { englishText, type PlainKey } from '../../core/translations/translation.js'
import type { KlaviyoError } from './call-answer.js'

/** The codes of our own errors. Klaviyo's codes have no text here: its sentences stay as it wrote them. */
const texts: Readonly<Record<string, PlainKey>> = {
  ALREADY_SUBSCRIBED: 'refusedRepeated',
  ARRAY_TOO_LONG: 'refusedArray',
  CATALOG_BY_FEED: 'refusedByFeed',
  CHANNEL_MISSING: 'refusedNoChannel',
  EMAIL_MISSING: 'refusedNoEmail',
  EVENT_NAME_MISSING: 'refusedNoEventName',
  EVENT_NAME_TOO_LONG: 'refusedEventName',
  IDENTIFIER_MISSING: 'refusedNoIdentifier',
  KEY_UNREADABLE: 'refusedKey',
  LIST_INVALID: 'refusedList',
  NETWORK: 'refusedNetwork',
  PERSON_HAS_LEFT: 'refusedHasLeft',
  PERSON_IS_BACK: 'refusedIsBack',
  PHONE_MISSING: 'refusedNoPhone',
  PROFILE_NOT_FOUND: 'refusedNoProfile',
  REDIRECTED: 'refusedRedirected',
  TEXT_TOO_LONG: 'refusedText',
  TIMEOUT: 'refusedTimeout',
  TOO_DEEP: 'refusedTooDeep',
  TOO_LARGE: 'refusedTooLarge',
  TOO_MANY_PROPERTIES: 'refusedProperties',
  UNEXPECTED: 'refusedUnexpected',
  UNREADABLE_ANSWER: 'refusedUnreadable',
  VARIANT_NOT_FOUND: 'refusedNoVariant',
  WORKER_LOST: 'refusedWorkerLost',
}

/** Whether the code is one of our own errors. */
export const isOurCode = (code: string): boolean => Object.hasOwn(texts, code)

const givenUp = englishText('refusedGivenUp', { reason: '' })

/** The detail of a send that was given up. It is stored in English. */
export const givenUpDetail = (detail: string): string => `${givenUp}${detail}`

/** What an error says, in the language of the reader, or else in the stored English, which is more precise. */
export function klaviyoErrorText(
  { code, detail }: Pick<KlaviyoError, 'code' | 'detail'>,
  translate: Translator,
): string {
  if (detail.startsWith(givenUp)) {
    const reason = klaviyoErrorText({ code, detail: detail.slice(givenUp.length) }, translate)
    return translate('refusedGivenUp', { reason })
  }
  const key = isOurCode(code) ? texts[code] : undefined
  const text = key && translate(key)
  return key === undefined || text === undefined || text === englishText(key) ? detail : text
}

/** Whatever Klaviyo quotes, an address or a phone number is not kept, and it may be another person's. */
export const withoutPeople = (text: string): string =>
  text.replace(address, '…').replace(digits, (found) => (isoDate.test(found) ? found : '…'))

const partOfAddress = '[^\\s"\'`<>()[\\]{},;:]+'
const address = new RegExp(
  `${partOfAddress}(?:@|%40|&#64;|&#x40;|&commat;|\\\\u0040)${partOfAddress}`,
  'gi',
)

/** Seven digits or more, whatever is between them, and no part of a longer id. */
const digits = /(?<![\w-])(?:\+|%2B)?\(?\d(?:(?:[\s()./-]|%20)*\d){6,}(?![\w-])/gi
const isoDate = /^\d{4}-\d\d-\d\d$/
