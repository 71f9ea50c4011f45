import { describe, expect, it } from 'vitest'
import type { SendWait } from '../../../src/marketing/delivery/send-wait.js'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import { callLimits } from '../../../src/marketing/klaviyo/limits.js'
import { demoLists } from '../../../dev/klaviyo/lists.ts'
import { anEvent, anIdentify, aPastEvent, aSubscribe } from '../../support/messages.js'
import { partsOf } from '../../support/parts.js'
import { simulatedStore, type SimulatedProcess } from '../../support/simulated-store.js'
import { anyKind, databaseKinds } from '../../support/store.js'

const second = 1_000
const hour = 3_600 * second

describe.each(databaseKinds)('Why a send waits (%s)', (kind) => {
  const world = simulatedStore(kind)

  /** Of all sends, in the order in which they were stored. Whatever moment it names is ahead. */
  async function waits({ payload }: Pick<SimulatedProcess, 'payload'> = world): Promise<
    (SendWait | undefined)[]
  > {
    const ids = (await world.sends()).map(({ id }) => id)
    const found = await partsOf(payload).sendWaits(ids)
    for (const wait of found.values()) {
      if ('until' in wait) expect(Date.parse(wait.until ?? '')).toBeGreaterThan(world.now())
    }
    return ids.map((id) => found.get(id))
  }
  const causes = async (process?: SimulatedProcess) =>
    (await waits(process)).map((wait) => wait?.for)
  const at = (ms: number) => new Date(ms).toISOString()

  it('is that there is no key, or that Klaviyo refuses it', async () => {
    await world.save({ privateApiKey: '' })
    await world.store(anEvent('a@x.io', '1'), anEvent('a@x.io', '2'))
    await world.pass()
    const keyless = { for: 'key', problem: 'missing' }
    expect(await waits()).toEqual([keyless, keyless])

    await world.save({ privateApiKey: 'pk_refused' })
    await world.pass()
    expect(await causes()).toEqual(['key-refused', 'key-refused'])

    await world.save({ privateApiKey: demoApiKey })
    await world.runUntil(world.now() + 20 * second)
    expect(await causes()).toEqual([undefined, undefined])
    expect(await world.counts()).toEqual({ sent: 2 })
  })

  it('is that the key lacks the scope of its calls alone', async () => {
    world.standIn.faults.add({ kind: 'forbidden', calls: ['subscribe'] })
    await world.store(aSubscribe('a@x.io', demoLists[0]?.id))
    await world.pass()
    expect(await causes()).toEqual(['scope'])
    // One about another person goes.
    await world.store(anEvent('b@x.io', '1'))
    await world.pass()
    expect(await causes()).toEqual(['scope', undefined])
  })

  it('is that Klaviyo asks to wait until then', async () => {
    world.standIn.faults.add({ kind: 'throttle', seconds: 300, calls: ['event', 'events'] })
    await world.store(anEvent('a@x.io', '1'))
    // The single call, and then the call for many.
    await world.runUntil(world.now() + 10 * second)
    const [wait] = await waits()
    expect(wait).toMatchObject({ for: 'asked' })
    const { until = '' } = wait as { until?: string }
    expect(Date.parse(until)).toBeLessThanOrEqual(world.now() + 300 * second)
  })

  it('is an outage, whose next try is named while it is ahead', async () => {
    world.standIn.faults.add({ kind: 'error', status: 503 })
    await world.store(anEvent('a@x.io', '1'))
    await world.runUntil(world.now() + 60 * second)
    expect(await waits()).toEqual([{ for: 'outage', until: expect.any(String) as string }])
    // Nobody delivers meanwhile.
    world.move(2 * hour)
    await waits()
  })

  it('is an earlier send about the same person, or a retry of its own', async () => {
    world.standIn.faults.add({ kind: 'error', status: 503, times: 1 })
    const acceptedAt = at(world.now())
    await world.store(anIdentify('a@x.io'))
    await world.pass()
    await world.store(
      aSubscribe('a@x.io', demoLists[0]?.id),
      aPastEvent('a@x.io', '1'),
      anEvent('b@x.io', '1'),
    )
    const [first] = await world.sends()
    const [own, ...others] = await waits()
    expect(own).toEqual({ for: 'retry', until: at(first?.dueAt ?? 0) })
    const due = { for: 'turn' }
    expect(others).toEqual([{ for: 'earlier', send: { id: first?.id, acceptedAt } }, due, due])
    await world.runUntil(world.now() + 60 * second)
    expect(await world.counts()).toEqual({ sent: 4 })
  })

  it("is Klaviyo's limit of calls, once it is used up", async () => {
    // Answers may allow a little more.
    const most = callLimits.profile.steady * 1.2
    const people = Array.from({ length: most }, (_, n) => anIdentify(`p${n}@x.io`))
    await world.store(...people)
    await world.runUntil(world.now() + 30 * second)
    expect((await causes()).at(-1)).toBe('limit')
  })

  it('is that it is in a call, seen from another process', async () => {
    const other = await world.join()
    const seen: unknown[] = []
    world.network = async (request, ask) => {
      seen.push(...(await waits(other)))
      return ask(request)
    }
    await world.store(anEvent('a@x.io', '1'))
    await world.pass()
    expect(seen).toEqual([{ for: 'in-call' }])
  })

  it('is the next run, where a run delivers', async () => {
    await world.parts.deliverer.giveBack()
    await world.store(anEvent('a@x.io', '1'))
    expect(await causes()).toEqual(['run'])
    await world.pass()
    expect(await world.counts()).toEqual({ sent: 1 })
  })
})

describe('What waited while there was no key', () => {
  const world = simulatedStore(anyKind)
  const latency = async () => (await world.parts.overview.details()).today.delivered?.latencies
  const oldest = async () => (await world.parts.deliveryFacts()).oldestWaiting()

  it('counts from when there was one, and from then on each send from when it came', async () => {
    await world.pass()
    await world.save({ privateApiKey: '' })
    await world.store(anEvent('a@x.io', '1'))
    await world.pass()
    world.move(3 * hour)
    await world.save({ privateApiKey: demoApiKey })
    world.network = () => Promise.resolve(new Response(null, { status: 503 }))
    expect(await oldest()).toEqual(new Date(world.now()))
    const keyAt = world.now()
    await world.pass()
    world.move(second)
    expect(await oldest()).toEqual(new Date(keyAt))
    world.network = (request, ask) => ask(request)
    await world.runUntil(world.now() + 60 * second)
    expect(await world.counts()).toEqual({ sent: 1 })
    expect((await latency())?.p95).toBeLessThanOrEqual(61 * second)

    world.network = () => Promise.resolve(new Response(null, { status: 503 }))
    await world.store(anEvent('b@x.io', '1'))
    await world.runUntil(world.now() + 600 * second)
    world.network = (request, ask) => ask(request)
    await world.runUntil(world.now() + 120 * second)
    expect(await world.counts()).toEqual({ sent: 2 })
    expect((await latency())?.p95).toBeGreaterThan(600 * second)
  })
})
