import { getPayload, type GlobalSlug } from 'payload'
import config from './payload.config'

// Run once: what the store has before its developer adds anything.

const globals: GlobalSlug[] = ['header', 'footer']

const payload = await getPayload({ config })
await Promise.all(globals.map((slug) => payload.updateGlobal({ slug, data: { navItems: [] } })))
await payload.create({
  collection: 'users',
  data: { email: 'admin@example.com', password: 'the admin', name: 'Ada', roles: ['admin'] },
})
const greenTea = {
  title: 'Green tea',
  slug: 'green-tea',
  inventory: 10,
  priceInUSDEnabled: true,
  priceInUSD: 2125,
  sku: 'TEA-1',
  weight: 100,
  weightUnit: 'g',
  _status: 'published',
} as const
await payload.create({ collection: 'products', data: greenTea })
for (const title of ['Home', 'About us', 'Thanks']) {
  await payload.create({
    collection: 'pages',
    data: {
      title,
      slug: title.toLowerCase().replace(' ', '-'),
      layout: [{ blockType: 'banner', text: `This is ${title}.` }],
      _status: 'published',
    },
  })
}
process.exit(0)
