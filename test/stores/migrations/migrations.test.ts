import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { handlerOf } from '../../../src/core/installation.js'
import { wholePartsOf } from '../../support/parts.js'
import { TestBrowser } from '../../support/browser.js'
import { exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import type { DatabaseKind } from '../../support/store-config.js'
import { databaseKinds } from '../../support/store.js'
import { anOldOrder, makeMigratedStore, sellTea, type MigratedStore } from './migrated-store.js'

const page = readFileSync(join(import.meta.dirname, '../../../docs/upgrading.md'), 'utf8')

/** The blocks of code below what the page says, in their order. */
const [creation = '', onPostgres = '', onSqlite = '', deletion = ''] = [
  ...page.slice(page.indexOf('## Drop what is stored')).matchAll(/```(?:sh|sql)\n(.*?)```/gs),
].map(([, code = '']) => code)
const correction = { postgres: onPostgres, sqlite: onSqlite }

/** The parameters of Payload's command line. */
const migrateCreate = creation.replace('npx payload', '').trim().split(' ')

const task = { delivery: 'task' } as const

/** What the extension alone keeps. */
const shopCollections = [
  'shoppers',
  'products',
  'carts',
  'orders',
  'transactions',
  'addresses',
] as const

/** A store takes long to migrate, so one goes through all that a migration may bring. */
const inOrder = { timeout: 400_000, shuffle: false }

describe.each(databaseKinds)("A store that keeps to Payload's migrations (%s)", inOrder, (kind) => {
  let store: MigratedStore
  let schemaBefore: string[]
  let klaviyo: ServedStandIn
  let soldBefore: number | string

  beforeAll(async () => {
    klaviyo = await serveKlaviyoStandIn({ port: 0 })
    store = await makeMigratedStore(kind)
    await store.createMigration('bare', 'bare')
    await store.migrate('bare')
    schemaBefore = await schemaOf(store, kind)
    soldBefore = (await sell(store)).id
    await store.payload('connected', 'migrate:create', 'storeconnect')
    await store.migrate('connected')
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
    expect(await store.hasChanges('connected')).toBe(false)
    expect(store.migrations()).toHaveLength(2)
  })

  it('exports the orders that it had before, and new ones', async () => {
    await store.use(task, async (payload) => {
      const sold = await sellTea(payload)
      const pulled = await handlerOf(payload)(exportRequest())
      const xml = await pulled.text()
      expect(pulled.status).toBe(200)
      expect(xml).toContain(`<OrderID>${soldBefore}</OrderID>`)
      expect(xml).toContain(`<OrderID>${sold.id}</OrderID>`)
    })
  })

  it('keeps the shipment of an order that it had before', async () => {
    await store.use(task, async (payload) => {
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
      const posted = await new TestBrowser({ handle: handlerOf(payload) }).post(
        '/actions/marketingconnect/api/identify',
        { email: 'grace@example.com' },
        { ajax: true },
      )
      expect(await posted.json()).toBe('success')
      const { delivery } = await wholePartsOf(payload)
      await delivery.runUntilIdle({ deadline: new Date(Date.now() + 30_000) })
      klaviyo.standIn.settle()
      expect(klaviyo.standIn.state.profileByEmail('grace@example.com')).toBeDefined()
    })
  })

  // On PostgreSQL alone. On SQLite, Payload generates a way back that drops a table which others still
  // refer to, and that no transaction protects: a backup is the way back there.
  it.runIf(kind === 'postgres')(
    'can take the migration back with its orders kept, and apply it again',
    async () => {
      const sold = await store.use(task, sellTea)
      for (const migration of store.migrations()) store.mend(migration, withDropsThatMayBeDone)
      await expect(store.payload('connected', 'migrate:down')).rejects.toThrow(
        'invalid input value for enum',
      )
      await completeOrders(store)
      await store.payload('connected', 'migrate:down')
      const found = await store.use('bare', (payload) =>
        payload.findByID({ collection: 'orders', id: sold.id }),
      )
      expect(found).toMatchObject({ customerEmail: 'ada@example.com', amount: 4250 })

      const later = await sell(store)
      await store.migrate('connected')
      await store.use(task, async (payload) => {
        const xml = await (await handlerOf(payload)(exportRequest())).text()
        for (const order of [found, later]) expect(xml).toContain(`<OrderID>${order.id}</OrderID>`)
      })
    },
  )

  it('drops Storeconnect as the page says; the shop keeps what is its own', async () => {
    await useEverything(store)
    await completeOrders(store)
    const before = await shopOf(store)
    expect(before.carts).toHaveLength(1)

    await store.payload('bare', ...migrateCreate)
    await store.shell(correction[kind])
    await store.migrate('bare')
    await store.use('bare', (payload) => sqlDatabase(payload).rows(sql.raw(deletion)))

    expect(await shopOf(store)).toEqual(before)
    expect(await schemaOf(store, kind)).toEqual(schemaBefore)
    expect(await keysOf(store)).toEqual([])
    expect(await store.hasChanges('bare')).toBe(false)
    expect(store.migrations()).toHaveLength(3)
    await sell(store)
  })
})

/** No order may have a status that Storeconnect has added. */
const completeOrders = (store: MigratedStore) =>
  store.use(task, (payload) =>
    payload.update({
      collection: 'orders',
      where: { status: { equals: 'shipped' } },
      data: { status: 'completed' },
    }),
  )

/** Sells, ships, takes a post and has a cart on a site. */
async function useEverything(store: MigratedStore): Promise<void> {
  return store.use(task, async (payload) => {
    const site = { name: 'Shop', handle: 'shop', baseUrl: 'https://shop.example', cartUrl: '/cart' }
    const { id: siteId } = await payload.create({
      collection: 'sites',
      data: { ...site, enabled: true, primary: true },
    })
    const { id: customer } = await payload.create({
      collection: 'shoppers',
      data: { email: 'ada@example.com', password: 'correct horse' },
    })
    const { id: product } = await payload.create({
      collection: 'products',
      data: { title: 'Green tea', sku: 'TEA-1', priceInUSD: 2125, _status: 'published' },
    })
    const lines = { customer, site: siteId, items: [{ product, quantity: 2 }] }
    const { id: cart } = await payload.create({ collection: 'carts', data: lines })
    await payload.create({ collection: 'orders', data: { ...anOldOrder, ...lines } })
    const { reference, id } = await payload.create({
      collection: 'orders',
      data: { ...anOldOrder, ...lines },
    })
    await payload.create({
      collection: 'transactions',
      data: { ...lines, order: id, cart, status: 'succeeded', amount: 4250, currency: 'USD' },
    })
    await payload.create({
      collection: 'addresses',
      data: { ...anOldOrder.shippingAddress, customer },
    })
    await payload.updateGlobal({ slug: 'shipping-settings', data: { pageSize: '7' } })
    const handle = handlerOf(payload)
    expect((await handle(exportRequest())).status).toBe(200)
    const notice = { order_number: String(reference), carrier: 'UPS', tracking_number: '1Z' }
    expect((await handle(noticeRequest(notice))).status).toBe(200)
    const identify = '/actions/marketingconnect/api/identify'
    await new TestBrowser({ handle }).post(identify, { email: 'grace@example.com' }, { ajax: true })
    const { delivery } = await wholePartsOf(payload)
    await delivery.runUntilIdle({ deadline: new Date(Date.now() + 30_000) })
    await payload.kv.set('storeconnect:test', { of: 'ours' })
    await payload.kv.set('shop:test', { of: 'the shop' })
  })
}

/** What the shop had without Storeconnect, and has now. */
async function shopOf(store: MigratedStore) {
  return store.use('bare', async (payload) => {
    const found = shopCollections.map(async (collection) => {
      const { docs } = await payload.find({ collection, depth: 0, pagination: false, sort: 'id' })
      return [collection, docs] as const
    })
    return Object.fromEntries(await Promise.all(found))
  })
}

const sell = (store: MigratedStore) => store.use('bare', sellTea)

async function keysOf(store: MigratedStore): Promise<string[]> {
  const keys = await store.use('bare', (payload) => payload.kv.keys())
  return keys.filter((key) => key.startsWith('storeconnect:'))
}

/** Every column and index of the database. */
async function schemaOf(store: MigratedStore, kind: DatabaseKind): Promise<string[]> {
  const query =
    kind === 'sqlite'
      ? sql`select t.name || '.' || c.name as name from sqlite_master t
            join pragma_table_info(t.name) c where t.type = 'table'
            union all select name from sqlite_master where type = 'index'`
      : sql`select table_name || '.' || column_name as name from information_schema.columns
            where table_schema = 'public'
            union all select indexname from pg_indexes where schemaname = 'public'`
  const rows = await store.use('bare', (payload) => sqlDatabase(payload).rows(query))
  return rows.map(({ name }) => String(name)).sort()
}

/**
 * Payload's own generator drops tables first, and then constraints that went with them
 * (https://github.com/payloadcms/payload/issues/14800).
 */
const withDropsThatMayBeDone = (text: string) =>
  text.replace(/DROP (CONSTRAINT|INDEX) (?!IF)/g, 'DROP $1 IF EXISTS ')
