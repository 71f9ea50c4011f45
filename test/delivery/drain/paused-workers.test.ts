import { describe, expect, it } from 'vitest'
import { anEvent, anIdentify, drainWorld, seeded, worldStart } from './drain-world.js'

const people = 40
const rounds = 6

/** Holds some of what passes until it is let go. */
function gate(random: () => number, share: number) {
  const held: (() => void)[] = []
  let isOpen = false
  return {
    pass: () =>
      isOpen || random() > share
        ? Promise.resolve()
        : new Promise<void>((resolve) => void held.push(resolve)),
    letGo: (count: number) => held.splice(0, count).forEach((resolve) => resolve()),
    open() {
      isOpen = true
      held.splice(0).forEach((resolve) => resolve())
    },
  }
}

const settled = () => new Promise<void>((resolve) => void setImmediate(resolve))

describe('four workers that are paused past their leases', () => {
  it.each([1, 2, 3, 4, 5])(
    'send nothing twice and nothing out of order (seed %i)',
    async (seed) => {
      const random = seeded(seed)
      const world = drainWorld({ seed })
      const { platform, outbox } = world
      // A worker may be paused before the platform sees its call, or before it reads the answer.
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

      for (let step = 0; step < 250; step++) {
        if (step < rounds * 10 && step % 10 === 0) await storeRound(step / 10)
        drains.forEach((_, index) => begin(index))
        await settled()
        world.moveTo(world.now() + Math.floor(random() * 3_000))
        if (random() < 0.5) before.letGo(Math.ceil(random() * 4))
        if (random() < 0.5) after.letGo(Math.ceil(random() * 4))
        await settled()
      }
      before.open()
      after.open()
      await Promise.all(work)
      await world.runUntil(world.now() + 24 * 3_600_000)

      expect(outbox.counts()).toEqual({ sent: people * rounds * 2 })
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
    const world = drainWorld()
    world.platform.leave = () => new Promise(() => undefined)
    await world.store(...Array.from({ length: 60 }, (_, n) => anEvent(`p${n}@x.io`, '1')))
    world.moveTo(worldStart + 1_000)
    void world.drain.pass()
    await settled()
    world.platform.leave = () => Promise.resolve()
    world.moveTo(worldStart + 8_100)
    const other = world.anotherDrain()
    await other.pass()
    world.moveTo(worldStart + 9_200)
    await other.pass()
    expect(world.outbox.counts()).toEqual({ sent: 60 })
    expect(world.platform.effects).toHaveLength(60)
    expect(world.outbox.rows.every(({ attempts }) => attempts === 0)).toBe(true)
  })
})
