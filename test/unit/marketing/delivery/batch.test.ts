import { describe, expect, it } from 'vitest'
import { createCallPlanner, nextBatch } from '../../../../src/marketing/delivery/call-planner.js'
import { createProfileQueues } from '../../../../src/marketing/delivery/profile-queues.js'
import type { SendKind } from '../../../../src/marketing/delivery/send.js'
import { bulkBytes, callLimits } from '../../../../src/marketing/klaviyo/limits.js'
import { aWaitingSend, freshBudget, shopAt } from './fresh-budget.js'

const now = 1_800_000_000_000

/** What a look at the sends of one profile reads of them. */
function readsOfLook(count: number, kindOf: (place: number) => SendKind) {
  let reads = 0
  const queues = createProfileQueues()
  for (let id = 1; id <= count; id++) {
    const send = aWaitingSend({ id, kind: kindOf(id), acceptedAt: new Date(now), dueAt: now })
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
  const batch = nextBatch(queues.front(kind), kind, { now })
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

it.each([
  { bytes: bulkBytes / 12, count: 12 },
  { bytes: bulkBytes + 1, count: 1 },
])('A call takes no more bytes than fit, but one send at least: $count', ({ bytes, count }) => {
  const queues = createProfileQueues()
  for (let id = 1; id <= 30; id++) {
    const profile = `email:${id}@example.com`
    queues.add(aWaitingSend({ id, kind: 'subscribe', profile, list: 'NEWS', dueAt: now, bytes }))
  }
  const batch = nextBatch(queues.front('subscribe'), 'subscribe', { now })
  expect(batch?.parts).toHaveLength(count)
})

it('The next calls are made although the clock goes on while they are chosen', () => {
  let at = now
  const clock = () => new Date(at++)
  const budget = freshBudget(clock)
  const queues = createProfileQueues()
  const { items } = callLimits['list-members']
  for (let id = 1; id <= items + 1; id++) {
    const profile = `email:${id}@example.com`
    queues.add(aWaitingSend({ id, kind: 'list-add', profile, list: 'NEWS', dueAt: now }))
  }
  const planned = createCallPlanner(shopAt(clock), { queues, budget })('list-add', 'key')
  expect(planned).toMatchObject({ permits: [{ call: 'list-members' }] })
  expect('parts' in planned && planned.parts).toHaveLength(items)
})
