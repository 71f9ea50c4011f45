import { afterEach, describe, expect, it, vi } from 'vitest'
import { listLifetimeMs } from '../../../src/shipping/export/fixed-order-list.js'
import { anOrder, saveOrder, saveOrders, type SavedOrder } from '../../support/orders.js'
import { exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import { databaseKinds, joinStore, openStore, type TestStore } from '../../support/store.js'

const pageSize = 10
const options = { shipping: { settings: { pageSize } } }
const seeds = [1, 2, 3]

/** Small and repeatable: the same seed gives the same changes. */
function randomFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

async function readPage(store: TestStore, page: number, parameters = {}) {
  const response = await store.handle(exportRequest({ page: String(page), ...parameters }))
  const xml = await response.text()
  return {
    pages: Number(/<Orders pages="(\d+)">/.exec(xml)?.[1]),
    references: [...xml.matchAll(/<OrderNumber>(.*?)<\/OrderNumber>/g)].map(([, text]) => text),
  }
}

/** Reads all pages, and changes the shop between two pages. */
async function walk(
  read: (page: number) => Promise<{ pages: number; references: (string | undefined)[] }>,
  between: () => Promise<void> = () => Promise.resolve(),
) {
  const first = await read(1)
  const seen = [...first.references]
  for (let page = 2; page <= first.pages; page++) {
    await between()
    seen.push(...(await read(page)).references)
  }
  return seen
}

/** Orders a minute apart, three of them at a time with the same moment. */
const minutesAgo = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    anOrder({
      updatedAt: new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 3) * 60_000).toISOString(),
    }),
  )

/** What a busy shop does between two pages: change, ship, delete and take orders. */
function busyShop(store: TestStore, orders: SavedOrder[], random: (below: number) => number) {
  const deleted = new Set<string>()
  const anyOrder = () => {
    const left = orders.filter(({ reference }) => !deleted.has(reference))
    return left[random(left.length)] ?? expect.fail('No order is left.')
  }
  const happen = async () => {
    for (let change = 0; change < 3; change++) {
      const { id } = anyOrder()
      await store.payload.update({ collection: 'orders', id, data: { customerNotes: 'Hurry' } })
    }
    const shipped = await store.handle(
      noticeRequest({ order_number: anyOrder().reference, tracking_number: `9400${random(1e6)}` }),
    )
    expect(shipped.status).toBe(200)
    await saveOrder(store.payload)
    if (random(3) === 0) {
      const gone = anyOrder()
      await store.payload.delete({ collection: 'orders', id: gone.id })
      deleted.add(gone.reference)
    }
  }
  return { deleted, happen }
}

describe.each(databaseKinds)('While orders change between two pages, on %s,', (kind) => {
  let store: TestStore | undefined
  afterEach(async () => {
    vi.useRealTimers()
    await store?.close()
    store = undefined
  })
  const open = async () => (store = await openStore(kind, { options }))

  it('every order is seen exactly once, in the order of page 1', async () => {
    for (const seed of seeds) {
      const shop = await open()
      const orders = await saveOrders(shop.payload, minutesAgo(60))
      const { deleted, happen } = busyShop(shop, orders, randomFrom(seed))

      const seen = await walk((page) => readPage(shop, page), happen)
      const expected = orders.map(({ reference }) => reference)
      // A deleted order is missing only from the pages that were read after its deletion.
      expect(seen.filter((reference) => !deleted.has(reference ?? ''))).toEqual(
        expected.filter((reference) => !deleted.has(reference)),
      )
      expect(new Set(seen).size).toBe(seen.length)
      await shop.close()
      store = undefined
    }
  })

  it('offset paging, the control arm, loses orders', async () => {
    let lost = 0
    for (const seed of seeds) {
      const shop = await open()
      const orders = await saveOrders(shop.payload, minutesAgo(60))
      const { deleted, happen } = busyShop(shop, orders, randomFrom(seed))
      const readOffset = async (page: number) => {
        const { docs, totalPages } = await shop.payload.find({
          collection: 'orders',
          sort: ['updatedAt', 'id'],
          limit: pageSize,
          page,
          depth: 0,
        })
        return { pages: totalPages, references: docs.map((order) => String(order.reference)) }
      }

      const seen = new Set(await walk(readOffset, happen))
      lost += orders.filter(
        ({ reference }) => !seen.has(reference) && !deleted.has(reference),
      ).length
      await shop.close()
      store = undefined
    }
    expect(lost).toBeGreaterThan(0)
  })

  it('another process goes on where the first one stopped', async () => {
    const shop = await open()
    const orders = await saveOrders(shop.payload, minutesAgo(30))
    const first = await readPage(shop, 1)
    const { id } = orders[12] ?? expect.fail()
    await shop.payload.update({ collection: 'orders', id, data: { customerNotes: 'Hurry' } })

    const other = await joinStore(kind, shop.url, { options })
    const second = await readPage(other, 2)
    await other.close()
    expect([...first.references, ...second.references]).toEqual(
      orders.slice(0, 20).map(({ reference }) => reference),
    )
  })

  it('page 1 again makes a fresh list', async () => {
    const shop = await open()
    const orders = await saveOrders(shop.payload, minutesAgo(30))
    await readPage(shop, 1)
    const { id, reference } = orders[0] ?? expect.fail()
    await shop.payload.update({ collection: 'orders', id, data: { customerNotes: 'Hurry' } })

    expect((await readPage(shop, 1)).references).not.toContain(reference)
    expect((await readPage(shop, 3)).references.at(-1)).toBe(reference)
  })

  it('a list that has shrunk to one page leaves no later pages behind', async () => {
    const shop = await open()
    const orders = await saveOrders(shop.payload, minutesAgo(25))
    expect(await walk((page) => readPage(shop, page))).toHaveLength(25)
    for (const { id } of orders.slice(5)) await shop.payload.delete({ collection: 'orders', id })
    expect((await readPage(shop, 1)).pages).toBe(1)
    expect(await readPage(shop, 2)).toEqual({ pages: 1, references: [] })
  })

  it('a list answers for a day and no longer', async () => {
    const shop = await open()
    const orders = await saveOrders(shop.payload, minutesAgo(30))
    const { id, reference } = orders[0] ?? expect.fail()
    await readPage(shop, 1)
    await shop.payload.update({ collection: 'orders', id, data: { customerNotes: 'Hurry' } })

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + listLifetimeMs - 60_000 })
    expect((await readPage(shop, 3)).references).not.toContain(reference)
    vi.setSystemTime(Date.now() + 120_000)
    expect((await readPage(shop, 3)).references.at(-1)).toBe(reference)
  })

  it('each window, store and page size has a list of its own', async () => {
    const shop = await open()
    const orders = await saveOrders(shop.payload, minutesAgo(45))
    const window = { start_date: '2026-01-01 00:04', end_date: '2026-01-01 00:11' }
    await readPage(shop, 1)
    const inWindow = await walk((page) => readPage(shop, page, window))
    const all = await walk((page) => (page === 1 ? readPage(shop, 1) : readPage(shop, page)))
    // After 00:04:00 and before 00:11:59: the orders of seven minutes, three each.
    expect(inWindow).toEqual(orders.slice(15, 36).map(({ reference }) => reference))
    expect(all).toEqual(orders.map(({ reference }) => reference))
  })

  it('orders that share one moment are cut into pages by their ids', async () => {
    const shop = await open()
    const updatedAt = new Date(Date.UTC(2026, 0, 1)).toISOString()
    const orders = await saveOrders(
      shop.payload,
      Array.from({ length: 35 }, () => anOrder({ updatedAt })),
    )
    expect(await walk((page) => readPage(shop, page))).toEqual(
      orders.map(({ reference }) => reference),
    )
  })

  it('the export changes nothing of an order', async () => {
    const shop = await open()
    await saveOrders(shop.payload, [...minutesAgo(15), anOrder({ items: [] })])
    const read = () => shop.payload.find({ collection: 'orders', limit: 0, sort: 'id' })
    const before = await read()
    await walk((page) => readPage(shop, page))
    expect(await read()).toEqual(before)
  })
})
