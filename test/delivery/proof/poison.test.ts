import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { randomFrom } from '../../../dev/seed/random.ts'
import { fewWaiting } from '../../../src/delivery/next-call.js'
import type { Message } from '../../../src/klaviyo/message.js'
import { anyKind } from '../../support/store.js'
import { openOutboxStore, type OutboxStore } from '../outbox/outbox-store.js'
import { platformWorld } from './platform-world.js'
import { countByState, readSends } from './stored-sends.js'

const items = 1_000
const seed = Number(process.env.SEED ?? 20261121)
const hour = 3_600_000
/** Fifty among a thousand are some hundred calls, each with its writes. */
const longRun = { timeout: 240_000 }

const anEvent = (index: number, isPoison: boolean): Message => ({
  kind: 'event',
  profile: { email: `p${index}@example.com` },
  event: {
    name: 'Viewed',
    uniqueId: `event ${index}`,
    properties: { note: isPoison ? 'poison' : 'fine' },
  },
})

describe('poison among 1,000 items', () => {
  let store: OutboxStore
  beforeAll(async () => {
    store = await openOutboxStore(anyKind)
  })
  beforeEach(() => store.clear())
  afterAll(() => store.close())

  /** Those that are poison, and what became of all of them. */
  async function deliver(count: number, says: 'item' | 'data') {
    const random = randomFrom(seed)
    const poison = new Set<number>()
    while (poison.size < count) poison.add(random.between(0, items - 1))
    const world = platformWorld(store, seed)
    world.standIn.faults.add({ kind: 'poison', says })
    await world.store(
      ...Array.from({ length: items }, (_, index) => anEvent(index, poison.has(index))),
    )
    await world.runUntil(world.now() + hour)
    const sends = await readSends(store)
    return { ...world.standIn.state, sends, poisonIds: [...poison].map((n) => `event ${n}`).sort() }
  }

  describe.each([
    { says: 'item', where: 'the platform points at them' },
    { says: 'data', where: 'the platform says nothing of where' },
  ] as const)('where $where', ({ says }) => {
    it.each([0, 1, 7, 50])('%i of them fail, and nothing else does', longRun, async (count) => {
      const { sends, poisonIds, events, calls, throttled } = await deliver(count, says)

      const failed = sends.filter(({ state }) => state === 'failed')
      expect(failed.map(({ uniqueId }) => uniqueId).sort()).toEqual(poisonIds)
      expect(failed.every(({ error }) => error?.code === 'invalid')).toBe(true)
      expect(failed.every(({ attempts }) => attempts === 0)).toBe(true)
      expect(countByState(sends).sent).toBe(items - count)
      expect(events).toHaveLength(items - count)
      expect(new Set(events.map(({ uniqueId }) => uniqueId)).size).toBe(items - count)
      expect(events.every(({ arrivals }) => arrivals === 1)).toBe(true)
      expect(throttled).toBe(0)

      expect(calls.length).toBeLessThanOrEqual(says === 'item' ? 2 : callsOfHalving(count))
    })
  })
})

/**
 * All at once, then by hundreds, by tens and one by one: each poison spoils one of each. The last few
 * of a batch go one by one, as few always do.
 */
const callsOfHalving = (count: number): number =>
  count === 0 ? 1 : 1 + 10 + 10 * Math.min(count, 10) + 10 * count + 2 * fewWaiting
