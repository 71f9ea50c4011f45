import { describe, expect, it } from 'vitest'
import { anEvent, anIdentify, aSubscribe } from '../../support/messages.js'
import { drainWorlds, type DrainWorld } from './drain-world.js'

const drainWorld = drainWorlds()
const second = 1_000
const never = () => new Promise<void>(() => undefined)

const step = (number: number) => ({ properties: { step: number } })

/** The process is lost while it waits for answers; resolves to the drain of the next one. */
async function loseProcess(world: DrainWorld, hold: 'arrive' | 'leave') {
  const { platform, drain, anotherDrain, endLease } = world
  let held = 0
  platform[hold] = () => {
    held += 1
    return never()
  }
  void drain.pass()
  await expect.poll(() => held).toBeGreaterThan(0)
  await endLease()
  platform[hold] = () => Promise.resolve()
  return anotherDrain()
}

describe('what is repeated after a process was lost', () => {
  it('as an event carries the newest values that its profile may have got', async () => {
    const world = await drainWorld()
    const { store, platform, moveTo, now, counts } = world
    const others = Array.from({ length: 30 }, (_, n) => anEvent(`p${n}@x.io`, '1'))
    await store(anEvent('a@x.io', '1', step(1)), anEvent('a@x.io', '2', step(2)), ...others)
    moveTo(now() + second)
    const next = await loseProcess(world, 'leave')
    const doneByThen = platform.effects.length
    await next.pass()
    moveTo(now() + second)
    await next.pass()
    expect(await counts()).toEqual({ sent: 32 })
    const repeated = platform.effects.slice(doneByThen).filter(({ person }) => person === 'a@x.io')
    expect(repeated.map(({ what }) => what)).toEqual(['step 2', 'step 2'])
  })

  it('as an event says nothing that comes later and was in no call', async () => {
    const world = await drainWorld()
    const { store, platform, counts } = world
    await store(anEvent('a@x.io', '1', step(1)))
    const next = await loseProcess(world, 'leave')
    await store(anEvent('a@x.io', '2', step(2)), anIdentify('a@x.io', step(3)))
    await next.pass()
    expect(await counts()).toEqual({ sent: 3 })
    const done = platform.effects.map(({ what }) => what)
    expect(done).toEqual(['step 1', '1', 'step 1', 'step 2', '2', 'step 3'])
  })

  it.each([
    { was: 'took effect', hold: 'leave', calls: ['find-subscribed'] },
    {
      was: 'never arrived',
      hold: 'arrive',
      calls: ['find-subscribed', 'subscribe'],
    },
  ] as const)(
    'as a subscription is looked up before it is said again: its call $was',
    async ({ hold, calls }) => {
      const world = await drainWorld()
      const { store, platform, counts } = world
      await store(aSubscribe('a@x.io'))
      const next = await loseProcess(world, hold)
      await next.pass()
      expect(platform.calls.map(({ name }) => name)).toEqual(calls)
      expect(await counts()).toEqual({ sent: 1 })
      expect([...(platform.members.get('NEWS') ?? [])]).toEqual(['a@x.io'])
    },
  )
})
