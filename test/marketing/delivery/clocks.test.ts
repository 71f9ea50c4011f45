import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import { partsOf } from '../../support/parts.js'
import { apiOf } from '../../support/api-of.js'
import { saveOrder } from '../../support/orders.js'
import { databaseKinds, joinStore, openStore, type TestStore } from '../../support/store.js'
import { TestBrowser } from '../../support/browser.js'

const minute = 60_000
const hour = 60 * minute
const soon = { timeout: 60_000 }

/** Sets the wall clock so much ahead of the true time, or behind it. It goes on from there. */
const setClock = (aheadMs: number): void => {
  vi.useRealTimers()
  if (aheadMs === 0) return
  const now = Date.now() + aheadMs
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now })
}

describe.each(databaseKinds)('A wall clock that is set (%s)', { timeout: 120_000 }, (kind) => {
  let klaviyo: ServedStandIn
  let stores: TestStore[]

  beforeEach(async () => {
    klaviyo = await serveKlaviyoStandIn({ port: 0 })
    stores = []
  })
  afterEach(async () => {
    setClock(0)
    for (const store of stores.toReversed()) await store.close()
    await klaviyo.close()
  })

  const marketing = (delivery: 'loop' | 'task') => ({
    options: {
      marketing: { apiUrl: klaviyo.origin, settings: { privateApiKey: demoApiKey }, delivery },
    },
  })
  const open = async (delivery: 'loop' | 'task'): Promise<TestStore> => {
    const store = await openStore(kind, marketing(delivery))
    stores.push(store)
    return store
  }
  /** Another process, on a machine of its own. */
  const join = async ({ url }: TestStore, delivery: 'loop' | 'task') => {
    const store = await joinStore(kind, url, marketing(delivery))
    stores.push(store)
    return store
  }
  const order = async ({ payload }: TestStore): Promise<string> => (await saveOrder(payload)).number
  const post = async ({ handle }: TestStore, name: string): Promise<string> => {
    const answer = await new TestBrowser({ handle }).track({
      email: 'ada@example.com',
      'event[name]': name,
    })
    expect(await answer.json()).toBe('success')
    return name
  }
  /** How often each of these arrived: orders by their numbers, posts by their names. */
  const arrived = (names: readonly string[]) => {
    const { events } = klaviyo.standIn.state
    return names.map(
      (name) =>
        events.filter(
          ({ metric, uniqueId }) =>
            metric === name || (metric === 'Placed Order' && uniqueId === name),
        ).length,
    )
  }
  const runTask = ({ payload }: TestStore) =>
    partsOf(payload).delivery.runUntilIdle({ deadline: new Date(Date.now() + 30_000) })

  it('stops nothing, loses nothing and doubles nothing, whichever way it is set', async () => {
    const store = await open('loop')
    const names: string[] = []
    for (const ahead of [0, -hour, 0, hour, 0]) {
      setClock(ahead)
      names.push(await order(store), await post(store, `Liked ${names.length}`))
      await expect.poll(() => arrived(names), soon).toEqual(names.map(() => 1))
    }
  })

  it.each([2 * minute, hour])(
    'of one machine that is ahead by %i ms keeps nothing waiting on the other',
    async (ahead) => {
      const store = await open('task')
      await runTask(store)
      setClock(ahead)
      const another = await join(store, 'task')
      const names = [await order(another), await post(another, 'Liked')]
      setClock(0)
      await runTask(store)
      expect(arrived(names)).toEqual([1, 1])

      // Now the one that is ahead delivers, and finds what the other one has stored.
      setClock(ahead)
      await runTask(another)
      setClock(0)
      names.push(await post(store, 'Looked'))
      setClock(ahead)
      await runTask(another)
      expect(arrived(names)).toEqual([1, 1, 1])
    },
  )

  it('of a machine that was ahead keeps nothing waiting that it has put off', async () => {
    const store = await open('task')
    setClock(hour)
    const another = await join(store, 'task')
    const names = [await post(another, 'Liked')]
    klaviyo.standIn.faults.add({ kind: 'throttle', seconds: 6, times: 1 })
    await runTask(another)
    expect(klaviyo.standIn.state.calls).toHaveLength(1)
    setClock(0)
    const deliver = async () => {
      await runTask(store)
      return arrived(names)
    }
    await expect.poll(deliver, soon).toEqual([1])
  })

  it('of the machine on which a failed send is sent again may be ahead', async () => {
    const store = await open('task')
    const poison = klaviyo.standIn.faults.add({ kind: 'poison', marker: 'Liked' })
    const names = [await post(store, 'Liked')]
    await runTask(store)
    poison.remove()
    setClock(hour)
    const another = await join(store, 'task')
    const { docs } = await another.payload.find({
      collection: 'marketing-sends',
      where: { state: { equals: 'failed' } },
    })
    const path = `/marketing-sends/${docs[0]?.id}/resend`
    const answer = await apiOf(another)(path, { as: 'admin', method: 'POST' })
    expect(answer.status).toBe(200)
    setClock(0)
    await runTask(store)
    expect(arrived(names)).toEqual([1])
  })

  it('of a machine may be behind by most of an hour, and its order is found though its process is gone', async () => {
    const store = await open('task')
    await runTask(store)
    setClock(-50 * minute)
    const another = await join(store, 'task')
    const names = [await order(another)]
    setClock(hour)
    await runTask(store)
    expect(arrived(names)).toEqual([1])
  })
})
