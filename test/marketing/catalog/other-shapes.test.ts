import { describe, expect, it } from 'vitest'
import { createProduct } from '../../support/products.js'
import { anyKind, databaseKinds, openShapedStore } from '../../support/store.js'
import { tenantConfig } from '../../stores/tenant-config.js'
import { openUuidStore } from '../../stores/uuid-store.js'
import { catalogShop, image } from './catalog-shop.js'

describe.each(databaseKinds)('The catalog of a shop with UUIDs and two languages (%s)', (kind) => {
  const shop = catalogShop(kind, {
    open: openUuidStore,
    config: { localization: { locales: ['de', 'en'], defaultLocale: 'de', fallback: true } },
    options: { productFields: { sku: 'weightUnit', brand: 'sku' } },
  })

  it('has its texts in the primary language, and its own field names', async () => {
    const data = { title: 'Grüner Tee', image, sku: 'Kettle', weightUnit: 'TEE-1', inventory: 2 }
    const { id } = await shop.payload.create({
      collection: 'products',
      data: { ...data, priceInUSD: 900, _status: 'published' },
    })
    const english = {
      collection: 'products',
      id,
      locale: 'en',
      data: { title: 'Green tea' },
    } as const
    await shop.payload.update(english)
    await shop.settle()
    expect(shop.entry('item', id)?.attributes).toMatchObject({
      title: 'Grüner Tee',
      url: `https://shop.example/tea/${id}`,
      custom_metadata: { brand: 'Kettle' },
    })
    expect(shop.entry('variant', `product-${id}`)?.attributes).toMatchObject({ sku: 'TEE-1' })
    shop.move(1_000)
    await shop.payload.update({ ...english, locale: 'de', data: { title: 'Sencha', inventory: 0 } })
    await shop.settle(10_000)
    expect(shop.entry('item', id)?.attributes).toMatchObject({ title: 'Sencha' })
    expect(shop.entry('variant', `product-${id}`)?.attributes).toMatchObject({
      inventory_quantity: 0,
    })
  })

  it('loses what is deleted, and in the night what its database lost past Payload', async () => {
    const ids = ['Assam', 'Ceylon', 'Darjeeling'].map(
      async (title) =>
        (
          await shop.payload.create({
            collection: 'products',
            data: { title, image, priceInUSD: 900, _status: 'published' },
          })
        ).id,
    )
    const [kept, deleted, lost] = await Promise.all(ids)
    await shop.settle()
    await shop.payload.delete({ collection: 'products', id: String(deleted) })
    await shop.payload.db.deleteOne({
      collection: 'products',
      where: { id: { equals: lost } },
      req: {},
    })
    await shop.settle(10_000)
    expect(shop.entry('item', deleted)).toBeUndefined()
    expect(shop.entry('item', lost)).toBeDefined()
    shop.passNight()
    await shop.settle(60_000)
    expect(shop.entries('item').map(({ externalId }) => externalId)).toEqual([kept])
    expect(shop.entries('variant')).toHaveLength(1)
  })

  it('has variants with ids of theirs', async () => {
    const sized = { label: 'Size', name: 'size' }
    const type = await shop.payload.create({ collection: 'variantTypes', data: sized })
    const option = await shop.payload.create({
      collection: 'variantOptions',
      data: { label: 'S', value: 's', variantType: type.id },
    })
    const shown = { _status: 'published', priceInUSD: 900 } as const
    const { id: product } = await shop.payload.create({
      collection: 'products',
      data: { title: 'Tee', image, enableVariants: true, variantTypes: [type.id], ...shown },
    })
    const { id } = await shop.payload.create({
      collection: 'variants',
      data: { product, options: [option.id], inventory: 3, ...shown },
    })
    await shop.settle()
    expect(shop.entries('variant')).toMatchObject([
      { externalId: id, item: `$custom:::$default:::${product}`, attributes: { price: 9 } },
    ])
    shop.move(1_000)
    await shop.payload.update({ collection: 'variants', id, data: { inventory: 0 }, depth: 0 })
    await shop.settle()
    expect((await shop.askFor({ variantId: String(id) })).status).toBe(200)
    await shop.settle(5_000)
    expect(shop.waiting()).toEqual([{ variant: id, isTold: false }])
    shop.move(1_000)
    await shop.payload.update({ collection: 'variants', id, data: { inventory: 1 }, depth: 0 })
    await shop.settle(5_000)
    expect(shop.waiting()).toMatchObject([{ isTold: true }])
  })
})

describe('The catalog of a shop whose sites are its tenants, and that has no ShipStation', () => {
  const shop = catalogShop(anyKind, {
    options: { shipping: false },
    open: (kind, setup) => openShapedStore(kind, (of, url) => tenantConfig(of, url, setup)),
    cleared: ['products', 'tenants', 'marketing-catalog', 'payload-kv'],
  })

  it('has the products of all with links to the main one', async () => {
    for (const tenant of [
      { domain: 'outlet.example', brand: 'outlet' },
      { domain: 'shop.example', isMain: true },
    ])
      await shop.payload.create({ collection: 'tenants', data: tenant })
    const id = await createProduct(shop.payload, { image })
    await shop.settle()
    expect(shop.entries('item')).toMatchObject([
      { externalId: String(id), attributes: { url: `https://shop.example/tea/${id}` } },
    ])
    await shop.update('products', id, { inventory: 0 })
    await shop.settle()
    expect((await shop.askFor({ productId: String(id) })).status).toBe(200)
    await shop.settle(5_000)
    await shop.update('products', id, { inventory: 1 })
    await shop.settle(5_000)
    expect(shop.waiting()).toEqual([{ variant: `product-${id}`, isTold: true }])
  })
})
