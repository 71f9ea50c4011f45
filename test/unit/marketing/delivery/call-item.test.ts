import { expect, it } from 'vitest'
import { mergeSends } from '../../../../src/marketing/delivery/call-item.js'
import type { Send } from '../../../../src/marketing/delivery/send.js'
import type { UnsubscribeMessage } from '../../../../src/marketing/klaviyo/message.js'
import { aWaitingSend } from './fresh-budget.js'

const email = 'ada@example.com'
const [one, other] = ['+447400123456', '+447400654321']

const unsubscribe = (
  id: number,
  message: Pick<UnsubscribeMessage, 'profile' | 'channels'>,
): Send => ({
  ...aWaitingSend({ id, kind: 'unsubscribe', profile: `email:${email}` }),
  message: { kind: 'unsubscribe', ...message },
})

it('merges what a person leaves into one entry, and loses no phone number of two', () => {
  const bySms = (id: number, phoneNumber = one) =>
    unsubscribe(id, { profile: { email, phoneNumber }, channels: ['sms'] })
  const byEmail = unsubscribe(2, { profile: { email }, channels: ['email'] })
  expect(mergeSends([bySms(1), byEmail]).map(({ message }) => message)).toEqual([
    { kind: 'unsubscribe', profile: { email, phoneNumber: one }, channels: ['sms', 'email'] },
  ])
  const numbers = mergeSends([bySms(1), bySms(2, other)])
  expect(numbers.map(({ message }) => message.profile.phoneNumber)).toEqual([one, other])
})
