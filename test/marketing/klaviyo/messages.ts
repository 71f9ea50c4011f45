import type { EventMessage, SubscribeMessage } from '../../../src/marketing/klaviyo/message.js'
import type { Dispatch } from '../../../src/marketing/klaviyo/call-answer.js'

/** When the tests here take place. */
export const testTime = new Date('2026-07-15T12:00:00Z')

/** An event as it leaves right after it was accepted. */
export const anEvent = (
  message: { profile?: EventMessage['profile']; event?: Partial<EventMessage['event']> } = {},
  acceptedAt: Date = testTime,
): Dispatch<EventMessage> => ({
  message: {
    kind: 'event',
    profile: message.profile ?? { email: 'anna@example.com' },
    event: { name: 'Viewed Page', uniqueId: 'visit-1', properties: {}, ...message.event },
  },
  acceptedAt,
})

export const aSubscription = (message: Partial<SubscribeMessage> = {}): SubscribeMessage => ({
  kind: 'subscribe',
  profile: { email: 'anna@example.com' },
  list: 'WELCOME',
  channels: ['email'],
  ...message,
})
