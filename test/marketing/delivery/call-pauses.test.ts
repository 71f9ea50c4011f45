import { describe, expect, it } from 'vitest'
import { demoLists } from '../../../dev/klaviyo/lists.ts'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import { aListAdd, anEvent, anIdentify, aPastEvent, aSubscribe } from '../../support/messages.js'
import { simulatedStore } from '../../support/simulated-store.js'
import { anyKind } from '../../support/store.js'

const second = 1_000
const minute = 60 * second
const hour = 3_600 * second
const list = demoLists[0]?.id ?? ''

const world = simulatedStore(anyKind)
const pauses = async () => (await world.parts.klaviyoSessions.status()).pauses

/** A process that takes over: the one before has ended. */
async function anotherProcess() {
  await world.parts.deliverer.giveBack()
  return world.join()
}

describe('A pause of the calls', () => {
  it('is over for a process that was started with another key', async () => {
    await world.save({ privateApiKey: 'pk_refused' })
    await world.store(anEvent('anna@example.com', 'visit'))
    await world.pass()
    expect((await pauses()).length).toBeGreaterThan(1)

    await world.save({ privateApiKey: demoApiKey })
    const restarted = await anotherProcess()
    expect((await restarted.parts.klaviyoSessions.status()).pauses).toEqual([])
    await world.pass(restarted)
    expect(await world.counts()).toEqual({ sent: 1 })
  })

  it('is listed for no call once the platform takes the same key again', async () => {
    const fault = world.standIn.faults.add({ kind: 'wrong-key' })
    await world.store(anEvent('anna@example.com', 'visit'))
    await world.pass()
    const paused = (await pauses()).map(({ call }) => call)
    expect(paused).toContain('subscribe')
    expect(paused).not.toContain('account')

    fault.remove()
    await world.runUntil(world.begin + 70 * second)
    expect(await world.counts()).toEqual({ sent: 1 })
    expect(await pauses()).toEqual([])
  })

  it('for a scope that is missing stays, and stops no other kind', async () => {
    await world.store(anIdentify('dora@example.com'))
    await world.pass()
    const fault = world.standIn.faults.add({ kind: 'forbidden', calls: ['subscribe'] })
    await world.store(
      aSubscribe('anna@example.com', list),
      anEvent('berta@example.com', '1'),
      anIdentify('carla@example.com'),
      aListAdd('dora@example.com', list),
      aPastEvent('emma@example.com', '1'),
    )
    await world.runUntil(world.begin + 10 * second)
    expect(await pauses()).toMatchObject([{ call: 'subscribe', reason: 'scope' }])
    const waiting = (await world.sends()).filter(({ state }) => state === 'queued')
    expect(waiting).toMatchObject([{ kind: 'subscribe', attempts: 0 }])
    expect(await world.counts()).toEqual({ queued: 1, sent: 5 })

    fault.remove()
    await world.runUntil(world.begin + hour + 10 * second)
    expect(await world.counts()).toEqual({ sent: 6 })
  })

  it.each([
    { of: 'a limit', fault: { kind: 'throttle', seconds: 3_000 } as const },
    { of: 'an outage', fault: { kind: 'error', status: 503 } as const },
  ])('for $of is over with another key', async ({ fault }) => {
    const struck = world.standIn.faults.add(fault)
    await world.store(anEvent('anna@example.com', 'visit'))
    await world.runUntil(world.begin + 30 * second)
    expect(await pauses()).not.toEqual([])

    struck.remove()
    await world.save({ privateApiKey: 'pk_another' })
    const another = await anotherProcess()
    expect((await another.parts.klaviyoSessions.status()).pauses).toEqual([])
  })

  it.each([
    { of: 'a refused key', fault: { kind: 'wrong-key' } as const },
    { of: 'a redirect', fault: { kind: 'redirect' } as const },
  ])('for $of ends soon after its cause, and costs few calls until then', async ({ fault }) => {
    const struck = world.standIn.faults.add(fault)
    const people = Array.from({ length: 60 }, (_, n) => anEvent(`p${n}@example.com`, 'visit'))
    await world.store(...people)
    // Just behind a probe.
    await world.runUntil(world.begin + 10 * minute + 2 * second)
    const { calls } = world.standIn.state
    expect(calls.length).toBeLessThan(60)
    expect(calls.slice(5).every(({ items }) => items <= 1)).toBe(true)
    expect((await world.sends()).every(({ attempts }) => attempts === 0)).toBe(true)
    const warned = world.log.lines().filter(({ level, reason }) => level === 40 && reason)
    expect(warned).not.toEqual([])

    struck.remove()
    await world.runUntil(world.now() + 15 * second)
    expect(await world.counts()).toEqual({ sent: 60 })
  })

  it('never lasts longer than an hour, whatever Retry-After says', async () => {
    world.standIn.faults.add({ kind: 'throttle', seconds: 999_999_999, times: 1 })
    await world.store(anEvent('anna@example.com', 'visit'))
    await world.runUntil(world.begin + 2 * hour)
    expect(await world.counts()).toEqual({ sent: 1 })
  })

  it.each([undefined, 'soon'])(
    'begins at a second and doubles when Retry-After is %s',
    async (after) => {
      world.network = async (request, ask) => {
        const answer = await ask(request)
        if (answer.status === 429) answer.headers.delete('retry-after')
        if (answer.status === 429 && after) answer.headers.set('retry-after', after)
        return answer
      }
      world.standIn.faults.add({ kind: 'throttle', times: 5, calls: ['subscribe'] })
      await world.store(aSubscribe('anna@example.com', list))
      await world.runUntil(world.begin + minute)
      const calls = world.standIn.state.calls.map(({ at }) => at)
      const waits = calls
        .slice(1)
        .map((at, place) => Math.round((at - (calls[place] ?? 0)) / second))
      expect(waits).toEqual([1, 2, 4, 8, 16])
      expect(await world.counts()).toEqual({ sent: 1 })
    },
  )

  it('is not ended by a send that is refused without a call', async () => {
    const fault = world.standIn.faults.add({ kind: 'error', status: 503, calls: ['subscribe'] })
    await world.store(aSubscribe('anna@example.com', list))
    const pause = async () => (await pauses())[0]
    while ((await pause()) === undefined) await world.runUntil(world.now() + 100)
    expect(await pause()).toMatchObject({ call: 'subscribe', reason: 'outage' })

    await world.store(aSubscribe('dora@example.com', '..'))
    await world.runUntil((await pause())?.until.getTime() ?? 0)
    expect(await world.counts()).toEqual({ queued: 1, failed: 1 })
    expect(await pause()).toMatchObject({ call: 'subscribe', reason: 'outage' })

    fault.remove()
    await world.runUntil(world.begin + 60 * second)
    expect(await world.counts()).toEqual({ sent: 1, failed: 1 })
    expect(await pauses()).toEqual([])
  })

  it('keeps nothing of the key in the database but a short mark', async () => {
    await world.save({ privateApiKey: 'pk_refused' })
    await world.store(anEvent('anna@example.com', 'visit'))
    await world.pass()
    const { docs } = await world.payload.find({ collection: 'marketing-lease', pagination: false })
    expect(JSON.stringify(docs)).toContain('misconfigured')
    expect(JSON.stringify(docs)).not.toContain('pk_refused')
  })
})

describe('An outage after which the platform first asks to wait', () => {
  it('is over for a send that was tried often, too', async () => {
    const outage = world.standIn.faults.add({ kind: 'reset' })
    await world.store(anEvent('anna@example.com', '1'))
    await world.runUntil(world.begin + 30 * minute)
    expect(await world.counts()).toEqual({ queued: 1 })
    outage.remove()
    world.standIn.faults.add({ kind: 'throttle', seconds: 5, times: 1 })
    await world.runUntil(world.now() + minute)
    expect(await world.counts()).toEqual({ sent: 1 })
  })
})

describe('An outage', () => {
  it.each([
    { what: 'a subscription', message: aSubscribe('anna@example.com', list) },
    { what: 'a list add', message: aListAdd('anna@example.com', list) },
  ])('is over for $what, before which Klaviyo is asked', async ({ message }) => {
    await world.store(anIdentify('anna@example.com'))
    await world.runUntil(world.begin + hour)
    const outage = world.standIn.faults.add({ kind: 'error', status: 503 })
    await world.store(message)
    await world.runUntil(world.now() + 3 * hour, minute)
    expect(await world.counts()).toEqual({ sent: 1, queued: 1 })
    outage.remove()
    await world.runUntil(world.now() + minute)
    expect(await world.counts()).toEqual({ sent: 2 })
  })

  it('keeps no identify waiting that was in the calls of the event behind it', async () => {
    const outage = world.standIn.faults.add({ kind: 'error', status: 503 })
    const others = ['berta@example.com', 'carla@example.com']
    await world.store(
      anIdentify('anna@example.com'),
      anEvent('anna@example.com', 'visit'),
      ...others.map((email) => anEvent(email, 'visit')),
    )
    let waitsUntil = world.now()
    while (waitsUntil < world.now() + 5 * minute) {
      await world.runUntil(world.now() + second)
      waitsUntil = (await world.sends())[0]?.dueAt ?? 0
    }
    expect(world.standIn.state.calls.map(({ name }) => name)).not.toContain('profile')
    outage.remove()
    // One of the others ends the outage.
    await world.runUntil(world.now() + minute)
    expect(await world.counts()).toEqual({ sent: 4 })
  })
})

describe('A kind without a permit for any call', () => {
  /** No event may go out for so many seconds, and one waits. */
  const pauseEvents = async (seconds: number) => {
    const calls = ['event', 'events'] as const
    const fault = world.standIn.faults.add({ kind: 'throttle', seconds, calls })
    // The first call for one, the first for many, and one that finds no permit.
    for (const email of ['anna@example.com', 'berta@example.com', 'carla@example.com']) {
      await world.store(anEvent(email, '1'))
      await world.pass()
    }
    expect(world.standIn.state.calls.map(({ name }) => name)).toEqual(calls)
    return fault
  }

  it('is looked at again when there is one, however often it is woken', async () => {
    await pauseEvents(60)
    for (let wake = 0; wake < 100; wake++) {
      world.move(10)
      world.parts.deliverer.wake()
      const nextAt = new Date(world.begin + minute)
      expect(await world.pass()).toEqual({ didWork: false, nextAt })
    }
    expect(world.standIn.state.calls).toHaveLength(2)
  })

  it('goes on in the moment in which there is one', async () => {
    const fault = await pauseEvents(5)
    fault.remove()
    world.move(5 * second - 1)
    await world.pass()
    expect(world.standIn.state.calls).toHaveLength(2)
    world.move(1)
    await world.pass()
    expect(await world.counts()).toEqual({ sent: 3 })
  })
})

describe('A minute whose calls others have used up', () => {
  it('is waited for until the platform says that it ends', async () => {
    world.account({ limits: { subscribe: { burst: 100, steady: 100 } } })
    /** A call of another who has the key: how many are left then, and how many seconds. */
    const callOfAnother = async () => {
      const headers = { authorization: `Klaviyo-API-Key ${demoApiKey}` }
      const url = 'https://klaviyo.example/api/profile-subscription-bulk-create-jobs'
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
    await world.pass()
    await world.store(aSubscribe('berta@example.com', list))
    await world.runUntil(world.now() + (told.seconds + 2) * second)
    expect(await world.counts()).toEqual({ sent: 2 })
    expect(world.standIn.state.throttled).toBe(0)
  })
})

describe('Another account', () => {
  it.each([{ restarts: false }, { restarts: true }])(
    'gets no profile that only the former one knew (restarts: $restarts)',
    async ({ restarts }) => {
      const known = world.account({ apiKey: 'pk_another' })
      await world.store(anIdentify('anna@example.com', { firstName: 'Anna' }))
      await world.pass()
      expect(await world.counts()).toEqual({ sent: 1 })
      await world.store(aListAdd('anna@example.com', list))
      await world.save({ privateApiKey: 'pk_another' })
      const process = restarts ? await anotherProcess() : world
      for (let minute = 0; minute <= 5; minute++) {
        await world.pass(process)
        world.move(60 * second)
      }
      await world.pass(process)
      expect(new Set(known.state.calls.map(({ name }) => name))).toEqual(new Set(['find-profiles']))
      expect(known.state.profiles.size).toBe(0)
      expect(await world.counts()).toEqual({ sent: 1, skipped: 1 })
    },
  )

  it.each([{ stored: 'together' }, { stored: 'one after the other' }])(
    'gets none for what waited for the former one either (stored: $stored)',
    async ({ stored }) => {
      const known = world.account({ apiKey: 'pk_another' })
      world.standIn.faults.add({ kind: 'throttle', seconds: 20, calls: ['find-profiles'] })
      const identify = anIdentify('anna@example.com', { firstName: 'Anna' })
      const listAdd = aListAdd('anna@example.com', list)
      if (stored === 'together') await world.store(identify, listAdd)
      else {
        await world.store(identify)
        await world.pass()
        await world.store(listAdd)
      }
      await world.runUntil(world.now() + second)
      expect(world.standIn.state.calls.map(({ name }) => name)).toEqual([
        'profile',
        'find-profiles',
      ])

      await world.save({ privateApiKey: 'pk_another' })
      await world.runUntil(world.now() + 360 * second)
      expect(new Set(known.state.calls.map(({ name }) => name))).toEqual(new Set(['find-profiles']))
      expect(known.state.profiles.size).toBe(0)
      expect(await world.counts()).toEqual({ sent: 1, skipped: 1 })
    },
  )
})
