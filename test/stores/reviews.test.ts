import type { CollectionConfig } from 'payload'
import { describe, expect, it } from 'vitest'
import { eventShop } from '../marketing/feeds/event-shop.js'
import { saveOrder } from '../support/orders.js'
import { databaseKinds, openShapedStore } from '../support/store.js'
import { tenantConfig } from './tenant-config.js'
import { openUuidStore } from './uuid-store.js'

type Data = Record<string, unknown>

/** With other names, and drafts. */
const opinions: CollectionConfig = {
  slug: 'opinions',
  versions: { drafts: true },
  fields: [
    {
      name: 'from',
      type: 'group',
      fields: [
        { name: 'account', type: 'relationship', relationTo: 'users' },
        { name: 'mail', type: 'text' },
      ],
    },
    { name: 'about', type: 'relationship', relationTo: 'products' },
    { name: 'stars', type: 'select', options: ['1', '2', '3', '4', '5'] },
    { name: 'words', type: 'textarea' },
    { name: 'photos', type: 'array', fields: [{ name: 'url', type: 'text' }] },
    { name: 'state', type: 'text' },
  ],
}

const opinionFields = {
  customer: 'from.account',
  email: 'from.mail',
  product: 'about',
  rating: 'stars',
  text: 'words',
  images: 'photos',
  status: 'state',
}

describe.each(databaseKinds)('A review of a store of another shape (%s)', (kind) => {
  // Without ShipStation; a review counts once it is approved.
  const shop = eventShop(kind, {
    cleared: ['opinions'],
    config: {
      serverURL: 'https://shop.example',
      localization: { locales: ['de', 'en'], defaultLocale: 'de', fallback: true },
    },
    collections: [opinions],
    open: openUuidStore,
    options: {
      shipping: false,
      marketing: {
        reviews: { collection: 'opinions', fields: opinionFields, statuses: ['approved'] },
      },
    },
  })
  const submit = async (data: Data) => {
    shop.move(1_000)
    const created = { collection: 'opinions', data }
    return (await shop.payload.create(created)) as { id: string }
  }
  const change = (id: string, data: Data) => shop.update('opinions', id, data)

  it('is sent when it is published and has a status that the store names', async () => {
    const { id: about } = await shop.payload.create({
      collection: 'products',
      data: { title: 'Green tea', sku: 'TEA-1', _status: 'published' },
    })
    const from = { mail: 'grace@example.com' }
    const photos = [{ url: '/tea.jpg' }, { url: 'javascript:alert(1)' }]
    const { id } = await submit({ from, about, stars: '4', photos, _status: 'draft' })
    expect(await shop.events()).toEqual([])
    await change(id, { _status: 'published' })
    expect(await shop.events()).toEqual([])
    await change(id, { state: 'approved' })
    expect(await shop.events()).toMatchObject([
      {
        name: 'Submitted Review',
        properties: {
          review_id: id,
          review_rating: 4,
          review_images: ['https://shop.example/tea.jpg'],
          ProductID: about,
        },
      },
    ])
    // The next save goes on from the newest version.
    await change(id, { words: 'Better', _status: 'draft' })
    await change(id, { _status: 'published' })
    await shop.loseSends()
    await shop.restartFeeds()
    expect(await shop.events()).toEqual([])
  })

  it('names the product in the primary language, whichever a form saves', async () => {
    const product = { title: 'Grüner Tee', _status: 'published' }
    const { id: about } = await shop.payload.create({ collection: 'products', data: product })
    const english = { locale: 'en', data: { title: 'Green tea' } }
    await shop.payload.update({ collection: 'products', id: about, ...english })
    const from = { mail: 'ada@example.com' }
    const data = { from, about, words: 'Nice', state: 'approved', _status: 'published' }
    shop.move(1_000)
    await shop.payload.create({ collection: 'opinions', locale: 'en', data })
    const [event] = await shop.events()
    expect(event?.properties).toMatchObject({ ProductName: 'Grüner Tee', review_content: 'Nice' })
  })

  it('of a product that is gone is sent without it', async () => {
    const { payload } = shop
    const product = { title: 'Oolong', sku: 'OOLONG-1', _status: 'published' }
    const { id: about } = await payload.create({ collection: 'products', data: product })
    const from = { mail: 'ada@example.com' }
    await submit({ from, about, stars: '3', state: 'approved', _status: 'published' })
    await payload.delete({ collection: 'products', id: about })
    const events = await shop.events()
    expect(events.map(({ properties }) => properties.review_rating)).toEqual([3])
    expect(events[0]?.properties).not.toHaveProperty('ProductName')
  })

  it('is asked for though the shop does not use ShipStation', async () => {
    const order = await saveOrder(shop.payload)
    await shop.update('orders', order.id, { status: 'shipped' })
    await shop.reported()
    shop.move(7 * 24 * 60 * 60_000)
    expect((await shop.events(order.number)).map(({ name }) => name)).toEqual([
      'Placed Order',
      'Ordered Product',
      'Shipped Order',
      'Ready to Review',
    ])
  })

  it('that waits for its status is not sent once its author was erased', async () => {
    const from = { mail: 'Erased@example.com' }
    const { id } = await submit({ from, stars: '1', _status: 'published' })
    await shop.reported()
    await shop.parts.erasures.erase('erased@example.com', { orders: 'keep', door: 'command' })
    await change(id, { state: 'approved' })
    expect(await shop.events()).toEqual([])
  })

  it('of a deleted account is not sent either, though an email stands beside it in a draft', async () => {
    const login = { email: 'gone@example.com', password: 'a long password' }
    const { id: account } = await shop.payload.create({ collection: 'users', data: login })
    const from = { account, mail: 'typed@example.com' }
    const { id } = await submit({ from, stars: '1', _status: 'draft' })
    await shop.loseSends()
    await shop.payload.delete({ collection: 'users', id: account })
    await change(id, { state: 'approved', _status: 'published' })
    expect(await shop.events()).toEqual([])
  })
})

describe.each(databaseKinds)('A review of a store whose sites are its tenants (%s)', (kind) => {
  const shop = eventShop(kind, {
    cleared: ['opinions', 'products', 'tenants'],
    collections: [
      {
        slug: 'opinions',
        fields: [
          { name: 'email', type: 'email' },
          { name: 'product', type: 'relationship', relationTo: 'products' },
          { name: 'tenant', type: 'relationship', relationTo: 'tenants' },
        ],
      },
    ],
    open: (of, setup) => openShapedStore(of, (each, url) => tenantConfig(each, url, setup)),
    options: {
      productUrl: ({ productId }) => `/tea/${productId}`,
      marketing: { reviews: { collection: 'opinions' } },
    },
  })

  it('links to the site that it names, and else to that of the shop’s own URL', async () => {
    const create = async (collection: string, data: Data) =>
      (await shop.payload.create({ collection, data })).id
    const tenant = await create('tenants', { domain: 'shop.example', isMain: true })
    await create('tenants', { domain: 'outlet.example', brand: 'outlet' })
    const image = '/tea.png'
    const product = await create('products', { title: 'Tea', image, _status: 'published' })
    const email = 'ada@example.com'
    await create('opinions', { email, product, tenant })
    await create('opinions', { email, product })
    const events = await shop.events()
    expect(events.map(({ properties }) => [properties.ProductURL, properties.ImageURL])).toEqual([
      [`https://shop.example/tea/${product}`, 'https://shop.example/tea.png'],
      [`https://outlet.example/tea/${product}`, 'https://outlet.example/tea.png'],
    ])
  })
})
