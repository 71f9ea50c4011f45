import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqlDatabase } from '../../../src/database/database.js'
import { handlerOf, partsOf } from '../../../src/installation.js'
import { exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import type { DatabaseKind } from '../../support/store-config.js'
import { databaseKinds } from '../../support/store.js'
import { openVisitorBrowser } from '../../support/visitor-browser.js'
import { anOldOrder, makeMigratedStore, type MigratedStore } from './migrated-store.js'

const page = readFileSync(join(import.meta.dirname, '../../../docs/remove.md'), 'utf8')

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

/** Payload's command line starts many times. */
const patient = { timeout: 400_000 }

describe.each(databaseKinds)('Storeconnect is dropped as the page says (%s)', patient, (kind) => {
  let store: MigratedStore
  let schemaBefore: string[]

  beforeAll(async () => {
    store = await makeMigratedStore(kind)
    await store.payload('bare', 'migrate:create', 'bare')
    await store.payload('bare', 'migrate')
    schemaBefore = await schemaOf(store, kind)
    await store.payload('connected', 'migrate:create', 'storeconnect')
    await store.payload('connected', 'migrate')
  })
  afterAll(() => store.remove())

  it('from a store with sites, orders, shipments and sends; the shop keeps what is its own', async () => {
    const shipped = await useEverything(store)
    await store.use(task, (payload) =>
      payload.update({ collection: 'orders', id: shipped, data: { status: 'completed' } }),
    )
    const before = await shopOf(store)
    expect(before.orders).toMatchObject([
      { items: [{ quantity: 2 }] },
      { items: [{ quantity: 2 }] },
    ])

    await store.payload('bare', ...migrateCreate)
    await store.shell(correction[kind])
    await store.payload('bare', 'migrate')
    await store.use('bare', (payload) => sqlDatabase(payload).rows(sql.raw(deletion)))

    expect(await shopOf(store)).toEqual(before)
    expect(await schemaOf(store, kind)).toEqual(schemaBefore)
    expect(await keysOf(store)).toEqual([])
    await store.payload('bare', 'migrate:create', '--skip-empty')
    expect(store.migrations()).toHaveLength(3)
    await sell(store)
  })
})

/** Sells, ships, takes a post and has a cart on a site. Resolves to the id of the shipped order. */
async function useEverything(store: MigratedStore): Promise<number | string> {
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
      data: { title: 'Green tea', sku: 'TEA-1', _status: 'published' },
    })
    const lines = { customer, site: siteId, items: [{ product, quantity: 2 }] }
    const { id: cart } = await payload.create({ collection: 'carts', data: lines })
    await payload.create({ collection: 'orders', data: { ...anOldOrder, ...lines } })
    const { id, reference } = await payload.create({
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
    await openVisitorBrowser(handle).post(identify, { email: 'grace@example.com' }, { ajax: true })
    await partsOf(payload).delivery.runUntilIdle({ deadline: new Date(Date.now() + 30_000) })
    await payload.kv.set('storeconnect:test', { of: 'ours' })
    await payload.kv.set('shop:test', { of: 'the shop' })
    return id
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

const sell = (store: MigratedStore) =>
  store.use('bare', (payload) => payload.create({ collection: 'orders', data: anOldOrder }))

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
