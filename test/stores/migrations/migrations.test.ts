import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import { handlerOf, partsOf } from '../../../src/installation.js'
import { exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import { databaseKinds } from '../../support/store.js'
import { openVisitorBrowser } from '../../support/visitor-browser.js'
import { anOldOrder, makeMigratedStore, type MigratedStore } from './migrated-store.js'

describe.each(databaseKinds)("A store that keeps to Payload's migrations (%s)", (kind) => {
  let store: MigratedStore
  let klaviyo: ServedStandIn
  let soldBefore: number | string

  beforeAll(async () => {
    klaviyo = await serveKlaviyoStandIn({ port: 0 })
    store = await makeMigratedStore(kind)
    await store.payload('bare', 'migrate:create', 'bare')
    await store.payload('bare', 'migrate')
    soldBefore = await store.use('bare', async (payload) => {
      const { id } = await payload.create({ collection: 'orders', data: anOldOrder })
      return id
    })
    await store.payload('connected', 'migrate:create', 'storeconnect')
    await store.payload('connected', 'migrate')
  })
  afterAll(async () => {
    await store.remove()
    await klaviyo.close()
  })

  it('gets Storeconnect with one migration, which asks nothing', () => {
    expect(store.migrations()).toEqual([
      expect.stringMatching(/_bare\.ts$/),
      expect.stringMatching(/_storeconnect\.ts$/),
    ])
  })

  it('has nothing left for the next migration', async () => {
    await store.payload('connected', 'migrate:create', '--skip-empty')
    expect(store.migrations()).toHaveLength(2)
  })

  it('exports the orders that it had before, and new ones', async () => {
    await store.use({ delivery: 'task' }, async (payload) => {
      const sold = await payload.create({ collection: 'orders', data: anOldOrder })
      const pulled = await handlerOf(payload)(exportRequest())
      const xml = await pulled.text()
      expect(pulled.status).toBe(200)
      expect(xml).toContain(`<OrderID>${soldBefore}</OrderID>`)
      expect(xml).toContain(`<OrderID>${sold.id}</OrderID>`)
    })
  })

  it('keeps the shipment of an order that it had before', async () => {
    await store.use({ delivery: 'task' }, async (payload) => {
      const handle = handlerOf(payload)
      const xml = await (await handle(exportRequest())).text()
      const [, number = ''] =
        new RegExp(`<OrderID>${soldBefore}</OrderID><OrderNumber>(.*?)<`).exec(xml) ?? []
      const answer = await handle(
        noticeRequest({ order_number: number, carrier: 'UPS', tracking_number: '1Z' }),
      )
      expect(answer.status).toBe(200)
      const order = await payload.findByID({ collection: 'orders', id: soldBefore })
      expect(order).toMatchObject({ status: 'shipped', tracking: [{ trackingNumber: '1Z' }] })
    })
  })

  it('delivers what visitors post', async () => {
    const settings = { privateApiKey: demoApiKey }
    const marketing = { apiUrl: klaviyo.origin, delivery: 'task', settings } as const
    await store.use(marketing, async (payload) => {
      const posted = await openVisitorBrowser(handlerOf(payload)).post(
        '/actions/marketingconnect/api/identify',
        { email: 'grace@example.com' },
        { ajax: true },
      )
      expect(await posted.json()).toBe('success')
      await partsOf(payload).delivery.runUntilIdle({ deadline: new Date(Date.now() + 30_000) })
      klaviyo.standIn.settle()
      expect(klaviyo.standIn.state.profileByEmail('grace@example.com')).toBeDefined()
    })
  })
})
