import type { Message } from '../../src/marketing/klaviyo/message.js'
import type { Profile } from '../../src/marketing/klaviyo/profile.js'

export const anEvent = (
  email: string,
  uniqueId: string,
  profile: Partial<Profile> = {},
): Message => ({
  kind: 'event',
  profile: { email, ...profile },
  event: { name: 'Viewed', uniqueId, properties: {} },
})

export const aPastEvent = (email: string, uniqueId: string): Message => ({
  kind: 'event',
  profile: { email },
  event: { name: 'Placed Order', uniqueId, properties: {}, backfill: true },
})

export const anIdentify = (email: string, profile: Partial<Profile> = {}): Message => ({
  kind: 'identify',
  profile: { email, ...profile },
})

export const aListAdd = (email: string, list = 'NEWS'): Message => ({
  kind: 'list-add',
  profile: { email },
  list,
})

export const aSubscribe = (email: string, list = 'NEWS'): Message => ({
  kind: 'subscribe',
  profile: { email },
  list,
  channels: ['email'],
})

export const anUnsubscribe = (email: string): Message => ({
  kind: 'unsubscribe',
  profile: { email },
  channels: ['email'],
})
