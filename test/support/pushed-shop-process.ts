import { sqliteAdapter } from '@payloadcms/db-sqlite'
import { ecommercePlugin } from '@payloadcms/plugin-ecommerce'
import { buildConfig, getPayload, type SanitizedConfig } from 'payload'
import { storeConnect } from '../../src/plugin.js'
import { bareConfig } from './bare-config.js'
import { pushSchema } from './push-schema.js'
import { openToUsers, withFields } from './store-shapes.js'

// A shop as a developer starts it: connecting pushes the schema. It says what it has stored. With `fill` it stores
// that first, and with `older` it makes the schema as editions did that had foreign keys to sites.
const [url = '', ...words] = process.argv.slice(2)
const isConnected = words.includes('connected')

const shop = (push: boolean): Promise<SanitizedConfig> =>
  buildConfig({
    ...bareConfig({ kind: 'sqlite', url }),
    db: sqliteAdapter({ client: { url: `file:${url}` }, push }),
    collections: [{ slug: 'users', auth: true, fields: [] }],
    plugins: [
      ecommercePlugin({
        ...openToUsers,
        carts: { allowGuestCarts: true },
        products: true,
        orders: {
          ordersCollectionOverride: withFields([], { versions: true }),
        },
      }),
      ...(isConnected ? [storeConnect({ isAdmin: () => true })] : []),
    ],
  })

if (words.includes('older')) await pushSchema(await shop(false))
const payload = await getPayload({ config: await shop(true) })
if (words.includes('fill')) {
  const data = { email: 'ada@shop.example', password: 'a-password' }
  const { id: customer } = await payload.create({ collection: 'users', data })
  const { id: product } = await payload.create({ collection: 'products', data: {} })
  const items = [{ product, quantity: 2 }]
  await payload.create({ collection: 'carts', data: { customer, items } })
  await payload.create({ collection: 'orders', data: { customer, items, status: 'processing' } })
}
if (words.includes('sell')) {
  const data = { name: 'Shop', handle: 'shop', baseUrl: 'https://shop.example' }
  const { id: site } = await payload.create({ collection: 'sites', data })
  const where = { id: { exists: true } }
  await payload.update({ collection: 'carts', where, data: { site } })
  await payload.update({ collection: 'orders', where, data: { site } })
}
interface Stored {
  customer: number
  items: { quantity: number }[]
  site?: number | null
}
const rows = async (collection: string) => {
  const { docs } = await payload.find({ collection, depth: 0 })
  return docs.map((doc) => {
    const { customer, items, site } = doc as unknown as Stored
    return { customer, items: items.map(({ quantity }) => quantity), site }
  })
}
const stored = { carts: await rows('carts'), orders: await rows('orders') }
process.stdout.write(`\n${JSON.stringify(stored)}\n`, () => process.exit(0))
