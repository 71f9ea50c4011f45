import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listLifetimeMs } from '../../../src/shipping/export/list-table.js'
import { pullLifetimeMs } from '../../../src/shipping/pulls.js'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { changeSettings, clearStore, readExport } from '../../support/exported-orders.js'
import {
  anOrder,
  changeOrder,
  saveOrder,
  saveOrders,
  type SavedOrder,
} from '../../support/orders.js'
import { exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import { databaseKinds, joinStore, openStore, type TestStore } from '../../support/store.js'

const start = Date.UTC(2026, 2, 10)
const minute = 60_000

/** Orders O-000, O-001, … with a minute between each two. */
const series = (count: number, changes: (index: number) => Record<string, unknown> = () => ({})) =>
  Array.from({ length: count }, (_, index) =>
    anOrder({
      reference: `O-${String(index).padStart(3, '0')}`,
      updatedAt: new Date(start + index * minute).toISOString(),
      ...changes(index),
    }),
  )

const referencesOf = (orders: readonly SavedOrder[]) => orders.map(({ reference }) => reference)

/** `ORDER_SEEDS=20` looks longer. */
const seeds = Array.from({ length: Number(process.env.ORDER_SEEDS ?? 1) }, (_, index) => index + 1)

/** Small and repeatable: the same seed gives the same changes. */
function randomFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

describe.each(databaseKinds)('the list that page 1 of an export fixes (%s)', (kind) => {
  let store: TestStore
  /** The store's clock stands still at this moment; undefined: it runs. */
  let moment: number | undefined
  const now = () => (moment === undefined ? new Date() : new Date(moment))
  beforeAll(async () => {
    store = await openStore(kind, { effects: { now } })
  })
  beforeEach(() => {
    moment = undefined
    return clearStore(store.payload)
  })
  afterAll(() => store.close())

  const page = async (number: number, parameters = {}, by = store) =>
    readExport(await by.handle(exportRequest({ page: String(number), ...parameters })))
  const touch = ({ id }: { id: number | string }) =>
    changeOrder(store.payload, id, { internalNotes: 'Touched' })
  const orderAt = (orders: SavedOrder[], index: number) => orders[index] ?? expect.fail()

  /** All pages of a pull, with what happens between two of them. */
  const pull = async (between: () => Promise<void> = () => Promise.resolve(), read = readPage) => {
    const first = await read(1)
    const seen = [...first.references]
    for (let number = 2; number <= Number(first.pages); number++) {
      await between()
      seen.push(...(await read(number)).references)
    }
    return seen
  }
  const readPage = async (number: number) => {
    const { pages, references } = await page(number)
    return { pages: Number(pages), references }
  }

  /** Pulls while a busy shop changes, ships, takes and deletes orders. */
  const busyPull = async (seed: number, read = readPage) => {
    const random = randomFrom(seed)
    await clearStore(store.payload)
    await changeSettings(store.payload, { pageSize: '10' })
    // Three of them at a time with the same moment.
    const updatedAt = (index: number) =>
      new Date(start + Math.floor(index / 3) * minute).toISOString()
    const orders = await saveOrders(
      store.payload,
      series(60, (index) => ({ updatedAt: updatedAt(index) })),
    )
    const deleted = new Set<string>()
    const left = () => orders.filter(({ reference }) => !deleted.has(reference))
    const anyOrder = () => orderAt(left(), random(left().length))

    const seen = await pull(async () => {
      for (let change = 0; change < 3; change++) await touch(anyOrder())
      const order_number = anyOrder().reference
      const notice = noticeRequest({ order_number, tracking_number: `9400${random(1e6)}` })
      expect((await store.handle(notice)).status).toBe(200)
      await saveOrder(store.payload)
      if (random(3) > 0) return
      const { id, reference } = anyOrder()
      await store.payload.delete({ collection: 'orders', id })
      deleted.add(reference)
    }, read)
    return { seen, deleted, left: referencesOf(left()) }
  }

  it.each(seeds)(
    'has every order exactly once, in the order of page 1, in a busy shop (seed %i)',
    async (seed) => {
      const { seen, deleted, left } = await busyPull(seed)
      // A deleted order is missing only from the pages that were read after its deletion.
      expect(seen.filter((reference) => !deleted.has(reference))).toEqual(left)
      expect(new Set(seen).size).toBe(seen.length)
    },
  )

  it('is needed: offset paging loses orders of a busy shop', async () => {
    let lost = 0
    for (const seed of seeds) {
      const { seen, left } = await busyPull(seed, async (number) => {
        const { docs, totalPages } = await store.payload.find({
          ...{ collection: 'orders', sort: ['updatedAt', 'id'], depth: 0 },
          ...{ limit: 10, page: number },
        })
        return { pages: totalPages, references: docs.map(({ reference }) => String(reference)) }
      })
      lost += left.filter((reference) => !seen.includes(reference)).length
    }
    expect(lost).toBeGreaterThan(0)
  })

  it('that has shrunk to one page leaves no later pages behind', async () => {
    await changeSettings(store.payload, { pageSize: '10' })
    const orders = await saveOrders(store.payload, series(25))
    expect(await pull()).toHaveLength(25)
    for (const { id } of orders.slice(5)) await store.payload.delete({ collection: 'orders', id })
    expect((await page(1)).pages).toBe('1')
    expect(await page(2)).toEqual({ pages: '1', references: [], orders: [] })
  })

  it('answers after all instances were closed and a new one was started', async () => {
    const options = { shipping: { settings: { pageSize: 10 } } }
    const first = await openStore(kind, { options })
    try {
      const orders = await saveOrders(first.payload, series(25))
      const seen = (await page(1, {}, first)).references
      for (const order of orders.slice(0, 20)) {
        await changeOrder(first.payload, order.id, { gift: true })
      }
      for (const number of [2, 3]) {
        const restarted = await joinStore(kind, first.url, { options })
        seen.push(...(await page(number, {}, restarted)).references)
        await restarted.close()
      }
      expect(seen).toEqual(referencesOf(orders))
    } finally {
      await first.close()
    }
  })

  it('shows the order as it is now, not as it was at page 1', async () => {
    await changeSettings(store.payload, { pageSize: '1' })
    const [, second] = await saveOrders(store.payload, series(2))
    await page(1)
    const { reference } = second ?? expect.fail()
    const answer = await store.handle(
      noticeRequest({ order_number: reference, carrier: 'UPS', tracking_number: '1Z' }),
    )
    expect(answer.status).toBe(200)
    const { orders } = await page(2)
    expect(orders).toMatchObject([{ OrderNumber: reference, OrderStatus: 'shipped' }])
  })

  it('keeps the page numbers of the others when orders of it are deleted', async () => {
    await changeSettings(store.payload, { pageSize: '2' })
    const orders = await saveOrders(store.payload, series(6))
    await page(1)
    for (const index of [0, 2, 4, 5]) {
      await store.payload.delete({ collection: 'orders', id: orderAt(orders, index).id })
    }
    const second = await page(2)
    expect(second).toMatchObject({ pages: '3', references: ['O-003'] })
    expect(await page(3)).toMatchObject({ pages: '3', references: [] })
  })

  it('does not take in an order that came after page 1, wherever it would stand', async () => {
    await changeSettings(store.payload, { pageSize: '2' })
    await saveOrders(store.payload, series(5))
    await page(1)
    const early = new Date(start - minute).toISOString()
    await saveOrder(store.payload, anOrder({ reference: 'EARLY', updatedAt: early }))
    await saveOrder(store.payload, anOrder({ reference: 'LATE' }))
    expect([...(await page(2)).references, ...(await page(3)).references]).toEqual([
      'O-002',
      'O-003',
      'O-004',
    ])
    expect((await page(1)).references).toEqual(['EARLY', 'O-000'])
  })

  it('is one list for each window, store and page size, whoever pulls in between', async () => {
    const warehouses = ['berlin', 'portland']
    const orders = await saveOrders(
      store.payload,
      series(24, (index) => ({ warehouse: warehouses[index % 2] })),
    )
    const settings = (pageSize: number) =>
      changeSettings(store.payload, { storeField: 'warehouse', pageSize: String(pageSize) })
    const window = { start_date: '2026-03-10 00:03', end_date: '2026-03-10 00:14' }
    const pulls = [
      { size: 5, parameters: {}, expected: orders },
      { size: 4, parameters: {}, expected: orders },
      { size: 4, parameters: { store: 'berlin' }, expected: orders.filter((_, n) => n % 2 === 0) },
      {
        size: 4,
        parameters: { store: 'portland' },
        expected: orders.filter((_, n) => n % 2 === 1),
      },
      { size: 4, parameters: window, expected: orders.slice(4, 15) },
      {
        size: 4,
        parameters: { ...window, store: 'berlin' },
        expected: orders.slice(4, 15).filter((_, n) => n % 2 === 0),
      },
    ]
    const seen: string[][] = pulls.map(() => [])
    for (const number of [1, 2, 3, 4, 5, 6]) {
      for (const [index, { size, parameters }] of pulls.entries()) {
        await settings(size)
        seen[index]?.push(...(await page(number, parameters)).references)
      }
      if (number === 1) for (const order of orders) await touch(order)
    }
    expect(seen).toEqual(pulls.map(({ expected }) => referencesOf(expected)))
  })

  it('is made by a later page too when there is none, and holds from then on', async () => {
    await changeSettings(store.payload, { pageSize: '2' })
    const orders = await saveOrders(store.payload, series(6))
    expect((await page(3)).references).toEqual(['O-004', 'O-005'])
    await touch(orderAt(orders, 0))
    await touch(orderAt(orders, 4))
    expect((await page(2)).references).toEqual(['O-002', 'O-003'])
    expect((await page(3)).references).toEqual(['O-004', 'O-005'])
  })

  it('is never a mixture when several pulls begin at once', async () => {
    await changeSettings(store.payload, { pageSize: '5' })
    const orders = await saveOrders(store.payload, series(20))
    const answers = await Promise.all([1, 1, 1, 1].map((number) => page(number)))
    for (const { pages, references } of answers) {
      expect({ pages, references }).toEqual({
        pages: '4',
        references: referencesOf(orders.slice(0, 5)),
      })
    }
    expect((await page(4)).references).toEqual(referencesOf(orders.slice(15)))
  })

  describe('lasts a day', () => {
    const begunAt = Date.UTC(2026, 5, 1)
    beforeEach(() => changeSettings(store.payload, { pageSize: '2' }))

    it.each([
      [listLifetimeMs - 1, true],
      [listLifetimeMs, true],
      [listLifetimeMs + 1, false],
    ])('%d ms after page 1 it answers: %s', async (age, isKept) => {
      const orders = await saveOrders(store.payload, series(4))
      moment = begunAt
      await page(1)
      await touch(orderAt(orders, 0))
      moment += age
      const [first, , third, fourth] = referencesOf(orders)
      expect((await page(2)).references).toEqual(isKept ? [third, fourth] : [fourth, first])
    })

    it('and leaves nothing of itself in the database after 30 days, when another is made', async () => {
      await saveOrders(store.payload, series(4))
      moment = begunAt
      for (const day of ['03/11', '03/12', '03/13'])
        await page(1, { start_date: '01/01/2026', end_date: `${day}/2026` })
      moment += pullLifetimeMs + 1
      await page(1)
      const { docs } = await store.payload.find({ collection: 'shipping-pulls', pagination: false })
      expect(new Set(docs.map(({ createdAt }) => String(createdAt)))).toEqual(
        new Set([now().toISOString()]),
      )
    })
  })

  it('leaves every row of the orders and of all that hangs on them as it was', async () => {
    await changeSettings(store.payload, { pageSize: '3' })
    await saveOrders(store.payload, [
      ...series(7),
      anOrder({ items: [], shippingAddress: {}, updatedAt: new Date(start).toISOString() }),
    ])
    const database = sqlDatabase(store.payload)
    const tables = ['orders', 'orders_items', 'orders_items_options', 'orders_rels']
    const read = () =>
      Promise.all(
        tables.map((table) =>
          database.rows(sql`select * from ${sql.identifier(table)} order by id`),
        ),
      )
    const before = await read()
    expect(before[0]).toHaveLength(8)
    for (const number of [1, 2, 3, 4]) await page(number)
    expect(await read()).toEqual(before)
  })
})
