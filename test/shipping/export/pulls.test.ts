import { describe, expect, it } from 'vitest'
import { stoppedAfterMs } from '../../../src/shipping/pull-collection.js'
import { pullLifetimeMs } from '../../../src/shipping/pulls.js'
import { apiOf, type Role } from '../../support/api-of.js'
import { changeSettings, readExport } from '../../support/exported-orders.js'
import {
  anAddress,
  anOrder,
  changeOrder,
  saveOrders,
  type SavedOrder,
} from '../../support/orders.js'
import { basic, exportRequest } from '../../support/shipping-requests.js'
import type { Story } from '../../../src/merchant/story/story-entry.js'
import { simulatedStore } from '../../support/simulated-store.js'
import { databaseKinds, type TestStore } from '../../support/store.js'

const minute = 60_000
const window = { start_date: '11/01/2026 00:00', end_date: '12/01/2027 00:00' }

interface ListedPull {
  id: number | string
  state: string
  asked: string | null
  pages: number
  highestPage: number
  answered: string
  orders: number
  skipped: number
  timesBegun: number
  createdAt: string
  updatedAt: string
}

describe.each(databaseKinds)('The pulls that the admin lists (%s)', (kind) => {
  const world = simulatedStore(kind, {
    cleared: ['shipping-pulls'],
    options: { shipping: { settings: { pageSize: 2, storeField: 'warehouse' } } },
  })
  const ask = async (
    page: number,
    parameters: Record<string, string> = window,
    { handle }: Pick<TestStore, 'handle'> = world,
  ) => {
    world.move(minute)
    return readExport(await handle(exportRequest({ page: String(page), ...parameters })))
  }
  const pull = async (pages: number[], parameters?: Record<string, string>) => {
    for (const page of pages) await ask(page, parameters)
  }
  const save = (count: number, order = {}): Promise<SavedOrder[]> =>
    saveOrders(
      world.payload,
      Array.from({ length: count }, () => anOrder(order)),
    )
  const list = async (query = '', as: Role = 'admin') => {
    const answer = await apiOf(world)(`/shipping-pulls${query}`, { as })
    return (await answer.json()) as { docs: ListedPull[] }
  }
  const listed = async (query?: string) => (await list(query)).docs
  const statesOf = async (query?: string) => (await listed(query)).map(({ state }) => state)
  const pagesOf = async (order: SavedOrder | undefined) => {
    const path = `/storeconnect/story/orders/${order?.id ?? expect.fail()}`
    const { entries } = (await (await apiOf(world)(path, { as: 'admin' })).json()) as Story
    return entries.flatMap((entry) =>
      entry.is === 'pull' ? [[entry.page, entry.pages, entry.isAnswered]] : [],
    )
  }

  it('have what was asked for and what was answered, the newest first', async () => {
    await save(3)
    await save(2, { warehouse: 'berlin', shippingAddress: anAddress({ city: '' }) })
    const first = new Date(world.now() + minute).toISOString()
    await pull([1, 2, 3])
    const last = new Date(world.now()).toISOString()
    await pull([1], { start_date: 'yesterday', store: 'portland' })
    const [empty, full] = await listed()
    expect(full).toMatchObject({
      state: 'complete',
      asked: '11/01/2026 00:00 – 12/01/2027 00:00 (UTC)',
      windowStart: '2026-11-01T00:00:00.000Z',
      windowEnd: '2027-12-01T00:00:59.000Z',
      ...{ store: null, pageSize: 2, pages: 3, highestPage: 3 },
      ...{ orders: 3, skipped: 2, timesBegun: 1, createdAt: first, updatedAt: last },
    })
    expect(empty).toMatchObject({
      state: 'complete',
      ...{ asked: 'yesterday – ? (UTC)', windowStart: null, windowEnd: null, store: 'portland' },
      ...{ pages: 0, highestPage: 0, orders: 0, skipped: 0 },
    })
    expect(await listed()).toHaveLength(2)
  })

  it('are under way, and stopped once nobody goes on, which the list can tell apart', async () => {
    await save(6)
    await pull([1, 2, 3])
    await pull([1, 2], { ...window, start_date: '11/01/2026 00:01' })
    world.move(stoppedAfterMs - minute)
    await pull([1], { ...window, start_date: '11/01/2026 00:02' })
    expect(await statesOf()).toEqual(['under-way', 'stopped', 'complete'])
    const found = async (state: string) =>
      (await listed(`?where[state]${state}`)).map(({ highestPage }) => highestPage)
    expect(await found('[equals]=stopped')).toEqual([2])
    expect(await found('[equals]=under-way')).toEqual([1])
    expect(await found('[in]=complete,stopped')).toEqual([2, 3])
    expect(await found('[not_equals]=stopped')).toEqual([1, 3])
    expect(await found('[not_in]=complete,stopped,under-way')).toEqual([])
    const or = 'where[or][0][and][0][state][equals]=stopped&where[or][1][orders][equals]=6'
    expect((await listed(`?${or}`)).map(({ highestPage }) => highestPage)).toEqual([2, 3])
    const { id } = (await listed('?where[state][equals]=stopped'))[0] ?? expect.fail()
    const api = apiOf(world)
    expect(await (await api(`/shipping-pulls/${id}`, { as: 'admin' })).json()).toMatchObject({
      state: 'stopped',
      highestPage: 2,
      pages: 3,
    })
    await ask(3, { ...window, start_date: '11/01/2026 00:01' })
    expect(await statesOf()).toEqual(['under-way', 'complete', 'complete'])
  })

  it('count a page once that is asked for again, and page 1 as a new beginning', async () => {
    await save(4)
    await pull([1, 1, 2, 2])
    expect(await listed()).toMatchObject([{ timesBegun: 2, orders: 4, highestPage: 2 }])
  })

  it.each([
    { pages: [1, 3, 2, 5, 4], answered: '1, 3, 2, 5, 4', orders: 9, state: 'complete' },
    { pages: [1, 2, 1, 3, 4, 3, 5], answered: '1-5', orders: 9, state: 'complete' },
    { pages: [1, 5], answered: '1, 5', orders: 3, state: 'under-way' },
    { pages: [1, 99, 6, 2], answered: '1-2', orders: 4, state: 'under-way' },
    { pages: [3, 4, 5], answered: '3-5', orders: 5, state: 'under-way' },
  ])('have each page once that was answered, after $pages', async ({ pages, ...figures }) => {
    const orders = await save(9)
    await pull(pages)
    expect(await listed()).toMatchObject([{ ...figures, pages: 5 }])
    const isAnswered = async (page: number) =>
      (await pagesOf(orders[2 * page - 1 - Number(page === 5)]))[0]
    for (const page of [1, 2, 3, 4, 5])
      expect(await isAnswered(page)).toEqual([page, 5, pages.includes(page)])
    if (figures.state === 'complete') return
    world.move(stoppedAfterMs)
    expect(await statesOf()).toEqual(['stopped'])
  })

  it('are not made by a page past the end', async () => {
    await save(4)
    await pull([99])
    expect(await listed()).toEqual([])
    await pull([1, 2])
    expect(await listed()).toMatchObject([{ state: 'complete', orders: 4, timesBegun: 1 }])
  })

  it('are complete as often as their pages were answered, though they have the same orders', async () => {
    await save(6)
    await pull([1, 1, 2, 3])
    await pull([1, 2])
    expect(await listed()).toMatchObject([
      { state: 'under-way', answered: '1-2', orders: 4, timesBegun: 1 },
      { state: 'complete', answered: '1-3', orders: 6, timesBegun: 2 },
    ])
    await pull([3])
    expect(await listed()).toMatchObject([{ state: 'complete', orders: 6 }, { orders: 6 }])
  })

  it('count each beginning of ten at once', async () => {
    await save(4)
    await Promise.all(Array.from({ length: 10 }, () => ask(1)))
    await Promise.all(Array.from({ length: 10 }, () => ask(1)))
    const begun = (await listed()).reduce((sum, { timesBegun }) => sum + timesBegun, 0)
    expect(begun).toBe(20)
  })

  it('count their own orders, though a page has those of two pulls', async () => {
    const [first] = await save(6)
    await ask(1)
    const id = first?.id ?? expect.fail()
    await world.payload.delete({ collection: 'orders', id })
    await ask(1)
    expect((await ask(2)).orders).toHaveLength(3)
    expect(await listed()).toMatchObject([{ orders: 4 }, { orders: 4 }])
  })

  it('are those of each of two processes, and go on in the other one', async () => {
    await save(6)
    const other = await world.join()
    await ask(1)
    await ask(2, window, other)
    await ask(1, { ...window, start_date: '11/02/2026' }, other)
    await ask(3)
    expect(await listed()).toMatchObject([
      { highestPage: 1, orders: 2 },
      { highestPage: 3, orders: 6, state: 'complete' },
    ])
  })

  it('are not made by a HEAD, a wrong login, wrong parameters, or an export that fails', async () => {
    await save(4)
    for (const page of ['1', '2'])
      await world.handle(exportRequest({ page, ...window }, { method: 'HEAD' }))
    const headers = { authorization: basic('ship', 'wrong') }
    await world.handle(exportRequest(window, { headers }))
    await world.handle(exportRequest({ ...window, 'store[]': 'x' }))
    await save(1, { shippingAddress: anAddress({ city: '' }) })
    await changeSettings(world.payload, { pageSize: '10', failOnInvalidOrder: true })
    expect((await world.handle(exportRequest(window))).status).toBe(500)
    await changeSettings(world.payload, { pageSize: '2', failOnInvalidOrder: false })
    expect(await listed()).toEqual([])
  })

  it('are for admins alone, and show no part of a list', async () => {
    await save(4)
    await pull([1])
    expect(await listed()).toHaveLength(1)
    expect((await list('', 'customer')).docs).toBeUndefined()
    const parts = await listed('?where[size][exists]=true')
    expect(parts).toEqual([])
  })

  it('name the pages that an order was on, for 30 days', async () => {
    const orders = await save(5)
    await pull([1, 2])
    await pull([1], { start_date: '', end_date: '', store: 'berlin' })
    const [single] = await save(1, { warehouse: 'berlin' })
    await pull([1], { store: 'berlin' })
    expect(await pagesOf(orders[0])).toEqual([[1, 3, true]])
    expect(await pagesOf(orders[3])).toEqual([[2, 3, true]])
    expect(await pagesOf(orders[4])).toEqual([[3, 3, false]])
    expect(await pagesOf(single)).toEqual([[1, 1, true]])
    world.move(pullLifetimeMs - 10 * minute)
    await pull([1], { store: 'portland' })
    expect(await pagesOf(orders[3])).toEqual([[2, 3, true]])
    world.move(61 * minute)
    await pull([1], { store: 'portland' })
    expect(await pagesOf(orders[3])).toEqual([])
    const { docs } = await world.payload.find({ collection: 'shipping-pulls', pagination: false })
    expect(docs).toHaveLength(2)
  })

  it('forget the orders behind the last page that was answered, once the pull is closed', async () => {
    const orders = await saveOrders(
      world.payload,
      Array.from({ length: 12 }, (_, at) =>
        anOrder({ updatedAt: new Date(world.now() - at * minute).toISOString() }),
      ).reverse(),
    )
    await pull([1, 2], {})
    expect(await pagesOf(orders[11])).toEqual([[6, 6, false]])
    world.move(24 * 60 * minute)
    await pull([1], { store: '' })
    expect(await pagesOf(orders[3])).toEqual([
      [2, 6, false],
      [2, 6, true],
    ])
    expect(await pagesOf(orders[11])).toEqual([[6, 6, false]])
  })

  it('are found again after the order has changed, and not for one that took over its id', async () => {
    const [order] = await save(1)
    await pull([1], {})
    const id = order?.id ?? expect.fail()
    await changeOrder(world.payload, id, { internalNotes: 'Changed' })
    await pull([1], {})
    expect(await pagesOf(order)).toHaveLength(2)
    await world.payload.delete({ collection: 'orders', id })
    world.move(minute)
    const [next] = await save(1)
    expect(await pagesOf(next)).toEqual([])
  })
})
