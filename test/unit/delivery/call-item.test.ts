import { expect, it } from 'vitest'
import { mergeSends } from '../../../src/delivery/call-item.js'
import type { Send } from '../../../src/delivery/send.js'
import type { UnsubscribeMessage } from '../../../src/klaviyo/message.js'

const email = 'ada@example.com'
const [one, other] = ['+447400123456', '+447400654321']

const unsubscribe = (
  id: number,
  message: Pick<UnsubscribeMessage, 'profile' | 'channels'>,
): Send => ({
  id,
  kind: 'unsubscribe',
  profile: `email:${email}`,
  list: undefined,
  bytes: 100,
  batchSize: Infinity,
  attempts: 0,
  crashes: 0,
  acceptedAt: new Date('2026-03-10T12:00:00Z'),
  dueAt: 0,
  isUnanswered: false,
  knownUntil: 0,
  message: { kind: 'unsubscribe', ...message },
})

it('merges what a person leaves into one entry', () => {
  const items = mergeSends([
    unsubscribe(1, { profile: { email, phoneNumber: one }, channels: ['sms'] }),
    unsubscribe(2, { profile: { email }, channels: ['email'] }),
  ])
  expect(items.map(({ message }) => message)).toEqual([
    { kind: 'unsubscribe', profile: { email, phoneNumber: one }, channels: ['sms', 'email'] },
  ])
})

it('loses no phone number of a person who leaves with two', () => {
  const items = mergeSends([
    unsubscribe(1, { profile: { email, phoneNumber: one }, channels: ['sms'] }),
    unsubscribe(2, { profile: { email, phoneNumber: other }, channels: ['sms'] }),
  ])
  expect(items.map(({ message }) => message.profile.phoneNumber)).toEqual([one, other])
})
