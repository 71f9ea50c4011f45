import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { databaseKinds } from '../../support/store.js'
import { templateShop } from './template-shop.js'

/** Of what a shop has with Storeconnect: a site, and carts and orders that refer to it. */
const fill = `import { getPayload } from 'payload'
import config from './payload.config'

const payload = await getPayload({ config })
const { docs: [product] } = await payload.find({ collection: 'products' })
const site = await payload.create({
  collection: 'sites',
  data: { name: 'Shop', handle: 'shop', baseUrl: 'https://shop.example', cartUrl: '/cart', primary: true },
})
const customer = await payload.create({
  collection: 'users',
  data: { email: 'ada@example.com', password: 'correct horse', roles: ['customer'] },
})
const items = [{ product: product.id, quantity: 2 }, { product: product.id, quantity: 1 }]
const lines = { customer: customer.id, site: site.id, items, currency: 'USD' }
for (let each = 0; each < 20; each += 1) {
  const cart = await payload.create({ collection: 'carts', data: lines })
  const order = await payload.create({
    collection: 'orders',
    data: { ...lines, status: 'processing', amount: 6375 },
  })
  await payload.create({
    collection: 'transactions',
    data: { ...lines, order: order.id, cart: cart.id, status: 'succeeded', amount: 6375 },
  })
}
process.exit(0)
`

/** What a migration changes by itself. */
const ofPayload = [
  'payload_migrations',
  'payload_locked_documents',
  'payload_locked_documents_rels',
]

const patiently = { timeout: 600_000 }

describe.each(databaseKinds)('A shop that keeps to migrations (%s)', (kind) => {
  it(
    'loses no row of its own when the installer has taken Storeconnect out',
    patiently,
    async () => {
      const shop = await templateShop(kind)
      await shop.payload('migrate:create', 'shop')
      await shop.payload('migrate')
      await shop.payload('run', 'src/seed.ts')
      const columns = await shop.columns()
      for (const table of ofPayload) delete columns[table]

      expect(await shop.install('init')).toMatchObject({ code: 0 })
      await shop.payload('migrate')
      await shop.script(fill)
      const before = await shop.rows(columns)
      expect(
        [before.orders, before.orders_items, before.carts_items].map((rows) => rows?.length),
      ).toEqual([20, 40, 40])

      const { code, said } = await shop.install('remove')
      expect({ code, said }).toEqual({ code: 0, said })
      const migration = readdirSync(join(shop.folder, 'src/migrations')).find((name) =>
        name.endsWith('_without_storeconnect.ts'),
      )
      expect(said).toContain(`src/migrations/${migration} drops what Storeconnect has stored`)
      if (kind === 'sqlite') {
        shop.changeConfig('client: {', 'transactionOptions: {}, client: {')
        await expect(shop.payload('migrate')).rejects.toThrow('Take transactionOptions out')
        expect(await shop.rows(columns)).toEqual(before)
        shop.changeConfig('transactionOptions: {}, ', '')
      }
      await shop.payload('migrate')
      expect(await shop.rows(columns)).toEqual(before)
      expect(Object.keys(await shop.columns()).sort()).toEqual(
        [...Object.keys(columns), ...ofPayload].sort(),
      )
    },
  )
})
