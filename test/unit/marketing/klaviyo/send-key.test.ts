import { describe, expect, it } from 'vitest'
import type { Message, SubscribeMessage } from '../../../../src/marketing/klaviyo/message.js'
import { realEffects } from '../../../../src/core/effects.js'
import { dedupeKey, type SendKey } from '../../../../src/marketing/klaviyo/send-key.js'

const identify: Message = { kind: 'identify', profile: { email: 'ann@shop.example' } }
const start = Date.parse('2026-03-10T12:00:00Z')
const minutes = (count: number) => new Date(start + count * 60_000)

/** Whether the outbox takes the second for the first again, as `NewSend` says. */
const isRepeat = (first: SendKey & { at: Date }, second: SendKey) =>
  first.key === second.key ||
  (first.key === second.previousKey &&
    second.dedupeSince !== undefined &&
    first.at >= second.dedupeSince)

const keyAt = (message: Message, at: Date, dedupeMinutes = 2) => ({
  at,
  ...dedupeKey(message, { now: at, dedupeMinutes, effects: realEffects }),
})

const subscription = (changes: Partial<SubscribeMessage> = {}): SubscribeMessage => ({
  kind: 'subscribe',
  profile: { email: 'ann@shop.example' },
  list: 'NEWS01',
  channels: ['email'],
  ...changes,
})

describe('dedupeKey', () => {
  it('takes the same message for a repeat within the window alone, wherever windows are cut', () => {
    for (let offset = 0; offset < 4; offset += 0.25) {
      const first = keyAt(identify, minutes(offset))
      expect(isRepeat(first, keyAt(identify, minutes(offset + 1.99)))).toBe(true)
      expect(isRepeat(first, keyAt(identify, minutes(offset + 2.01)))).toBe(false)
    }
  })

  it('keeps messages that differ in anything apart, and reveals nothing of the person', () => {
    const first = keyAt(identify, minutes(0))
    const other: Message = { kind: 'identify', profile: { email: 'bob@shop.example' } }
    expect(isRepeat(first, keyAt(other, minutes(0)))).toBe(false)
    expect(first.key).toMatch(/^identify:[\w-]{43}:\d+$/)
  })

  it('leaves out no repeat when the settings say 0 minutes', () => {
    expect(keyAt(identify, minutes(0), 0).key).not.toBe(keyAt(identify, minutes(0), 0).key)
    expect(keyAt(subscription(), minutes(0), 0).previousKey).toBeUndefined()
  })

  it('takes a subscription again within a day for a repeat: the list would ask for confirmation once more', () => {
    const first = keyAt(subscription(), minutes(0))
    const again = subscription({ profile: { email: 'Ann@Shop.example' } })
    expect(isRepeat(first, keyAt(again, minutes(24 * 60 - 1)))).toBe(true)
    expect(isRepeat(first, keyAt(again, minutes(24 * 60 + 1)))).toBe(false)
    const others = [
      subscription({ list: 'NEWS02' }),
      subscription({ channels: ['email', 'sms'] }),
      subscription({ profile: { email: 'ann@shop.example', phoneNumber: '+12025550123' } }),
      subscription({ profile: { email: 'bob@shop.example' } }),
    ]
    for (const other of others) expect(isRepeat(first, keyAt(other, minutes(0)))).toBe(false)
  })
})
