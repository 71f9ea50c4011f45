import { beforeEach, describe, expect, it } from 'vitest'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import type { Attempt } from '../../../src/marketing/delivery/attempt.js'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { apiOf, type Api } from '../../support/api-of.js'
import { endLease } from '../../support/end-lease.js'
import { anEvent } from '../../support/messages.js'
import { simulatedStore } from '../../support/simulated-store.js'
import { anyKind } from '../../support/store.js'

const second = 1_000
const hour = 3_600 * second
const ada = 'ada@example.com'

interface ShownSend {
  id: number
  profile: string
  reason: string | null
  lastAttempts: Attempt[] | null
  nextAttemptAt: string | null
}

describe('The attempts of a send', () => {
  const world = simulatedStore(anyKind)
  let api: Api
  beforeEach(() => {
    api = apiOf(world)
  })

  const shown = async (query = ''): Promise<ShownSend[]> => {
    const ask = () => api(`/marketing-sends?sort=id&limit=1000&${query}`, { as: 'admin' })
    const answer = await ask()
    if (answer.ok) return ((await answer.json()) as { docs: ShownSend[] }).docs
    // A login is over after two hours.
    api = apiOf(world)
    return ((await (await ask()).json()) as { docs: ShownSend[] }).docs
  }
  const first = async (): Promise<ShownSend> => (await shown())[0] as ShownSend
  const attempts = async (): Promise<Attempt[]> => (await first()).lastAttempts ?? []
  const requestIds = () => world.standIn.state.calls.map(({ requestId }) => requestId)
  const momentAt = (ms: number) => new Date(ms).toISOString()
  /** Goes on until the first send has so many attempts. */
  const untilTried = async (count: number) => {
    while ((await attempts()).length < count) await world.runUntil(world.now() + second)
  }

  it('say what Klaviyo answered each time, how long it took, and when the next try was', async () => {
    world.callMs = 40
    const { faults } = world.standIn
    await world.store(anEvent(ada, 'tea'))
    faults.add({ kind: 'throttle', seconds: 3, times: 1 })
    await untilTried(1)
    expect(await first()).toMatchObject({ reason: 'throttled' })
    faults.add({ kind: 'error', status: 503, times: 1 })
    await untilTried(2)
    expect(await first()).toMatchObject({ reason: 'server_error' })
    const hang = faults.add({ kind: 'hang' })
    await untilTried(3)
    expect(await first()).toMatchObject({ reason: 'timeout' })
    hang.remove()
    faults.add({ kind: 'poison', marker: 'tea', says: 'item' })
    await untilTried(4)

    const last = await attempts()
    const [throttled, failed, silent, refused] = requestIds()
    expect(last).toMatchObject([
      { at: momentAt(world.begin), meant: 'later', status: 429, code: 'throttled', ms: 40 },
      { meant: 'later', status: 503, ms: 40 },
      { meant: 'later', code: 'TIMEOUT', ms: 6_040 },
      { meant: 'refused', status: 400, code: 'invalid', ms: 40, pointer: '/data/attributes' },
    ])
    expect(last.map(({ request }) => request)).toEqual([throttled, failed, undefined, refused])
    expect(silent).toBeDefined()
    expect(last[2]).not.toHaveProperty('status')
    expect(last[3]).not.toHaveProperty('next')
    const calls = world.standIn.state.calls.map(({ at }) => momentAt(at))
    expect(last.map(({ at }) => at)).toEqual(calls)
    for (const [place, { next = '' }] of last.slice(0, 3).entries()) {
      expect(Date.parse(next)).toBeGreaterThan(Date.parse(last[place]?.at ?? ''))
    }
    expect(Date.parse(last[0]?.next ?? '')).toBeGreaterThanOrEqual(world.begin + 3 * second)
    expect(await first()).toMatchObject({ reason: 'invalid', nextAttemptAt: null })
  })

  it('have the next try that the row has', async () => {
    world.standIn.faults.add({ kind: 'error', status: 503 })
    await world.store(anEvent(ada, 'tea'))
    await untilTried(1)
    const { nextAttemptAt, lastAttempts } = await first()
    expect(lastAttempts?.at(-1)?.next).toBe(nextAttemptAt)
  })

  it('are ten at most: the eleventh drops the first', async () => {
    const fault = world.standIn.faults.add({ kind: 'error', status: 503 })
    await world.store(anEvent(ada, 'tea'))
    await untilTried(10)
    const ten = await attempts()
    fault.remove()
    await world.runUntil(world.now() + 24 * hour)
    expect(await attempts()).toEqual([
      ...ten.slice(1),
      expect.objectContaining({ meant: 'delivered', status: 202 }),
    ])
    expect(await first()).toMatchObject({ reason: null })
  })

  it('are one for each send of a call, with the id of the same request', async () => {
    await world.store(
      ...Array.from({ length: 600 }, (_, n) => anEvent(`p${n}@example.com`, `visit ${n}`)),
    )
    await world.runUntil(world.begin + hour)
    const sends = await shown()
    expect(sends).toHaveLength(600)
    const bulk = world.standIn.state.calls.filter(({ items }) => items > 1)
    expect(bulk.length).toBeGreaterThan(0)
    for (const { requestId, items } of world.standIn.state.calls) {
      const inCall = sends.filter(({ lastAttempts }) => lastAttempts?.[0]?.request === requestId)
      expect(inCall).toHaveLength(items)
    }
    for (const { lastAttempts } of sends) {
      expect(lastAttempts).toMatchObject([{ meant: 'delivered', status: 202 }])
    }
  })

  /** Ada's send has whole calls refused, and the refusals quote her. */
  const spoiledByAda = async () => {
    const detail = `${ada} and +43 664 1234567 are not taken.`
    world.network = async (request, ask) => {
      const text = await request.clone().text()
      if (!text.includes(ada)) return ask(request)
      const errors = [
        { id: '1', code: 'invalid', title: 'No.', detail, source: { pointer: '/data' } },
      ]
      return Response.json({ errors }, { status: 400, headers: { 'x-klaviyo-req-id': 'shared' } })
    }
    await world.store(
      anEvent(ada, 'bad'),
      ...Array.from({ length: 60 }, (_, n) => anEvent(`p${n}@example.com`, `visit ${n}`)),
    )
    await world.runUntil(world.begin + hour)
  }

  it('of a call that one send spoils say so for the others, and quote nothing of it', async () => {
    await spoiledByAda()
    const [bad, ...others] = await shown()
    expect(bad?.lastAttempts?.at(-1)).toMatchObject({
      meant: 'refused',
      detail: '… and … are not taken.',
    })
    expect(bad?.reason).toBe('invalid')
    const split = others
      .flatMap(({ lastAttempts }) => lastAttempts ?? [])
      .filter(({ meant }) => meant === 'split')
    expect(split.length).toBeGreaterThan(0)
    for (const attempt of split) expect(attempt).not.toHaveProperty('detail')
    expect(JSON.stringify(others.map(({ lastAttempts }) => lastAttempts))).not.toContain(ada)
    expect(others.map(({ lastAttempts }) => lastAttempts?.at(-1)?.meant)).toEqual(
      others.map(() => 'delivered'),
    )
  })

  it('leave nothing of an erased person, whose errors others had as well', async () => {
    await spoiledByAda()
    const person = { profiles: [`email:${ada}`], externalIds: [], phoneNumbers: [] }
    await world.parts.outbox.forget(sqlDatabase(world.payload), person)
    const left = await shown()
    expect(left).toHaveLength(60)
    expect(JSON.stringify(left)).not.toContain(ada)
  })

  it('include one whose process was lost before it read the answer', async () => {
    const lost = await world.join({
      effects: {
        fetch: () => new Promise<Response>(() => undefined),
        after: () => () => undefined,
      },
    })
    await world.store(anEvent(ada, 'tea'))
    await lost.parts.deliverer.take()
    await lost.parts.deliverer.poll()
    await expect.poll(async () => (await world.counts()).sending).toBe(1)
    while (!(await world.parts.deliverer.take())) await endLease(sqlDatabase(world.payload))
    await world.runUntil(world.now() + hour)
    expect(await attempts()).toMatchObject([
      { meant: 'lost', next: expect.any(String) as string },
      { meant: 'delivered', status: 202 },
    ])
    expect((await attempts())[0]).not.toHaveProperty('status')
  })

  it('of a refused key cost no attempt, and say what to mend', async () => {
    await world.save({ privateApiKey: 'pk_refused' })
    await world.store(anEvent(ada, 'tea'))
    await untilTried(1)
    expect(await first()).toMatchObject({ reason: 'unauthorized', attempts: 0 })
    expect(await attempts()).toMatchObject([{ meant: 'misconfigured', status: 401 }])
    await world.save({ privateApiKey: demoApiKey })
    await world.runUntil(world.now() + hour)
    expect((await attempts()).at(-1)).toMatchObject({ meant: 'delivered' })
  })

  it('stay when a failed send is sent again, and are found by its reason until then', async () => {
    const fault = world.standIn.faults.add({ kind: 'poison', marker: 'tea', says: 'item' })
    await world.store(anEvent(ada, 'tea'), anEvent('bob@example.com', 'cup'))
    await world.runUntil(world.begin + hour)
    const [failed] = await shown('where[reason][equals]=invalid')
    expect(failed).toMatchObject({ profile: `email:${ada}` })
    fault.remove()
    await api(`/marketing-sends/${failed?.id}/resend`, { as: 'admin', method: 'POST' })
    expect(await shown('where[reason][equals]=invalid')).toEqual([])
    await world.runUntil(world.now() + hour)
    expect(await attempts()).toMatchObject([{ meant: 'refused' }, { meant: 'delivered' }])
  })

  it.each([
    ['(555) 010-0000', '00436641234567', 'ada%40example.com', '+43 664 123 45 67'],
    ['ada&#64;example.com', '555/010.0000', '%2B436641234567', 'ADA@EXAMPLE.COM'],
  ])('and what else is kept of an answer quote nobody: %s %s %s %s', async (...quoted) => {
    const detail = `Revision 2026-07-15 refuses "${quoted.join('", "')}".`
    const source = { pointer: `/data/attributes/properties/${quoted[2]}` }
    world.network = () =>
      Promise.resolve(
        Response.json({ errors: [{ code: 'invalid', detail, source }] }, { status: 400 }),
      )
    await world.store(anEvent('bob@example.com', 'tea'))
    await world.runUntil(world.begin + second)
    const text = JSON.stringify({ sends: await shown(), lines: world.log.lines() })
    for (const one of quoted) expect(text).not.toContain(one)
    expect(await attempts()).toMatchObject([
      { detail: 'Revision 2026-07-15 refuses "…", "…", "…", "…".' },
    ])
  })
})
