import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Fault } from '../../../dev/klaviyo/faults.ts'
import type { Message } from '../../../src/klaviyo/message.js'
import { anyKind } from '../../support/store.js'
import { openOutboxStore, type OutboxStore } from '../outbox/outbox-store.js'
import { platformWorld, type PlatformWorld } from './platform-world.js'
import { countByState, readSends } from './stored-sends.js'

const hour = 3_600_000
/** `OUTAGE_HOURS=72 npx vitest run test/delivery/proof/outage` is long enough for every wait to be reached. */
const outageHours = Number(process.env.OUTAGE_HOURS ?? 2)
/** In a short one, a process looks only now and then, as a task that is run every hour. */
const leastStepMs = outageHours < 72 ? 3_600_000 : 0
const people = 6
const rounds = 3

const faults: Fault[] = [{ kind: 'hang' }, { kind: 'error', status: 500 }, { kind: 'reset' }]

describe('a platform that is away', () => {
  let store: OutboxStore
  let world: PlatformWorld
  beforeAll(async () => {
    store = await openOutboxStore(anyKind)
  })
  beforeEach(async () => {
    await store.clear()
    world = platformWorld(store)
  })
  afterAll(() => store.close())

  it.each(faults)(
    `for ${outageHours} hours ($kind): everything is delivered afterwards, in order for each profile`,
    { timeout: 240_000 },
    async (fault) => {
      const outage = world.standIn.faults.add(fault)
      for (let round = 0; round < rounds; round++) {
        await storeRound(world, round)
        await world.runUntil(world.now() + (outageHours / rounds) * hour)
      }
      expect(countByState(await readSends(store))).toEqual({ queued: people * rounds * 3 })
      expect(world.standIn.state.events).toEqual([])

      outage.remove()
      await world.runUntil(world.now() + 12 * hour)

      expect(countByState(await readSends(store))).toEqual({ sent: people * rounds * 3 })
      expectAllInOrder(world)
    },
  )

  it(
    'for more than four days: what is given up says why, and is delivered when it is sent again',
    { timeout: 240_000 },
    async () => {
      const outage = world.standIn.faults.add({ kind: 'error', status: 503 })
      // One of each person: what waits behind another send gets its own four days.
      const ofAll = Array.from({ length: people * 3 }, (_, n) => messagesOf(n, 0).at(n % 3) ?? [])
      await world.store(...ofAll.flat())
      await world.runUntil(world.now() + 40 * 24 * hour, leastStepMs)

      const failed = await readSends(store)
      expect(countByState(failed)).toEqual({ failed: people * 3 })
      for (const { error, attempts } of failed) {
        expect(error?.detail).toMatch(/^Given up after days of tries\. /)
        expect(attempts).toBeGreaterThanOrEqual(12)
      }

      outage.remove()
      for (const { id } of failed) {
        expect(await world.outbox.resend(id, new Date(world.now()))).toBe(true)
      }
      await world.runUntil(world.now() + hour)
      expect(countByState(await readSends(store))).toEqual({ sent: people * 3 })
    },
  )
})

const emailOf = (person: number) => `p${person}@example.com`

/** An identify, an event and a list member. */
function messagesOf(person: number, round: number): Message[] {
  const email = emailOf(person)
  return [
    { kind: 'identify', profile: { email, properties: { step: round * 2 } } },
    {
      kind: 'event',
      profile: { email, properties: { step: round * 2 + 1 } },
      event: { name: 'Viewed', uniqueId: `${round}`, properties: {} },
    },
    { kind: 'subscribe', profile: { email }, list: 'WELCOME', channels: ['email'] },
  ]
}

async function storeRound(world: PlatformWorld, round: number): Promise<void> {
  await world.store(...Array.from({ length: people }, (_, n) => messagesOf(n, round)).flat())
}

function expectAllInOrder({ standIn: { state } }: PlatformWorld): void {
  expect(state.throttled).toBe(0)
  const inOrder = Array.from({ length: rounds }, (_, round) => `${round}`)
  for (let person = 0; person < people; person++) {
    const profile = state.profileByEmail(emailOf(person))
    const events = state.events.filter((event) => event.profile === profile?.id)
    expect(events.map(({ uniqueId }) => uniqueId)).toEqual(inOrder)
    expect(profile?.properties.step).toBe(rounds * 2 - 1)
    expect(profile?.consent.email?.status).toBe('SUBSCRIBED')
  }
}
