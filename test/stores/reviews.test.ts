import type { CollectionConfig } from 'payload'
import { describe, expect, it } from 'vitest'
import { eventShop } from '../marketing/feeds/event-shop.js'
import { saveOrder } from '../support/orders.js'
import { databaseKinds } from '../support/store.js'
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
    config: { serverURL: 'https://shop.example' },
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
})
