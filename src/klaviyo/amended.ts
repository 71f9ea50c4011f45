import type { Message } from '../marketing/message.js'
import type { Profile } from '../marketing/profile.js'

/** The message without the phone number; undefined when it has none or nothing would be left. */
export function withoutPhone(message: Message): Message | undefined {
  const { phoneNumber, ...profile } = message.profile
  if (phoneNumber === undefined || profile.email === undefined) return undefined
  if (message.kind !== 'subscribe') return withProfile(message, profile)
  const channels = message.channels.filter((channel) => channel !== 'sms')
  return channels.length === 0 ? undefined : { ...message, profile, channels }
}

/** The message without our id of the account; undefined when it has none. */
export function withoutExternalId(message: Message): Message | undefined {
  const { externalId, ...profile } = message.profile
  return externalId === undefined ? undefined : withProfile(message, profile)
}

const withProfile = (message: Message, profile: Profile): Message => ({ ...message, profile })
