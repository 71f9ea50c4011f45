import { describe, expect, it } from 'vitest'
import { sqlDatabase } from '../../../src/database/database.js'
import { endLease } from '../../support/end-lease.js'
import { anEvent, anIdentify } from '../../support/messages.js'
import { drainWorlds, seeded, worldStart } from './drain-world.js'
import { networkDown } from './model-platform.js'

const drainWorld = drainWorlds()
const people = 40
const rounds = 6

/** Over before one that is singled out by chance would be tried a third time. */
const steps = 200
const stepsToTakeover = 25

/** Holds some of what passes until it is let go. */
function gate(random: () => number, share: number) {
  const held: (() => void)[] = []
  let isOpen = false
  return {
    pass: () =>
      isOpen || random() > share
        ? Promise.resolve()
        : new Promise<void>((resolve) => void held.push(resolve)),
    release: (count: number) => held.splice(0, count).forEach((resolve) => resolve()),
    open() {
      isOpen = true
      held.splice(0).forEach((resolve) => resolve())
    },
  }
}

describe('four deliverers that are paused past their leases', () => {
  it.each([1, 2, 3, 4, 5])(
    'send nothing twice and nothing out of order (seed %i)',
    { timeout: 240_000 },
    async (seed) => {
      const random = seeded(seed)
      const world = await drainWorld({ seed })
      const { platform } = world
      // One may be paused before the platform sees its call, or before it reads the answer.
      const [before, after] = [gate(random, 0.2), gate(random, 0.3)]
      platform.arrive = before.pass
      platform.leave = after.pass
      const drains = [world.drain, ...[1, 2, 3].map(() => world.anotherDrain())]
      const busy = new Set<number>()
      const work: Promise<unknown>[] = []
      const begin = (index: number): void => {
        if (busy.has(index)) return
        busy.add(index)
        const pass = drains[index]?.pass() ?? Promise.resolve()
        work.push(pass.finally(() => busy.delete(index)))
      }

      for (let step = 0; step < steps; step++) {
        if (step < rounds * 10 && step % 10 === 0) await storeRound(step / 10)
        const first = Math.floor(random() * drains.length)
        drains.forEach((_, index) => begin((first + index) % drains.length))
        await world.settled()
        if (step % stepsToTakeover === 0) await world.endLease()
        else world.moveTo(world.now() + Math.floor(random() * 2_000))
        if (random() < 0.5) before.release(Math.ceil(random() * 4))
        if (random() < 0.5) after.release(Math.ceil(random() * 4))
        await world.settled()
      }
      before.open()
      after.open()
      await Promise.all(work)
      for (const drain of drains) await drain.giveBack()
      await world.runUntil(world.now() + 24 * 3_600_000)

      expect(await world.counts()).toEqual({ sent: people * rounds * 2 })
      for (let person = 0; person < people; person++) expectInOrder(`p${person}@x.io`)

      function storeRound(round: number): Promise<void> {
        const messages = Array.from({ length: people }, (_, person) => [
          anIdentify(`p${person}@x.io`, { properties: { step: round * 2 } }),
          anEvent(`p${person}@x.io`, `${round * 2 + 1}`),
        ])
        return world.store(...messages.flat())
      }
      function expectInOrder(person: string): void {
        const effects = platform.effects.filter((effect) => effect.person === person)
        const numbers = effects.map(({ what }) => Number(what.replace('step ', '')))
        expect([...new Set(numbers)]).toEqual(Array.from({ length: rounds * 2 }, (_, n) => n))
        // Each event once. A profile may be saved again, but never with what an earlier send says.
        expect(numbers.filter((n) => n % 2 === 1)).toHaveLength(rounds)
        const steps = numbers.filter((n) => n % 2 === 0)
        expect(steps).toEqual([...steps].sort((a, b) => a - b))
      }
    },
  )

  it('are not taken for a reason to give sends up', async () => {
    const world = await drainWorld()
    world.platform.leave = () => new Promise(() => undefined)
    await world.store(...Array.from({ length: 60 }, (_, n) => anEvent(`p${n}@x.io`, '1')))
    world.moveTo(worldStart + 1_000)
    void world.drain.pass()
    await expect.poll(() => world.platform.effects.length).toBe(60)
    world.platform.leave = () => Promise.resolve()
    await world.endLease()
    const other = world.anotherDrain()
    await other.pass()
    world.moveTo(world.now() + 1_100)
    await other.pass()
    expect(await world.counts()).toEqual({ sent: 60 })
    expect(world.platform.effects).toHaveLength(60)
    expect((await world.rows()).every(({ attempts }) => attempts === 0)).toBe(true)
  })
})

describe('a deliverer whose lease another has', () => {
  it('makes no call for what it finds', async () => {
    const { drain, anotherDrain, shop, store, platform, counts } = await drainWorld()
    await drain.pass()
    await endLease(sqlDatabase(shop.payload))
    const other = anotherDrain()
    await other.pass()
    await store(anEvent('a@x.io', '1'))
    await expect(drain.pass()).resolves.toEqual({ didWork: true, nextAt: undefined })
    expect([platform.calls, await counts()]).toEqual([[], { queued: 1 }])

    other.wake()
    await other.pass()
    expect(await counts()).toEqual({ sent: 1 })
    expect(platform.calls).toHaveLength(1)
  })

  it('writes nothing of an answer that it reads late', async () => {
    const { drain, anotherDrain, endLease, store, platform, rows } = await drainWorld()
    let answer = (): void => undefined
    platform.leave = () => new Promise<void>((resolve) => (answer = resolve))
    await store(anEvent('a@x.io', '1'))
    const passing = drain.pass()
    await expect.poll(() => platform.effects.length).toBe(1)
    await endLease()
    platform.trouble = () => networkDown
    await anotherDrain().pass()
    const before = await rows()
    expect(before).toMatchObject([{ state: 'queued', attempts: 1, error: { code: 'NETWORK' } }])

    answer()
    await passing
    expect(await rows()).toEqual(before)
  })
})
