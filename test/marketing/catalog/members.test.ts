import { describe, expect, it } from 'vitest'
import { databaseKinds, openShapedStore } from '../../support/store.js'
import { catalogShop, image } from './catalog-shop.js'
import { membersConfig } from './members-config.js'

type Data = Record<string, unknown>

describe.each(databaseKinds)('The catalog of a shop with products for members (%s)', (kind) => {
  const shop = catalogShop(kind, {
    open: (of, setup) => openShapedStore(of, (each, url) => membersConfig(each, url, setup)),
    cleared: ['sizes', 'goods', 'shelves', 'marketing-catalog', 'payload-kv'],
  })

  const create = async (collection: string, data: Data): Promise<string> =>
    String((await shop.payload.create({ collection, data })).id)
  const goods = (data: Data) =>
    create('goods', { image, priceInUSD: 900, inventory: 3, _status: 'published', ...data })
  const change = async (collection: string, id: string, data: Data) => {
    shop.move(1_000)
    await shop.payload.update({ collection, id, data, depth: 0 })
    await shop.settle()
  }
  /** What Klaviyo shows. */
  const shown = (of: 'item' | 'variant') =>
    shop
      .entries(of)
      .filter(({ attributes }) => attributes.published === true)
      .map(({ externalId }) => externalId)
      .sort()
  const feed = async () => {
    // The feed is kept for five minutes.
    shop.move(301_000)
    const url = 'https://shop.example/actions/marketingconnect/catalog/products'
    const items = (await (await shop.handle(new Request(url))).json()) as { id: string }[]
    return items.map(({ id }) => id).sort()
  }

  it('has what visitors may read, as the feed has it', async () => {
    const open = await goods({ title: 'Tee' })
    const closed = await goods({ title: 'Geheim', membersOnly: true })
    const draft = await goods({ title: 'Entwurf', _status: 'draft' })
    const unsaid = { collection: 'goods', id: open, data: { title: 'Noch nicht' }, draft: true }
    await shop.payload.update(unsaid)
    await shop.settle()
    expect(shop.entry('item', open)?.attributes).toMatchObject({ title: 'Tee' })
    expect(shop.entries('item').map(({ externalId }) => externalId)).toEqual([open])
    expect(shop.entries('variant').map(({ externalId }) => externalId)).toEqual([`product-${open}`])
    expect(await feed()).toEqual([open])

    await change('goods', closed, { membersOnly: false })
    await change('goods', draft, { _status: 'published' })
    await change('goods', open, { membersOnly: true })
    expect(shown('item')).toEqual([closed, draft].sort())
    expect(await feed()).toEqual(shown('item'))
    expect(shop.entry('item', open)?.attributes).toMatchObject({ title: 'Tee', published: false })
  })

  it('has in the night what a rule of its own shows from a day on', async () => {
    const hour = 3_600_000
    const id = await goods({ title: 'Neu', from: new Date(shop.now() + 5 * hour).toISOString() })
    await shop.settle()
    expect(shop.entries('item')).toEqual([])
    shop.passNight()
    await shop.settle(60_000)
    expect(shown('item')).toEqual([id])
    expect(await feed()).toEqual([id])
  })

  it('has no size, and no shelf, that is for members', async () => {
    const type = await create('variantTypes', { label: 'Size', name: 'size' })
    const option = (value: string) =>
      create('variantOptions', { label: value, value, variantType: type })
    const [small, large] = [await option('s'), await option('l')]
    const shelves = [
      await create('shelves', { title: 'Tees' }),
      await create('shelves', { title: 'Geheimes', membersOnly: true }),
    ]
    const id = await goods({ title: 'Tee', enableVariants: true, variantTypes: [type], shelves })
    const size = (of: string, data: Data) =>
      create('sizes', { product: id, options: [of], inventory: 3, _status: 'published', ...data })
    const open = await size(small, { priceInUSD: 900 })
    const closed = await size(large, { priceInUSD: 500, membersOnly: true })
    await shop.settle()
    expect(shop.entries('variant').map(({ externalId }) => externalId)).toEqual([open])
    expect(shop.entry('item', id)?.attributes).toMatchObject({ price: 9 })
    expect(shop.entries('category')).toMatchObject([{ attributes: { name: 'Tees' } }])

    await change('sizes', closed, { membersOnly: false })
    await change('sizes', open, { membersOnly: true })
    expect(shown('variant')).toEqual([closed])
    expect(shop.entry('item', id)?.attributes).toMatchObject({ price: 5 })
  })

  it('is asked for what is sold out, by whatever name, and not for what is for members', async () => {
    const type = await create('variantTypes', { label: 'Size', name: 'size' })
    const option = { label: 'S', value: 's', variantType: type }
    const tea = await goods({ title: 'Tee', enableVariants: true, variantTypes: [type] })
    const size = await create('sizes', {
      ...{ product: tea, options: [await create('variantOptions', option)] },
      ...{ priceInUSD: 900, inventory: 0, _status: 'published' },
    })
    const pot = await goods({ title: 'Kanne', inventory: 0 })
    const closed = await goods({ title: 'Geheim', inventory: 0, membersOnly: true })
    await shop.settle()
    expect((await shop.askFor({ productId: closed })).status).toBe(400)
    expect((await shop.askFor({ variantId: size })).status).toBe(200)
    expect((await shop.askFor({ productId: pot })).status).toBe(200)
    await shop.settle(5_000)
    const [ofSize, ofPot] = [size, `product-${pot}`].map((variant) => ({ variant, isTold: false }))
    expect(shop.waiting()).toEqual([ofSize, ofPot])
    await change('sizes', size, { inventory: 2 })
    expect(shop.waiting()).toEqual([{ ...ofSize, isTold: true }, ofPot])
    await change('goods', pot, { inventory: 1 })
    expect(shop.waiting()).toMatchObject([{ isTold: true }, { isTold: true }])
  })

  it('has texts in the primary language, whichever a form saves', async () => {
    const id = await goods({ title: 'Grüner Tee' })
    const data = { title: 'Green tea' }
    await shop.payload.update({ collection: 'goods', id, locale: 'en', data })
    const shelf = await create('shelves', { title: 'Tees' })
    const english = { collection: 'shelves', id: shelf, locale: 'en', data: { title: 'Teas' } }
    await shop.payload.update(english)
    await change('goods', id, { shelves: [shelf] })
    expect(shop.entry('item', id)?.attributes).toMatchObject({ title: 'Grüner Tee' })
    expect(shop.entries('category')).toMatchObject([{ attributes: { name: 'Tees' } }])
  })

  it('loses what is deleted or in the trash, whatever it is called', async () => {
    const [kept, deleted, trashed] = [
      await goods({ title: 'Assam' }),
      await goods({ title: 'Ceylon' }),
      await goods({ title: 'Darjeeling' }),
    ]
    await shop.settle()
    expect(shown('item')).toHaveLength(3)
    await shop.payload.delete({ collection: 'goods', id: deleted })
    await change('goods', trashed, { deletedAt: new Date(shop.now()).toISOString() })
    expect(shop.entries('item').map(({ externalId }) => externalId)).toEqual([kept])
    expect(shop.entries('variant').map(({ externalId }) => externalId)).toEqual([`product-${kept}`])
  })
})
