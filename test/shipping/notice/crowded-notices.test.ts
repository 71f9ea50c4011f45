import { postgresAdapter } from '@payloadcms/db-postgres'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openStoreForTest, readOrder } from './stored-shipment.js'
import { realEffects, type Effects } from '../../../src/core/effects.js'
import { beforeStatements } from '../../support/before-statements.js'
import { captureLog } from '../../support/captured-log.js'
import { saveOrder, type SavedOrder } from '../../support/orders.js'
import { serveStore, statusIn } from '../../support/served-store.js'
import { basic, exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import {
  anyKind,
  databaseKinds,
  hasPostgres,
  joinStore,
  openStore,
  type TestStore,
} from '../../support/store.js'

/** How long a notice waits in line. */
const patienceMs = 20_000

/** Enough for a busy machine. */
const timeout = 400_000

const crowds = [
  [60, 10],
  [30, 2],
]

describe.runIf(hasPostgres).each(crowds)(
  '%s at once, and %s connections (postgres)',
  { timeout },
  (crowd, max) => {
    const log = captureLog()
    let shop: TestStore
    let small: TestStore
    const orders: SavedOrder[] = []

    beforeAll(async () => {
      shop = await openStore('postgres')
      const pool = { connectionString: shop.url, max, connectionTimeoutMillis: 5000 }
      const config = { ...log.config, db: postgresAdapter({ pool, push: false, idType: 'serial' }) }
      small = await joinStore('postgres', shop.url, { config })
      for (let index = 0; index < crowd; index += 1) orders.push(await saveOrder(shop.payload))
    }, timeout)
    afterAll(async () => {
      await small.close()
      await shop.close()
    })

    it('of notices is taken, each of them once, or asked to come again', async () => {
      const notify = async (order: SavedOrder) => {
        const parameters = { order_number: order.reference, tracking_number: `1Z${order.id}` }
        const { status, headers } = await small.handle(noticeRequest(parameters))
        if (status === 503) expect(headers.get('retry-after')).toBe('30')
        return { order, status }
      }
      let left = orders
      await expect
        .poll(
          async () => {
            const answers = await Promise.all(left.map((order) => notify(order)))
            const others = answers.filter(({ status }) => status !== 200 && status !== 503)
            expect(others, log.text()).toEqual([])
            left = answers.filter(({ status }) => status === 503).map(({ order }) => order)
            return left.length
          },
          { timeout: timeout / 2 },
        )
        .toBe(0)
      const ids = orders.map(({ id }) => id)
      const all = { depth: 0, sort: 'id', pagination: false }
      const { docs: shipped } = await shop.payload.find({
        collection: 'orders',
        where: { id: { in: ids } },
        ...all,
      })
      expect(shipped).toMatchObject(
        orders.map(({ id }) => ({
          id,
          status: 'shipped',
          tracking: [{ trackingNumber: `1Z${id}` }],
        })),
      )
      const { docs: notices } = await shop.payload.find({
        collection: 'shipping-notices',
        where: { order: { in: ids } },
        ...all,
      })
      expect(
        notices.map((notice) => (notice as unknown as { order: number }).order).sort(byId),
      ).toEqual(ids)
    })

    it('of exports is answered, or asked to come again', async () => {
      const statuses = await Promise.all(
        orders.map(async () => (await small.handle(exportRequest())).status),
      )
      expect(new Set([...statuses, 200, 503])).toEqual(new Set([200, 503]))
    })

    it('finds room again when it is over', async () => {
      const { reference } = await saveOrder(shop.payload)
      expect((await small.handle(exportRequest())).status).toBe(200)
      const notice = noticeRequest({ order_number: reference })
      expect((await small.handle(notice)).status).toBe(200)
    })
  },
)

describe.each(databaseKinds)('1,000 notices at once (%s)', { timeout }, (kind) => {
  it('are taken as far as a line of 200 goes, and nobody else waits for them', async () => {
    // The settings are read again after seconds, however long all of this takes.
    const clock = { now: () => new Date() }
    // Nobody in line loses patience, however busy the machine is.
    const after: Effects['after'] = (ms, callback, options) =>
      ms === patienceMs ? () => undefined : realEffects.after(ms, callback, options)
    const shop = await openStoreForTest(kind, {
      effects: { now: () => clock.now(), after },
      orders: { fields: [], versions: false },
    })
    const { id, reference } = await saveOrder(shop.payload)
    expect((await shop.handle(exportRequest())).status).toBe(200)

    const stopped = new Date()
    clock.now = () => stopped
    let settingsRead = 0
    const end = beforeStatements(shop.payload, (asked) => {
      if (JSON.stringify(asked).includes('shipping_settings')) settingsRead += 1
    })
    const ends: (number | 'export')[] = []
    const notices = Array.from({ length: 1000 }, async () => {
      const response = await shop.handle(noticeRequest({ order_number: reference }))
      if (response.status === 503) expect(response.headers.get('retry-after')).toBe('30')
      ends.push(response.status)
    })
    const page = shop.handle(exportRequest()).then(({ status }) => {
      ends.push('export')
      return status
    })
    expect(await page).toBe(200)
    await Promise.all(notices)
    end()

    expect(new Set(ends)).toEqual(new Set([200, 503, 'export']))
    expect(ends.filter((end) => end === 503)).toHaveLength(1000 - 4 - 200)
    // A few are recorded before the last ones hear that there is no room.
    const takenMeanwhile = ends.slice(0, ends.lastIndexOf(503)).filter((end) => end === 200)
    expect(takenMeanwhile.length).toBeLessThan(100)
    const takenBefore = ends.slice(0, ends.indexOf('export')).filter((end) => end === 200)
    expect(takenBefore.length).toBeLessThan(100)
    expect(settingsRead).toBeLessThan(10)
    expect(await readOrder(shop.payload, id)).toMatchObject({ status: 'shipped' })
  })
})

describe('500 notices at once, each over a connection of its own', { timeout }, () => {
  it('are all answered, and those beyond the line are told to come again', async () => {
    const shop = await openStoreForTest(anyKind)
    const { reference } = await saveOrder(shop.payload)
    const served = await serveStore(shop)
    onTestFinished(() => served.close())
    const path = '/actions/shippingconnect/orders/process?action=shipnotify'
    const answers = await Promise.all(
      Array.from({ length: 500 }, () =>
        served.write(
          `POST ${path}&order_number=${reference} HTTP/1.1`,
          'Host: shop.example',
          `Authorization: ${basic('ship', 'secret:ü')}`,
          'Content-Length: 0',
        ),
      ),
    )
    const statuses = answers.map(statusIn)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(250)
  })
})

const byId = (one: number, other: number) => one - other

describe.runIf(hasPostgres)('A database without a connection left (postgres)', () => {
  it('is a 503 that names when to come again, and nothing is stored', async () => {
    const shop = await openStore('postgres')
    const pool = { connectionString: shop.url, max: 1, connectionTimeoutMillis: 200 }
    const small = await joinStore('postgres', shop.url, {
      config: { db: postgresAdapter({ pool, push: false, idType: 'serial' }) },
    })
    const { id, reference } = await saveOrder(shop.payload)
    const taken = await small.payload.db.beginTransaction()
    const send = () => small.handle(noticeRequest({ order_number: reference }))

    const refused = await send()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
    expect(await readOrder(shop.payload, id)).toMatchObject({ status: 'processing' })
    if (taken !== null) await small.payload.db.rollbackTransaction(taken)
    expect((await send()).status).toBe(200)
    await small.close()
    await shop.close()
  })
})
