import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { demoLists } from '../../dev/klaviyo/lists.ts'
import { demoApiKey } from '../../dev/klaviyo/stand-in.ts'
import { aListAdd, anEvent, anIdentify, aSubscribe } from '../support/messages.js'
import { anyKind } from '../support/store.js'
import { openOutboxStore, type OutboxStore } from './outbox/outbox-store.js'
import { countByState, readSends } from './proof/stored-sends.js'
import { platformWorld, worldStart, type PlatformWorld } from './platform-world.js'

const second = 1_000
const minute = 60 * second
const hour = 3_600 * second
const list = demoLists[0]?.id ?? ''

let store: OutboxStore
beforeAll(async () => {
  store = await openOutboxStore(anyKind)
})
beforeEach(() => store.clear())
afterAll(() => store.close())

describe('A pause of the calls', () => {
  let world: PlatformWorld
  beforeEach(() => {
    world = platformWorld(store)
  })

  const states = async () => countByState(await readSends(store))

  it('is over for a process that was started with another key', async () => {
    world.settings.privateApiKey = 'pk_refused'
    await world.store(anEvent('anna@example.com', 'visit'))
    await world.drain.pass()
    expect((await world.drain.status()).pauses.length).toBeGreaterThan(1)

    world.settings.privateApiKey = demoApiKey
    const restarted = world.anotherDrain()
    expect((await restarted.status()).pauses).toEqual([])
    await restarted.pass()
    expect(await states()).toEqual({ sent: 1 })
  })

  it('is listed for no call once the platform takes the same key again', async () => {
    const fault = world.standIn.faults.add({ kind: 'wrong-key' })
    await world.store(anEvent('anna@example.com', 'visit'))
    await world.drain.pass()
    const paused = (await world.drain.status()).pauses.map(({ call }) => call)
    expect(paused).toContain('subscribe')
    expect(paused).not.toContain('account')

    fault.remove()
    await world.runUntil(worldStart + 70 * second)
    expect(await states()).toEqual({ sent: 1 })
    expect((await world.drain.status()).pauses).toEqual([])
  })

  it('for a scope that is missing stays when another call is answered', async () => {
    world.standIn.faults.add({ kind: 'forbidden', calls: ['profile'] })
    await world.store(
      anIdentify('anna@example.com', { firstName: 'Anna' }),
      anEvent('berta@example.com', 'visit'),
    )
    await world.runUntil(worldStart + 10 * second)
    expect((await world.drain.status()).pauses).toMatchObject([
      { call: 'profile', reason: 'misconfigured' },
    ])
  })

  it.each([
    { of: 'a limit', fault: { kind: 'throttle', seconds: 3_000 } as const },
    { of: 'an outage', fault: { kind: 'error', status: 503 } as const },
  ])('for $of is over with another key', async ({ fault }) => {
    const struck = world.standIn.faults.add(fault)
    await world.store(anEvent('anna@example.com', 'visit'))
    await world.runUntil(worldStart + 30 * second)
    const { pauses } = await world.drain.status()
    expect(pauses).not.toEqual([])

    struck.remove()
    world.settings.privateApiKey = 'pk_another'
    expect((await world.anotherDrain().status()).pauses).toEqual([])
  })

  it.each([
    { of: 'a refused key', fault: { kind: 'wrong-key' } as const },
    { of: 'a missing scope', fault: { kind: 'forbidden' } as const },
    { of: 'a redirect', fault: { kind: 'redirect' } as const },
  ])('for $of ends soon after its cause, and costs few calls until then', async ({ fault }) => {
    const struck = world.standIn.faults.add(fault)
    const people = Array.from({ length: 60 }, (_, n) => anEvent(`p${n}@example.com`, 'visit'))
    await world.store(...people)
    // Just behind a probe.
    await world.runUntil(worldStart + 10 * minute + 2 * second)
    const { calls } = world.standIn.state
    expect(calls.length).toBeLessThan(60)
    expect(calls.slice(5).every(({ items }) => items <= 1)).toBe(true)

    struck.remove()
    await world.runUntil(world.now() + 15 * second)
    expect(await states()).toEqual({ sent: 60 })
  })

  it('never lasts longer than an hour, whatever Retry-After says', async () => {
    world.standIn.faults.add({ kind: 'throttle', seconds: 999_999_999, times: 1 })
    await world.store(anEvent('anna@example.com', 'visit'))
    await world.runUntil(worldStart + 2 * hour)
    expect(await states()).toEqual({ sent: 1 })
  })

  it('is not ended by a send that is refused without a call', async () => {
    const fault = world.standIn.faults.add({ kind: 'error', status: 503, calls: ['subscribe'] })
    await world.store(aSubscribe('anna@example.com', list))
    const pause = async () => (await world.drain.status()).pauses[0]
    while ((await pause()) === undefined) await world.runUntil(world.now() + 100)
    expect(await pause()).toMatchObject({ call: 'subscribe', reason: 'outage' })

    await world.store(aSubscribe('dora@example.com', '..'))
    await world.runUntil((await pause())?.until.getTime() ?? 0)
    expect(await states()).toEqual({ queued: 1, failed: 1 })
    expect(await pause()).toMatchObject({ call: 'subscribe', reason: 'outage' })

    fault.remove()
    await world.runUntil(worldStart + 60 * second)
    expect(await states()).toEqual({ sent: 1, failed: 1 })
    expect((await world.drain.status()).pauses).toEqual([])
  })

  it('keeps nothing of the key in the database but a short mark', async () => {
    world.settings.privateApiKey = 'pk_refused'
    await world.store(anEvent('anna@example.com', 'visit'))
    await world.drain.pass()
    const { docs } = await store.payload.find({ collection: 'marketing-lease', pagination: false })
    expect(JSON.stringify(docs)).toContain('misconfigured')
    expect(JSON.stringify(docs)).not.toContain('pk_refused')
  })
})

describe('A minute whose calls others have used up', () => {
  it('is waited for until the platform says that it ends', async () => {
    const world = platformWorld(store, 1, { limits: { subscribe: { burst: 100, steady: 100 } } })
    /** A call of another who has the key: how many are left then, and how many seconds. */
    const callOfAnother = async () => {
      const headers = { authorization: `Klaviyo-API-Key ${demoApiKey}` }
      const url = 'https://platform.example/api/profile-subscription-bulk-create-jobs'
      const { headers: told } = await world.standIn.handle(
        new Request(url, { method: 'POST', headers }),
      )
      return {
        left: Number(told.get('ratelimit-remaining')),
        seconds: Number(told.get('ratelimit-reset')),
      }
    }
    let told = await callOfAnother()
    while (told.seconds > 4) {
      await world.runUntil(world.now() + second)
      told = await callOfAnother()
    }
    while (told.left > 1) told = await callOfAnother()

    await world.store(aSubscribe('anna@example.com', list))
    await world.drain.pass()
    await world.store(aSubscribe('berta@example.com', list))
    await world.runUntil(world.now() + (told.seconds + 2) * second)
    expect(countByState(await readSends(store))).toEqual({ sent: 2 })
    expect(world.standIn.state.throttled).toBe(0)
  })
})

describe('Another account', () => {
  it.each([{ restarts: false }, { restarts: true }])(
    'gets no profile that only the former one knew (restarts: $restarts)',
    async ({ restarts }) => {
      const world = platformWorld(store)
      const known = world.anotherAccount('pk_another')
      await world.store(anIdentify('anna@example.com', { firstName: 'Anna' }))
      await world.drain.pass()
      expect(countByState(await readSends(store))).toEqual({ sent: 1 })
      await world.store(aListAdd('anna@example.com', list))
      world.settings.privateApiKey = 'pk_another'
      await (restarts ? world.anotherDrain() : world.drain).pass()
      expect(known.state.calls.map(({ name }) => name)).toEqual(['find-profiles'])
      expect(known.state.profiles.size).toBe(0)
      expect(countByState(await readSends(store))).toEqual({ sent: 1, skipped: 1 })
    },
  )

  it.each([{ stored: 'together' }, { stored: 'one after the other' }])(
    'gets none for what waited for the former one either (stored: $stored)',
    async ({ stored }) => {
      const world = platformWorld(store)
      const known = world.anotherAccount('pk_another')
      world.standIn.faults.add({ kind: 'throttle', seconds: 20, calls: ['profiles'] })
      const identify = anIdentify('anna@example.com', { firstName: 'Anna' })
      const listAdd = aListAdd('anna@example.com', list)
      if (stored === 'together') await world.store(identify, listAdd)
      else {
        await world.store(identify)
        await world.drain.pass()
        await world.store(listAdd)
      }
      await world.runUntil(world.now() + second)
      expect(world.standIn.state.calls.map(({ name }) => name)).toEqual(['profile', 'profiles'])

      world.settings.privateApiKey = 'pk_another'
      await world.runUntil(world.now() + 60 * second)
      expect(known.state.calls.map(({ name }) => name)).toEqual(['find-profiles'])
      expect(known.state.profiles.size).toBe(0)
      expect(countByState(await readSends(store))).toEqual({ sent: 1, skipped: 1 })
    },
  )
})
