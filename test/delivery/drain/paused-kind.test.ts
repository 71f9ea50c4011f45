import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../src/klaviyo/platform.js'
import { anEvent, anIdentify, aPastEvent, aSubscribe } from '../../support/messages.js'
import { drainWorlds, worldStart, type DrainWorld } from './drain-world.js'
import { networkDown } from './model-platform.js'

const drainWorld = drainWorlds()
const second = 1_000

const waitFor = (afterSeconds: number): Outcome => ({
  is: 'later',
  error: { code: 'throttled', detail: 'Wait.', status: 429 },
  afterSeconds,
  costsAttempt: false,
})

/** A world in which no event may go out for so many seconds, and one waits. */
async function pausedWorld(seconds: number): Promise<DrainWorld> {
  const world = await drainWorld()
  world.platform.trouble = ({ name }) =>
    name === 'event' || name === 'events' ? waitFor(seconds) : undefined
  // The first call for one, the first for many, and one that finds no permit.
  for (const email of ['anna@x.io', 'berta@x.io', 'carla@x.io']) {
    await world.store(anEvent(email, '1'))
    await world.drain.pass()
  }
  expect(world.platform.calls.map(({ name }) => name)).toEqual(['event', 'events'])
  return world
}

describe('a kind without a permit for any call', () => {
  it('is looked at again when there is one, however often it is woken', async () => {
    const { drain, moveTo, now, platform } = await pausedWorld(60)
    for (let wake = 0; wake < 100; wake++) {
      moveTo(now() + 10)
      drain.wake()
      expect(await drain.pass()).toEqual({
        didWork: false,
        nextAt: new Date(worldStart + 60 * second),
      })
    }
    expect(platform.calls).toHaveLength(2)
  })

  it('goes on in the moment in which there is one', async () => {
    const { drain, moveTo, platform, counts } = await pausedWorld(5)
    platform.trouble = () => undefined
    moveTo(worldStart + 5 * second - 1)
    await drain.pass()
    expect(platform.calls).toHaveLength(2)
    moveTo(worldStart + 5 * second)
    await drain.pass()
    expect(await counts()).toEqual({ sent: 3 })
  })

  it('stops no other kind', async () => {
    const { store, drain, counts } = await pausedWorld(60)
    await store(anIdentify('dora@x.io'), aSubscribe('emma@x.io'))
    await drain.pass()
    expect(await counts()).toEqual({ queued: 3, sent: 2 })
  })
})

describe.each(['event', 'events'] as const)('after a 429 with Retry-After: 5', (name) => {
  it(`no call "${name}" goes out before 5 seconds are over`, async () => {
    const { store, runUntil, platform, counts, rows } = await drainWorld()
    const count = name === 'event' ? 3 : 60
    const round = (of: string) =>
      store(...Array.from({ length: count }, (_, n) => anEvent(`${of}${n}@x.io`, '1')))
    let first: number | undefined
    platform.trouble = (call) =>
      call.name === name && (first ??= call.at) === call.at ? waitFor(5) : undefined
    await round('a')
    await runUntil(worldStart + 2 * second)
    await round('b')
    await runUntil(worldStart + 60 * second)

    const begin = first ?? Number.NaN
    const ofName = platform.calls.filter((call) => call.name === name && call.at > begin)
    expect(ofName.length).toBeGreaterThan(0)
    expect(ofName.filter(({ at }) => at < begin + 5 * second)).toEqual([])
    expect(await counts()).toEqual({ sent: 2 * count })
    expect((await rows()).every(({ attempts }) => attempts === 0)).toBe(true)
  })
})

describe('an outage after which the platform first asks to wait', () => {
  it('is over for a send that was tried often, too', async () => {
    const { store, runUntil, platform, counts } = await drainWorld()
    const end = worldStart + 1_800 * second
    let asked = 0
    platform.trouble = ({ at }) => {
      if (at < end) return networkDown
      return asked++ === 0 ? waitFor(5) : undefined
    }
    await store(anEvent('anna@x.io', '1'))
    await runUntil(end)
    expect(await counts()).toEqual({ queued: 1 })
    await runUntil(end + 60 * second)
    expect(await counts()).toEqual({ sent: 1 })
  })
})

describe('a call that the key has no right to', () => {
  it('is paused, and stops no other kind', async () => {
    const { store, runUntil, platform, rows, drain } = await drainWorld()
    const error = { code: 'permission_denied', detail: 'No scope.', status: 403 }
    platform.trouble = ({ name }) =>
      name === 'subscribe' ? { is: 'misconfigured', error } : undefined
    platform.profiles.set('dora@x.io', {})
    await store(
      aSubscribe('anna@x.io'),
      anEvent('berta@x.io', '1'),
      anIdentify('carla@x.io'),
      { kind: 'list-add', profile: { email: 'dora@x.io' }, list: 'NEWS' },
      aPastEvent('emma@x.io', '1'),
    )
    await runUntil(worldStart + 10 * second)
    expect((await rows()).map(({ email, state, attempts }) => [email, state, attempts])).toEqual([
      ['anna@x.io', 'queued', 0],
      ['berta@x.io', 'sent', 0],
      ['carla@x.io', 'sent', 0],
      ['dora@x.io', 'sent', 0],
      ['emma@x.io', 'sent', 0],
    ])
    expect((await drain.status()).pauses).toMatchObject([
      { call: 'subscribe', reason: 'misconfigured' },
    ])

    platform.trouble = () => undefined
    await runUntil(worldStart + 75 * second)
    expect((await rows())[0]).toMatchObject({ state: 'sent', attempts: 0 })
  })
})
