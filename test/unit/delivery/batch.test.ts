import { describe, expect, it } from 'vitest'
import { nextBatch } from '../../../src/delivery/batch.js'
import { createProfileQueues } from '../../../src/delivery/profile-queues.js'
import type { SendKind, WaitingSend } from '../../../src/delivery/send.js'
import { klaviyoBounds as bounds } from '../../../src/klaviyo/limits.js'

const now = 1_800_000_000_000

/** What a look at the sends of one profile reads of them. */
function readsOfLook(count: number, kindOf: (place: number) => SendKind) {
  let reads = 0
  const queues = createProfileQueues()
  for (let id = 1; id <= count; id++) {
    const send: WaitingSend = {
      id,
      kind: kindOf(id),
      profile: 'email:one@example.com',
      list: undefined,
      bytes: 100,
      batchSize: Infinity,
      attempts: 0,
      crashes: 0,
      acceptedAt: new Date(now),
      dueAt: now,
      isUnanswered: false,
      knownUntil: 0,
    }
    queues.add(
      new Proxy(send, {
        get(target, name, receiver) {
          reads += 1
          return Reflect.get(target, name, receiver) as unknown
        },
      }),
    )
  }
  reads = 0
  const kind = kindOf(1)
  const batch = nextBatch(queues.front(kind), kind, { now, bounds })
  return { reads, sends: batch?.parts.flatMap(({ sends }) => sends).length }
}

describe('A look at what is next', () => {
  it.each(['event', 'past-event', 'identify', 'subscribe'] as const)(
    'reads no more with 20,000 sends of one profile than with 2,000: %s',
    (kind) => {
      const few = readsOfLook(2_000, () => kind)
      expect(readsOfLook(20_000, () => kind)).toEqual(few)
      expect(few.sends).toBe(1_000)
    },
  )

  it('reads no more when a change follows another 20,000 times', () => {
    const kindOf = (place: number) => (place % 20_000 === 0 ? 'event' : 'identify')
    expect(readsOfLook(20_000, kindOf).sends).toBe(1_000)
  })
})
