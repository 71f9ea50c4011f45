import { describe, expect, it } from 'vitest'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import { createProduct, createVariants } from '../../support/products.js'
import { databaseKinds } from '../../support/store.js'
import { catalogShop, image } from './catalog-shop.js'

describe.each(databaseKinds)('The catalog by the API (%s)', (kind) => {
  const shop = catalogShop(kind)
  const attributesOf = (of: 'item' | 'variant', id: unknown) => shop.entry(of, id)?.attributes
  const product = async (data = {}) => {
    const id = await createProduct(shop.payload, { image, inventory: 12, ...data })
    await shop.settle()
    return id
  }
  const only = (id: number) => `product-${id}`

  it('has a product with its price, its picture, its page and what is in stock', async () => {
    const id = await product()
    expect(shop.entries('item')).toMatchObject([
      {
        externalId: String(id),
        attributes: {
          title: 'Green tea',
          description: 'Green tea',
          url: `https://shop.example/tea/${id}`,
          image_full_url: image,
          price: 12.5,
          published: true,
          custom_metadata: { shop: 'shop.example', currency: 'USD' },
        },
      },
    ])
    expect(shop.entries('variant')).toMatchObject([
      {
        externalId: only(id),
        item: `$custom:::$default:::${id}`,
        attributes: { sku: 'TEA-1', price: 12.5, inventory_quantity: 12, inventory_policy: 1 },
      },
    ])
  })

  it('has each variant with what it costs and has in stock, and the least price for the item', async () => {
    const { product: id, variants } = await createVariants(shop.payload, [900, 700], {
      inventory: 3,
      product: { image },
    })
    await shop.settle()
    expect(attributesOf('item', id)).toMatchObject({ price: 7 })
    expect(variants.map((each) => attributesOf('variant', each))).toMatchObject([
      { price: 9, inventory_quantity: 3, image_full_url: image },
      { price: 7, inventory_quantity: 3, image_full_url: image },
    ])
    expect(shop.entries('variant')).toHaveLength(2)
  })

  it('follows a change within seconds, with no call for what stayed as it was', async () => {
    const [first, second] = [await product(), await product({ title: 'Oolong' })]
    const since = shop.now()
    await shop.update('products', first, { title: 'Black tea', priceInUSD: 900 })
    await shop.settle(10_000)
    expect(attributesOf('item', first)).toMatchObject({ title: 'Black tea', price: 9 })
    expect(attributesOf('variant', only(first))).toMatchObject({ title: 'Black tea', price: 9 })
    expect(shop.catalogCalls(since).filter((name) => name.startsWith('update-'))).toHaveLength(2)
    expect(shop.entry('item', second)?.arrivals).toBe(1)
  })

  it('knows that somebody bought the last one, though no hook runs then', async () => {
    const id = await product()
    const { product: other, variants } = await createVariants(shop.payload, [900], {
      inventory: 3,
      product: { image },
    })
    await shop.settle()
    const buy = (collection: 'products' | 'variants', bought: number, count: number) =>
      shop.payload.db.updateOne({
        collection,
        id: bought,
        data: { inventory: { $inc: -count } },
        req: {},
      })
    shop.move(1_000)
    await buy('products', id, 12)
    await buy('variants', variants[0] ?? 0, 3)
    await shop.settle(10_000)
    const soldOut = { inventory_quantity: 0, inventory_policy: 1, published: true }
    expect(attributesOf('variant', only(id))).toMatchObject(soldOut)
    expect(attributesOf('variant', variants[0])).toMatchObject(soldOut)
    expect(attributesOf('item', other)).toMatchObject({ published: true })
  })

  it('takes what is unpublished for what nobody can buy now, and keeps it', async () => {
    const id = await product()
    await shop.update('products', id, { _status: 'draft' })
    await shop.settle(10_000)
    expect(attributesOf('item', id)).toMatchObject({ published: false, title: 'Green tea' })
    expect(attributesOf('variant', only(id))).toMatchObject({ published: false })
    await shop.update('products', id, { _status: 'published' })
    await shop.settle(10_000)
    expect(attributesOf('item', id)).toMatchObject({ published: true })
    expect(attributesOf('variant', only(id))).toMatchObject({ published: true })
  })

  it('keeps an unpublished variant in the same way, and not one that is deleted', async () => {
    const { product: id, variants } = await createVariants(shop.payload, [900, 700, 800], {
      product: { image },
    })
    const [first = 0, second = 0, third = 0] = variants
    await shop.settle()
    await shop.update('variants', second, { _status: 'draft' })
    await shop.payload.delete({ collection: 'variants', id: third })
    await shop.settle(10_000)
    expect(attributesOf('variant', first)).toMatchObject({ published: true })
    expect(attributesOf('variant', second)).toMatchObject({ published: false })
    expect(shop.entry('variant', third)).toBeUndefined()
    expect(attributesOf('item', id)).toMatchObject({ published: true, price: 9 })
  })

  it.each(['deleted', 'trashed'])('loses what is %s, with its variants', async (how) => {
    const kept = await product()
    const { product: id } = await createVariants(shop.payload, [900, 700], { product: { image } })
    await shop.settle()
    expect(shop.entries('variant')).toHaveLength(3)
    if (how === 'trashed') {
      await shop.update('products', id, { deletedAt: new Date(shop.now()).toISOString() })
    } else {
      await shop.payload.delete({ collection: 'products', id })
    }
    await shop.settle(10_000)
    expect(shop.entries('item').map(({ externalId }) => externalId)).toEqual([String(kept)])
    expect(shop.entries('variant').map(({ externalId }) => externalId)).toEqual([only(kept)])
    const rows = await shop.payload.db.find({ collection: 'marketing-catalog', where: {} })
    expect(rows.docs).toHaveLength(2)
  })

  const deleteWhileRead = (id: number) => {
    const hooks = shop.payload.collections.products?.config.hooks.afterRead ?? []
    hooks.push(async () => {
      hooks.pop()
      await shop.payload.delete({ collection: 'products', id })
    })
  }

  it('loses what is deleted while it is read', async () => {
    const id = await product()
    await shop.update('products', id, { title: 'Black tea' })
    deleteWhileRead(id)
    await shop.settle()
    expect(shop.entries('item')).toEqual([])
    expect(shop.entries('variant')).toEqual([])
  })

  it('loses what is deleted while it is read for the first time', async () => {
    const kept = await product()
    deleteWhileRead(await createProduct(shop.payload, { image }))
    await shop.settle()
    expect(shop.entries('item').map(({ externalId }) => externalId)).toEqual([String(kept)])
    expect(shop.entries('variant').map(({ externalId }) => externalId)).toEqual([only(kept)])
  })

  it('loses a variant in the trash, and has it again when it comes back', async () => {
    const { variants } = await createVariants(shop.payload, [900, 700], { product: { image } })
    const [, second = 0] = variants
    await shop.settle()
    await shop.update('variants', second, { deletedAt: new Date(shop.now()).toISOString() })
    await shop.settle(10_000)
    expect(shop.entry('variant', second)).toBeUndefined()
    await shop.update('variants', second, { deletedAt: null })
    await shop.settle(10_000)
    expect(attributesOf('variant', second)).toMatchObject({ published: true, price: 7 })
  })

  it('has a variant under the product to which it was moved, and the least prices of both', async () => {
    const [from, to] = [
      await createVariants(shop.payload, [900, 700], { product: { image } }),
      await createVariants(shop.payload, [800, 600], { product: { image, title: 'Oolong' } }),
    ]
    const moved = from.variants[1] ?? 0
    await shop.payload.delete({ collection: 'variants', id: to.variants[1] ?? 0 })
    await shop.settle()
    expect(shop.entry('variant', moved)?.item).toBe(`$custom:::$default:::${from.product}`)
    await shop.update('variants', moved, {
      product: to.product,
      options: to.options.slice(1),
    })
    await shop.settle(20_000)
    expect(shop.entry('variant', moved)?.item).toBe(`$custom:::$default:::${to.product}`)
    expect(attributesOf('item', from.product)).toMatchObject({ price: 9 })
    expect(attributesOf('item', to.product)).toMatchObject({ price: 7 })
    expect(shop.entries('variant')).toHaveLength(3)
    expect(await shop.counts('done')).toBe(5)
  })

  it('has no variants of a product that has none any more, and its own stock when it is sold without', async () => {
    const { product: id, variants } = await createVariants(shop.payload, [900, 700], {
      product: { image, inventory: 4 },
    })
    await shop.settle()
    await shop.payload.delete({ collection: 'variants', where: { product: { equals: id } } })
    await shop.settle(10_000)
    expect(shop.entries('variant')).toEqual([])
    expect(attributesOf('item', id)).toMatchObject({ published: true, price: null })
    await shop.update('products', id, { enableVariants: false })
    await shop.settle(10_000)
    expect(shop.entries('variant').map(({ externalId }) => externalId)).toEqual([only(id)])
    expect(attributesOf('variant', only(id))).toMatchObject({ inventory_quantity: 4, price: 12.5 })
    expect(variants).toHaveLength(2)
  })

  it('has the newest of a product that changed, or went, while Klaviyo worked on it', async () => {
    shop.account({ catalogSeconds: 15 })
    const ids = [0, 1, 2].map(() => createProduct(shop.payload, { image, inventory: 12 }))
    const [changed = 0, gone = 0, unpublished = 0] = await Promise.all(ids)
    await shop.settle(5_000)
    expect(await shop.counts('job')).toBe(3)
    await shop.update('products', changed, { title: 'Oolong' })
    await shop.update('products', unpublished, { _status: 'draft' })
    await shop.payload.delete({ collection: 'products', id: gone })
    await shop.settle(120_000)
    expect(attributesOf('item', changed)).toMatchObject({ title: 'Oolong' })
    expect(attributesOf('variant', only(changed))).toMatchObject({ title: 'Oolong' })
    expect(attributesOf('item', unpublished)).toMatchObject({ published: false })
    expect(attributesOf('variant', only(unpublished))).toMatchObject({ published: false })
    expect(shop.entries('item')).toHaveLength(2)
    expect(shop.entries('variant')).toHaveLength(2)
  })

  it('finds all of several hundred products that change at the same moment', async () => {
    const data = { title: 'Tea', image, priceInUSD: 900, _status: 'published' }
    for (let place = 0; place < 230; place++)
      await shop.payload.db.create({ collection: 'products', data, req: {} })
    await shop.settle(40_000)
    expect(shop.entries('item')).toHaveLength(230)
    expect(shop.entries('item').filter(({ attributes }) => attributes.published)).toHaveLength(230)
    const change = { collection: 'products', where: {}, data: { title: 'Oolong' }, req: {} }
    shop.move(1_000)
    await shop.payload.db.updateMany(change)
    await shop.settle(40_000)
    const titles = shop
      .entries('item')
      .map(({ attributes: { title, published } }) => [title, published])
    expect(titles.filter(([title, published]) => title === 'Oolong' && published)).toHaveLength(230)
  })

  it('shows what a schedule publishes, when it does', async () => {
    const id = await product({ _status: 'draft' })
    expect(shop.entries('item')).toEqual([])
    // What Payload's task does at the appointed time.
    await shop.update('products', id, { _status: 'published' })
    await shop.settle(10_000)
    expect(attributesOf('item', id)).toMatchObject({ published: true })
  })

  it('leaves out what Klaviyo could not show: no picture, or no price in the shop’s first currency', async () => {
    const [bare, unpriced] = [await product({ image: '' }), await product({ priceInUSD: null })]
    expect(shop.entry('item', bare)).toBeUndefined()
    expect(attributesOf('item', unpriced)).not.toHaveProperty('price')
    expect(shop.entries('variant')).toEqual([])
    await shop.update('products', bare, { image })
    await shop.settle(10_000)
    expect(shop.entry('item', bare)).toBeDefined()
  })

  it('says that a stock which nobody counts is no reason not to show it', async () => {
    const id = await product({ inventory: null })
    expect(attributesOf('variant', only(id))).toMatchObject({ inventory_policy: 2 })
  })

  it('mends each night what somebody changed at Klaviyo, and leaves theirs alone', async () => {
    const [changed, gone, other] = [await product(), await product(), await product()]
    const { catalog } = shop.standIn.state
    catalog.change('item', String(changed), { title: 'Cheap tea' })
    catalog.remove('variant', only(gone))
    // What the shop lost the memory of is still the shop's; a merchant's own is not.
    const ours = { title: 'Old tea', custom_metadata: { shop: 'shop.example' } }
    catalog.put('item', '9999', ours)
    catalog.put('item', 'gift-card', { title: 'Gift card' })
    await shop.settle()
    expect(attributesOf('item', changed)).toMatchObject({ title: 'Cheap tea' })
    shop.passNight()
    await shop.settle(60_000)
    expect(attributesOf('item', changed)).toMatchObject({ title: 'Green tea' })
    expect(shop.entry('variant', only(gone))).toBeDefined()
    expect(shop.entry('item', 9999)).toBeUndefined()
    expect(attributesOf('item', 'gift-card')).toEqual({ title: 'Gift card' })
    expect(shop.entry('item', other)?.arrivals).toBe(1)
    const calls = shop.catalogCalls().length
    await shop.settle()
    expect(shop.catalogCalls()).toHaveLength(calls)
  })

  it('deletes each night what Klaviyo has on all of its pages and the shop no longer knows', async () => {
    const id = await product()
    const ours = { title: 'Old tea', custom_metadata: { shop: 'shop.example' } }
    for (let place = 0; place < 250; place++)
      shop.standIn.state.catalog.put('item', `old-${place}`, ours)
    shop.passNight()
    await shop.settle(60_000)
    expect(shop.entries('item').map(({ externalId }) => externalId)).toEqual([String(id)])
    expect(shop.catalogCalls().filter((name) => name === 'delete-items')).toHaveLength(3)
  })

  it('has the categories, the brand and the price before a reduction', async () => {
    const about = { categories: ['Tea', 'Green'], brand: 'Kettle', compareAtPriceInUSD: 1500 }
    const id = await product(about)
    const named = () =>
      shop
        .entry('item', id)
        ?.categories.map((of) => shop.standIn.state.catalog.of('category').get(of)?.attributes.name)
    expect(named()).toEqual(['Tea', 'Green'])
    const metadata = { brand: 'Kettle', compare_at_price: 15 }
    expect(attributesOf('item', id)).toMatchObject({ custom_metadata: metadata })
    expect(attributesOf('variant', only(id))).toMatchObject({ custom_metadata: metadata })
    await shop.update('products', id, { categories: ['Tea', 'Black'] })
    await shop.settle()
    expect(named()).toEqual(['Tea', 'Black'])
  })

  it('has new prices of a product whose category somebody deleted at Klaviyo', async () => {
    const id = await product({ categories: ['Tea'] })
    const [category] = shop.entries('category')
    shop.standIn.state.catalog.remove('category', category?.externalId ?? '')
    await shop.update('products', id, { priceInUSD: 900 })
    await shop.settle(30_000)
    expect(attributesOf('item', id)).toMatchObject({ price: 9 })
    expect(await shop.counts('refused')).toBe(0)
  })

  it('links to the primary site, and costs what it does in the first currency', async () => {
    const site = { enabled: true, store: 'tea', cartUrl: '/cart' }
    const sites = [
      { ...site, handle: 'de', name: 'DE', baseUrl: 'https://tee.example', primary: true },
      { ...site, handle: 'uk', name: 'UK', baseUrl: 'https://tea.example' },
    ]
    for (const data of sites) await shop.payload.create({ collection: 'sites', data })
    const id = await product({ image: '/tea.png', priceInJPY: 900 })
    expect(attributesOf('item', id)).toMatchObject({
      url: `https://tee.example/tea/${id}`,
      image_full_url: 'https://tee.example/tea.png',
      price: 12.5,
      custom_metadata: { shop: 'tee.example', currency: 'USD' },
    })
  })

  it('is sent as a whole to another account', async () => {
    const id = await product()
    const other = shop.account({ apiKey: 'pk_other' })
    await shop.save({ privateApiKey: 'pk_other' })
    await shop.settle()
    expect([...other.state.catalog.of('item').values()]).toMatchObject([{ externalId: String(id) }])
  })

  it('is asked for and not sent again when the same account has a new key', async () => {
    const id = await product()
    const sent = () => shop.catalogCalls().filter((name) => /^(create|update)-/.test(name)).length
    const before = sent()
    shop.network = (request, ask) => {
      const headers = new Headers(request.headers)
      headers.set('authorization', `Klaviyo-API-Key ${demoApiKey}`)
      return ask(new Request(request, { headers }))
    }
    await shop.save({ privateApiKey: 'pk_new' })
    await shop.settle()
    expect(sent()).toBe(before)
    await shop.update('products', id, { title: 'Oolong' })
    await shop.settle()
    expect(attributesOf('item', id)).toMatchObject({ title: 'Oolong' })
  })

  it('is whole again when the shop goes to the feed and back on the same day', async () => {
    const [changed, deleted, lost] = [await product(), await product(), await product()]
    await shop.save({ catalog: 'feed' })
    await shop.settle()
    await shop.update('products', changed, { title: 'Oolong' })
    await shop.payload.delete({ collection: 'products', id: deleted })
    shop.standIn.state.catalog.remove('item', String(lost))
    await shop.settle()
    await shop.save({ catalog: 'api' })
    await shop.settle(60_000)
    expect(shop.entries('item').map(({ externalId }) => Number(externalId))).toEqual([
      changed,
      lost,
    ])
    expect(attributesOf('item', changed)).toMatchObject({ title: 'Oolong' })
    expect(shop.entry('variant', only(changed))?.arrivals).toBe(2)
  })

  it('is sent by nobody as long as the shop has its feed', async () => {
    await shop.save({ catalog: 'feed' })
    await createProduct(shop.payload, { image })
    await shop.settle()
    expect(shop.catalogCalls()).toEqual([])
    const rows = await shop.payload.db.find({ collection: 'marketing-catalog', where: {} })
    expect(rows.docs).toEqual([])
    await shop.save({ catalog: 'api' })
    await shop.settle()
    expect(shop.entries('item')).toHaveLength(1)
    await shop.save({ catalog: 'feed' })
    await shop.payload.delete({ collection: 'products', where: {} })
    await shop.settle()
    expect(shop.entries('item')).toHaveLength(1)
  })
})
