import { createLocalReq, initTransaction, killTransaction } from 'payload'
import { beforeEach, describe, expect, it } from 'vitest'
import { partsOf } from '../../support/parts.js'
import { saveOrder, anOrder, type SavedOrder } from '../../support/orders.js'
import { hasPostgres, isPooled } from '../../support/store.js'
import { eventShop } from './event-shop.js'

describe.runIf(hasPostgres)('A change in a transaction (postgres)', () => {
  let order: SavedOrder
  const shop = eventShop('postgres')
  beforeEach(async () => {
    order = await saveOrder(shop.payload)
    await shop.reported()
  })

  const names = async () => (await shop.events()).map(({ name }) => name)

  it('leaves nothing to send when it is rolled back', async () => {
    await shop.loseSends()
    const req = await createLocalReq({}, shop.payload)
    await initTransaction(req)
    const data = { status: 'completed' }
    await shop.payload.update({ collection: 'orders', id: order.id, data, req })
    await shop.payload.create({ collection: 'orders', data: anOrder(), req })
    await killTransaction(req)
    expect(await names()).toEqual([])
    await shop.restartFeeds()
    expect(await names()).toEqual(['Placed Order', 'Ordered Product'])
  })

  it('is sent once when two change the status to the same at once', async () => {
    const change = () => shop.update('orders', order.id, { status: 'completed' })
    await Promise.all([change(), change(), change()])
    expect((await names()).slice(2)).toEqual(['Completed Order'])
  })

  it('waits for no second connection, however many there are at once', async () => {
    // What a process remembers for some seconds has to be read anew, by one of them for all.
    const { sites, marketingSettings } = partsOf(shop.payload)
    sites.forget()
    marketingSettings.forget()
    const orders = Array.from({ length: 60 }, () => saveOrder(shop.payload))
    await Promise.all(orders)
    expect((await names()).filter((name) => name === 'Placed Order')).toHaveLength(61)
  })

  // PgBouncer has not as many connections.
  it.skipIf(isPooled)('waits for nobody who waits for a connection', async () => {
    const { sites, marketingSettings } = partsOf(shop.payload)
    // As many as the pool of a test store has, but for the one that Payload keeps to itself.
    const requests = await Promise.all(
      Array.from({ length: 29 }, () => createLocalReq({}, shop.payload)),
    )
    await Promise.all(requests.map((req) => initTransaction(req)))
    sites.forget()
    marketingSettings.forget()
    const others = Promise.all([marketingSettings.get(), sites.ofCommerceStore('main')])

    try {
      const [req = expect.fail()] = requests
      await saveOrder(shop.payload, anOrder(), { req })
    } finally {
      await Promise.all(requests.map((req) => killTransaction(req)))
    }
    await others
  })
})
