import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { demoLists } from '../../dev/klaviyo/lists.ts'
import { demoApiKey } from '../../dev/klaviyo/stand-in.ts'
import { anEvent, anIdentify, aSubscribe } from '../support/messages.js'
import { databaseKinds, openStore, type TestStore } from '../support/store.js'
import { countByState, readSends } from './proof/stored-sends.js'
import { platformWorld, worldStart, type PlatformWorld } from './proof/platform-world.js'

const second = 1_000
const hour = 3_600 * second
const list = demoLists[0]?.id ?? ''

describe.each(databaseKinds)('A pause of the calls (%s)', (kind) => {
  let store: TestStore
  let world: PlatformWorld

  beforeEach(async () => {
    store = await openStore(kind)
    world = platformWorld(store)
  })
  afterEach(() => store.close())

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
