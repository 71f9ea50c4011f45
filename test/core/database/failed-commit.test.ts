import { createClient } from '@libsql/client'
import { sqliteAdapter } from '@payloadcms/db-sqlite'
import { sql } from 'drizzle-orm'
import type { CollectionAfterChangeHook } from 'payload'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { createProduct } from '../../support/products.js'
import { saveOrder } from '../../support/orders.js'
import { storeDatabase } from '../../support/own-database.js'
import { noticeRequest } from '../../support/shipping-requests.js'
import { sharedStore } from '../../support/shared-store.js'
import { hasPostgres, joinStore, openStore, removing } from '../../support/store.js'

/** Payload itself says nothing of it. */
describe.runIf(hasPostgres)('A commit that fails (postgres)', () => {
  const run = (statement: string) => sqlDatabase(store.payload).rows(sql.raw(statement))
  const refuse = (table: string) =>
    run(`create constraint trigger refused after insert or update on ${table}
      deferrable initially deferred for each row execute function refuse()`)
  const allow = (table: string) => run(`drop trigger refused on ${table}`)

  const store = sharedStore('postgres')
  beforeAll(async () => {
    await run(`create function refuse() returns trigger language plpgsql
      as $$ begin raise exception 'refused at the end'; end $$`)
  })

  it('is no shipment that was taken: the platform posts it again', async () => {
    const { id, reference } = await saveOrder(store.payload)
    const notify = async () =>
      (await store.handle(noticeRequest({ order_number: reference }))).status
    const isShipped = async () => {
      const { status } = await store.payload.findByID({ collection: 'orders', id })
      return status !== 'processing'
    }
    await refuse('shipping_notices')
    expect([await notify(), await isShipped()]).toEqual([500, false])
    await allow('shipping_notices')
    expect([await notify(), await isShipped()]).toEqual([200, true])
  })

  it('is none where a hook has rolled back what it was called in', async () => {
    const rollback: CollectionAfterChangeHook = async ({ operation, req }) => {
      const id = await req.transactionID
      if (operation === 'update' && id !== undefined) await req.payload.db.rollbackTransaction(id)
    }
    const other = await openStore('postgres', { orderHooks: { afterChange: [rollback] } })
    const { reference } = await saveOrder(other.payload)
    const response = await other.handle(noticeRequest({ order_number: reference }))
    await other.close()
    expect(response.status).toBe(500)
  })

  it('is no change of a cart', async () => {
    const productId = String(await createProduct(store.payload, { inventory: 10 }))
    const browser = store.aBrowser()
    const add = async () =>
      (await browser.post('/actions/commerce/cart/update-cart', { productId }, { ajax: true }))
        .status
    expect(await add()).toBe(200)
    await refuse('carts')
    expect(await add()).toBe(500)
    await allow('carts')
    expect(await add()).toBe(200)
  })
})

it('A commit that fails (sqlite, with transactions) is no shipment that was taken', async () => {
  const own = await storeDatabase('sqlite')
  const client = { url: `file:${own.url}` }
  const db = sqliteAdapter({ client, push: false, transactionOptions: {} })
  const store = await removing(own, () => joinStore('sqlite', own.url, { config: { db } }))
  const reader = createClient(client)
  onTestFinished(() => {
    reader.close()
    return store.close()
  })
  const { id, reference } = await saveOrder(store.payload)
  // SQLite cannot write into the file while another process reads.
  await reader.execute('begin')
  await reader.execute('select 1 from orders')
  const { status } = await store.handle(noticeRequest({ order_number: reference }))
  const order = await store.payload.findByID({ collection: 'orders', id })
  expect([status, order.status]).toEqual([503, 'processing'])
})
