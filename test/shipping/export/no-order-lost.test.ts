import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changeSettings, clearStore } from '../../support/exported-orders.js'
import { anOrder, saveOrder, saveOrders, type SavedOrder } from '../../support/orders.js'
import { exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import { databaseKinds, openStore, type TestStore } from '../../support/store.js'

const pageSize = 10
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
  let shop: TestStore
  beforeAll(async () => {
    shop = await openStore(kind)
  })
  afterAll(() => shop.close())
  const clear = async () => {
    await clearStore(shop.payload)
    await changeSettings(shop.payload, { pageSize: String(pageSize) })
  }
  beforeEach(clear)

  it('every order is seen exactly once, in the order of page 1', async () => {
    for (const seed of seeds) {
      await clear()
      const orders = await saveOrders(shop.payload, minutesAgo(60))
      const { deleted, happen } = busyShop(shop, orders, randomFrom(seed))

      const seen = await walk((page) => readPage(shop, page), happen)
      const expected = orders.map(({ reference }) => reference)
      // A deleted order is missing only from the pages that were read after its deletion.
      expect(seen.filter((reference) => !deleted.has(reference ?? ''))).toEqual(
        expected.filter((reference) => !deleted.has(reference)),
      )
      expect(new Set(seen).size).toBe(seen.length)
    }
  })

  it('offset paging, the control arm, loses orders', async () => {
    let lost = 0
    for (const seed of seeds) {
      await clear()
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
    }
    expect(lost).toBeGreaterThan(0)
  })

  it('a list that has shrunk to one page leaves no later pages behind', async () => {
    const orders = await saveOrders(shop.payload, minutesAgo(25))
    expect(await walk((page) => readPage(shop, page))).toHaveLength(25)
    for (const { id } of orders.slice(5)) await shop.payload.delete({ collection: 'orders', id })
    expect((await readPage(shop, 1)).pages).toBe(1)
    expect(await readPage(shop, 2)).toEqual({ pages: 1, references: [] })
  })
})
