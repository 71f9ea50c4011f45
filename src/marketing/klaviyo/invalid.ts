import { messageLimits } from './limits.js'
import type {
  BackInStockMessage,
  EventMessage,
  SubscribeMessage,
  UnsubscribeMessage,
} from './message.js'
import type { KlaviyoError } from './call-answer.js'
import type { Profile, Properties } from './profile.js'
import { isShortText } from './properties.js'
import { profileBody } from './bodies.js'
import { jsonText, problem } from './ask-api.js'

/** Why Klaviyo would refuse a profile, if it would: checking here saves a call, and does not spoil a batch. */
export function invalidProfile(profile: Profile): KlaviyoError | undefined {
  const { properties = {}, ...attributes } = profile
  const limit = messageLimits.profileBytes
  const { email, phoneNumber, exchangeId } = profile
  if ((email ?? phoneNumber ?? exchangeId) === undefined) {
    const detail = 'The profile has no email, no phone number and no exchange id.'
    return problem('IDENTIFIER_MISSING', detail)
  }
  const invalid = invalidValues('profile', attributes) ?? invalidProperties('profile', properties)
  if (invalid !== undefined || Buffer.byteLength(jsonText(profileBody(profile))) <= limit)
    return invalid
  return problem('TOO_LARGE', `A profile must not be larger than ${limit} bytes.`)
}

/** The same for an event and its profile. */
export function invalidEvent({ profile, event }: EventMessage): KlaviyoError | undefined {
  return (
    invalidName(event.name) ??
    invalidProfile(profile) ??
    invalidValues('event', { uniqueId: event.uniqueId }) ??
    invalidProperties('event', event.properties)
  )
}

/** The same for a subscription. */
export function invalidSubscription(message: SubscribeMessage): KlaviyoError | undefined {
  return invalidChannels(message) ?? invalidList(message.list) ?? invalidProfile(message.profile)
}

/** The same for what only says who is reached, and how. */
export const invalidRecipient = (
  message: UnsubscribeMessage | BackInStockMessage,
): KlaviyoError | undefined => invalidChannels(message) ?? invalidProfile(message.profile)

function invalidChannels({
  channels,
  profile,
}: Pick<SubscribeMessage, 'channels' | 'profile'>): KlaviyoError | undefined {
  if (channels.length === 0) return problem('CHANNEL_MISSING', 'There is no channel to subscribe.')
  if (channels.includes('sms') && profile.phoneNumber === undefined) {
    return problem('PHONE_MISSING', 'The SMS channel needs a phone number.')
  }
  if (channels.includes('email') && profile.email === undefined) {
    return problem('EMAIL_MISSING', 'The email channel needs an email.')
  }
  return undefined
}

/** Anybody can post a list id, and an id such as `..` would lead to another path. */
export const invalidList = (list: string): KlaviyoError | undefined =>
  /^[\w-]{1,100}$/.test(list) ? undefined : problem('LIST_INVALID', 'This is not the id of a list.')

function invalidName(name: string): KlaviyoError | undefined {
  const limit = messageLimits.eventNameLength
  if (name === '') return problem('EVENT_NAME_MISSING', 'The event has no name.')
  if (name.length < limit) return undefined
  const detail = `An event's name must be shorter than ${limit} characters, prefix included.`
  return problem('EVENT_NAME_TOO_LONG', detail)
}

function invalidProperties(owner: string, properties: Properties): KlaviyoError | undefined {
  const limit = messageLimits.properties
  return Object.keys(properties).length > limit
    ? problem('TOO_MANY_PROPERTIES', `The ${owner} has more than ${limit} properties.`)
    : invalidValues(owner, properties)
}

/** Checks texts, lists and depth. The object itself is the first level. */
function invalidValues(owner: string, values: object, level = 1): KlaviyoError | undefined {
  const { textBytes, arrayItems, depth } = messageLimits
  if (level > depth) {
    return problem('TOO_DEEP', `The ${owner} nests deeper than ${depth} levels.`)
  }
  if (Array.isArray(values) && values.length > arrayItems) {
    return problem('ARRAY_TOO_LONG', `The ${owner} has over ${arrayItems} items in a list.`)
  }
  for (const value of Object.values(values) as unknown[]) {
    if (typeof value === 'string' && !isShortText(value)) {
      return problem('TEXT_TOO_LONG', `The ${owner} has a text of over ${textBytes} bytes.`)
    }
    const isNested = typeof value === 'object' && value !== null
    const found = isNested ? invalidValues(owner, value, level + 1) : undefined
    if (found !== undefined) return found
  }
  return undefined
}
