import { describe, expect, it } from 'vitest'
import { demoLists } from '../../../dev/klaviyo/lists.ts'
import { aListAdd, anEvent, anIdentify, aPastEvent, aSubscribe } from '../../support/messages.js'
import { simulatedStore } from '../../support/simulated-store.js'
import { anyKind } from '../../support/store.js'
import { stateOf } from '../../support/stored-sends.js'

const world = simulatedStore(anyKind)
/** `OUTAGE_HOURS=72 npx vitest run test/marketing/delivery/drain.test.ts` is days long. */
const outageHours = Number(process.env.OUTAGE_HOURS ?? 2)
/** In a short one, a process looks only now and then, as a task that is run every hour. */
const leastStepMs = outageHours < 72 ? 3_600_000 : 0
const peopleInOutage = outageHours < 72 ? 100 : 500
const second = 1_000
const hour = 3_600 * second

const calls = () => world.standIn.state.calls.map(({ name, items }) => [name, items])
const recorded = () => world.standIn.state.events.map(({ uniqueId }) => uniqueId)
const profileOf = (email: string) => world.standIn.state.profileByEmail(email)?.attributes
const states = async () => (await world.sends()).map(({ state }) => state)
const tries = async () => (await world.sends()).reduce((sum, { attempts }) => sum + attempts, 0)
const people = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@x.io`)

/** Klaviyo refuses a call that has this in its body, and points at what is wrong. */
const refuse = (marker: string, pointer: string) => {
  world.network = async (request, ask) =>
    (await request.clone().text()).includes(marker)
      ? Response.json(
          {
            errors: [
              { id: '1', status: 400, code: 'invalid', title: '', detail: '', source: { pointer } },
            ],
          },
          { status: 400 },
        )
      : ask(request)
}

describe('a drain with few sends waiting', () => {
  it('sends each at once in a call of its own', async () => {
    await world.store(anEvent('a@x.io', '1'), anEvent('b@x.io', '1'), anIdentify('c@x.io'))
    await world.pass()
    expect(
      calls()
        .map(([name]) => name)
        .sort(),
    ).toEqual(['event', 'event', 'profile'])
    expect(await world.counts()).toEqual({ sent: 3 })
  })

  it('joins what identifies say with the event of the same profile, in one call', async () => {
    await world.store(
      anIdentify('a@x.io', { firstName: 'Ann', lastName: 'Old' }),
      anEvent('a@x.io', '1', { lastName: 'New' }),
    )
    // All kinds of calls are polled at the same time; here the events come first.
    await world.pass()
    expect(calls()).toEqual([['event', 1]])
    expect(profileOf('a@x.io')).toMatchObject({ first_name: 'Ann', last_name: 'New' })
    expect(await world.counts()).toEqual({ sent: 2 })
  })

  it('adds to several lists at the pace that Klaviyo allows, although no call is full', async () => {
    await world.store(anIdentify('a@x.io'))
    await world.pass()
    await world.runUntil(world.now() + 10 * second)
    const begin = world.now()
    await world.store(...demoLists.map(({ id }) => aListAdd('a@x.io', id)))
    await world.runUntil(begin + 60 * second)
    const adding = world.standIn.state.calls.filter(({ name }) => name === 'list-members')
    expect(adding).toHaveLength(demoLists.length)
    expect(Math.max(...adding.map(({ at }) => at - begin))).toBeLessThan(2 * second)
    expect(await world.counts()).toEqual({ sent: demoLists.length + 1 })
  })

  it('says nothing of a person in the log, and never the key', async () => {
    world.standIn.faults.add({ kind: 'reset' })
    await world.store(anEvent('a@x.io', '1'))
    await world.pass()
    expect(world.log.lines()).toContainEqual(
      expect.objectContaining({
        msg: 'Klaviyo called',
        ...{ call: 'event', items: 1, milliseconds: 0, later: 1, code: 'NETWORK' },
      }),
    )
    expect(world.log.text()).not.toMatch(/a@x\.io|pk_stand_in/)
  })
})

describe('a drain with many sends waiting', () => {
  it('sends a thousand events in a call, as fast as the platform allows', async () => {
    await world.store(...people(12_000).map((email) => anEvent(email, '1')))
    // At 150 calls a minute.
    await world.runUntil(world.begin + 4.8 * second)
    expect(calls()).toEqual(Array.from({ length: 12 }, () => ['events', 1_000]))
    expect(world.standIn.state.throttled).toBe(0)
  })

  it('saves each profile alone, as fast as the platform allows: 75 a second, 700 a minute', async () => {
    world.account({ limits: { profile: { burst: 75, steady: 700 } } })
    await world.store(...people(1_000).map((email) => anIdentify(email)))
    await world.runUntil(world.begin + 11 * second)
    expect(await world.counts()).toEqual({ sent: 700, queued: 300 })
    await world.runUntil(world.begin + 66 * second)
    expect(await world.counts()).toEqual({ sent: 1_000 })
    expect(world.standIn.state.throttled).toBe(0)
    expect(new Set(calls().map(([name]) => name))).toEqual(new Set(['profile']))
  })

  it('subscribes a crowd of 5,000 whose events carry their values within two minutes', async () => {
    const [{ id: list } = { id: '' }] = demoLists
    const signUp = (email: string) => [anEvent(email, '1'), aSubscribe(email, list)]
    await world.store(...people(5_000).flatMap(signUp))
    await world.runUntil(world.begin + 120 * second)
    expect(await world.counts()).toEqual({ sent: 10_000 })
    expect(world.standIn.state.throttled).toBe(0)
  })

  it('waits a second for more sends when they fill no call', async () => {
    await world.store(...people(100).map((email) => anEvent(email, '1')))
    await expect(world.pass()).resolves.toMatchObject({ nextAt: new Date(world.begin + second) })
    await world.runUntil(world.begin + second)
    expect(calls()).toEqual([['events', 100]])
  })

  it('lets poison in batches of a thousand cost only itself', async () => {
    world.standIn.faults.add({ kind: 'poison', marker: 'poison' })
    const poison = new Set([17, 1_500, 1_501, 2_999])
    const emailOf = (n: number) => `${poison.has(n) ? 'poison' : 'p'}${n}@x.io`
    await world.store(...Array.from({ length: 3_000 }, (_, n) => anEvent(emailOf(n), '1')))
    await world.runUntil(world.begin + 300 * second)
    const failed = (await world.sends()).filter(({ state }) => state === 'failed')
    expect(failed.map(({ profile }) => profile).sort()).toEqual(
      [...poison].map((n) => `email:poison${n}@x.io`).sort(),
    )
    expect(await world.counts()).toEqual({ sent: 2_996, failed: 4 })
    expect(await tries()).toBe(0)
  })
})

describe('an event of now beside 3,000 of the past', () => {
  it('goes out at once', async () => {
    await world.store(...people(3_000).map((email, n) => aPastEvent(email, `past ${n}`)))
    await world.pass()
    // One of those who were customers then.
    await world.store(anEvent('p2999@x.io', 'of now'))
    await world.pass()
    expect(calls().at(-1)).toEqual(['event', 1])
    expect(recorded().at(-1)).toBe('of now')
    expect(await world.counts()).toMatchObject({ queued: 2_000 })

    await world.runUntil(world.begin + 10 * second)
    expect(await world.counts()).toEqual({ sent: 3_001 })
  })
})

describe('a refused event', () => {
  it('does not take down the identify that was joined with it', async () => {
    refuse('"unique_id"', '/data/attributes/value')
    await world.store(anIdentify('a@x.io', { firstName: 'Ann' }), anEvent('a@x.io', '1'))
    await world.runUntil(world.begin + 60 * second)
    expect(await states()).toEqual(['sent', 'failed'])
    expect(profileOf('a@x.io')).toMatchObject({ first_name: 'Ann' })
  })

  it('is found out alone when its profile, joined from several, may be what is refused', async () => {
    refuse('bad', '/data/attributes/profile/data/attributes/title')
    await world.store(anIdentify('a@x.io', { title: 'bad' }), anEvent('a@x.io', '1'))
    await world.runUntil(world.begin + 60 * second)
    expect(await states()).toEqual(['failed', 'sent'])
  })
})

describe('a refused profile', () => {
  it('takes down no earlier event of it that is repeated', async () => {
    const outage = world.standIn.faults.add({ kind: 'reset' })
    const others = people(30).map((email) => anEvent(email, '1'))
    await world.store(anEvent('a@x.io', '1'), anEvent('a@x.io', '2', { title: 'bad' }), ...others)
    await world.runUntil(world.begin + 2 * second)
    outage.remove()
    world.standIn.faults.add({ kind: 'poison', marker: 'bad' })
    await world.runUntil(world.begin + hour)
    expect(await states()).toEqual(['sent', 'failed', ...others.map(() => 'sent')])
  })
})

describe('a drain whose key is refused', () => {
  it('goes on at once when the merchant saves another key', async () => {
    const mended = world.account({ apiKey: 'pk_mended' })
    await world.save({ privateApiKey: 'pk_refused' })
    await world.store(anEvent('a@x.io', '1'))
    await world.pass()
    expect(await world.counts()).toEqual({ queued: 1 })
    await world.save({ privateApiKey: 'pk_mended' })
    await world.pass()
    expect(await world.counts()).toEqual({ sent: 1 })
    expect(mended.state.events).toHaveLength(1)
  })

  it('lets sends wait, and says so, while there is none', async () => {
    const { privateApiKey } = await world.parts.marketingSettings.get()
    await world.save({ privateApiKey: '' })
    await world.store(anEvent('a@x.io', '1'))
    await world.runUntil(world.begin + 6 * 24 * hour)
    expect([calls(), await world.counts()]).toEqual([[], { queued: 1 }])
    await expect(world.parts.klaviyoSessions.status()).resolves.toMatchObject({
      keyProblem: 'missing',
    })

    await world.save({ privateApiKey })
    await world.runUntil(world.now() + 10 * second)
    expect(await world.counts()).toEqual({ sent: 1 })
  })
})

describe('a drain that is asked to wait', () => {
  it.each([
    { name: 'event', count: 2 },
    { name: 'events', count: 60 },
  ] as const)(
    'calls nobody again before Retry-After, and counts no try for a 429 ($name)',
    async ({ name, count }) => {
      world.standIn.faults.add({ kind: 'throttle', seconds: 40, calls: [name], times: 1 })
      await world.store(...people(count).map((email) => anEvent(email, '1')))
      await world.runUntil(world.begin + 2 * second)
      await world.store(...people(count).map((email) => anEvent(email, '2')))
      await world.runUntil(world.begin + 90 * second)
      expect(await world.counts()).toEqual({ sent: 2 * count })
      expect(await tries()).toBe(0)
      const [first, ...later] = world.standIn.state.calls.filter(
        (call) => call.name === name && call.status !== 202,
      )
      expect([first?.status, later]).toEqual([429, []])
      const behind = world.standIn.state.calls.filter(
        (call) => call.name === name && call.at > (first?.at ?? Infinity),
      )
      expect(Math.min(...behind.map(({ at }) => at))).toBeGreaterThanOrEqual(
        (first?.at ?? Infinity) + 40 * second,
      )
    },
  )

  it('takes Retry-After as a floor for the next try of a send', async () => {
    world.network = () =>
      Promise.resolve(new Response('{}', { status: 503, headers: { 'retry-after': '500' } }))
    await world.store(anEvent('a@x.io', '1'))
    await world.pass()
    expect(await world.sends()).toMatchObject([{ attempts: 1, dueAt: world.begin + 500 * second }])
  })
})

describe(`an outage of ${outageHours} hours`, () => {
  const longRun = { timeout: 480_000 }

  it(
    'loses nothing: everything is delivered within a minute of its end, in order, nothing twice',
    longRun,
    async () => {
      const outage = world.standIn.faults.add({ kind: 'reset' })
      for (let round = 0; round < 4; round++) {
        await world.store(...people(peopleInOutage).map((email) => anEvent(email, `${round}`)))
        await world.runUntil(world.begin + (round / 4) * outageHours * hour)
      }
      await world.runUntil(world.begin + outageHours * hour)
      const sends = peopleInOutage * 4
      expect(await world.counts()).toEqual({ queued: sends })
      // One item looks whether the platform is back; the others spend no tries on it.
      expect(await tries()).toBeLessThan(sends * 6)

      outage.remove()
      await world.runUntil(world.now() + 60 * second)
      expect(await world.counts()).toEqual({ sent: sends })
      const { events } = world.standIn.state
      expect(events).toHaveLength(sends)
      expect(events.every(({ arrivals }) => arrivals === 1)).toBe(true)
      for (const profile of new Set(events.map((event) => event.profile))) {
        const ofPerson = events.filter((event) => event.profile === profile)
        expect(ofPerson.map(({ uniqueId }) => uniqueId)).toEqual(['0', '1', '2', '3'])
      }
    },
  )

  it('gives a send up only after four days and many tries, with the reason', longRun, async () => {
    world.standIn.faults.add({ kind: 'reset' })
    await world.store(anEvent('a@x.io', '1'))
    await world.runUntil(world.begin + 4 * 24 * hour - 1, leastStepMs)
    expect(await world.counts()).toEqual({ queued: 1 })
    await world.runUntil(world.begin + 8 * 24 * hour, leastStepMs)
    const [send] = await world.sends()
    expect(send).toMatchObject({ state: 'failed', error: { code: 'NETWORK' } })
    expect(send?.attempts).toBeGreaterThanOrEqual(13)
  })
})

describe('a list add', () => {
  it('is skipped, and makes no profile, when the platform has none', async () => {
    await world.store(anIdentify('known@x.io'))
    await world.pass()
    world.move(hour)
    await world.store(
      { kind: 'list-add', profile: { email: 'nobody@x.io' }, list: 'WELCOME' },
      { kind: 'list-add', profile: { email: 'Known@x.io' }, list: 'WELCOME' },
    )
    await world.runUntil(world.now() + 10 * second)
    expect((await world.sends()).map(stateOf)).toEqual([
      'sent',
      'sent',
      'skipped PROFILE_NOT_FOUND',
    ])
    const { lists, profiles } = world.standIn.state
    expect([...(lists.get('WELCOME')?.members.keys() ?? [])]).toEqual([...profiles.keys()])
    expect(profiles.size).toBe(1)
  })
})
