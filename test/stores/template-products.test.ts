import type { Field } from 'payload'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findField } from '../../src/core/payload/field-search.js'
import type { StoreConnectOptions } from '../../src/plugin/options.js'
import { itemsOf, readExport } from '../support/exported-orders.js'
import { anOrder, saveOrder } from '../support/orders.js'
import { createProduct, createVariants } from '../support/products.js'
import { exportRequest } from '../support/shipping-requests.js'
import { databaseKinds, openShapedStore, type TestStore } from '../support/store.js'
import { templateConfig } from './template-config.js'

describe.each(databaseKinds)("The products of Payload's ecommerce template, on %s", (kind) => {
  let store: TestStore
  beforeAll(async () => {
    store = await openShapedStore(kind, (_, url) =>
      templateConfig({ kind, url, options: { addProductFields: true } }),
    )
  })
  afterAll(() => store.close())

  it('are exported with SKU, weight and the first picture of the gallery', async () => {
    const { payload } = store
    const file = { name: 'tea.png', mimetype: 'image/png', size: pixel.length, data: pixel }
    const { id: image } = await payload.create({ collection: 'media', data: {}, file })
    const { product, variants } = await createVariants(payload, [1250], {
      product: { gallery: [{ image }], weight: 250, weightUnit: 'g' },
      sku: 'TEA-1-S',
    })
    const line = { product, quantity: 1 }
    await saveOrder(payload, anOrder({ items: [line, { ...line, variant: variants[0] }] }))
    const { orders } = await readExport(await store.handle(exportRequest()))
    const picture = { Weight: '250', ImageUrl: 'https://shop.example/api/media/file/tea.png' }
    expect(orders.flatMap((order) => itemsOf(order))).toMatchObject([
      { SKU: 'TEA-1', ...picture },
      { SKU: 'TEA-1-S', ...picture },
    ])
  })
})

describe('The fields of products', () => {
  const fieldsWith = async (
    options: StoreConnectOptions,
    fields: { ofProducts?: Field[]; ofVariants?: Field[] } = {},
  ) => {
    const { collections } = await templateConfig({
      kind: 'sqlite',
      url: ':memory:',
      options,
      ...fields,
    })
    return Object.fromEntries(
      ['products', 'variants'].map((slug) => [
        slug,
        ['sku', 'code', 'weight', 'weightUnit'].flatMap((name) => {
          const field = findField(
            collections.find((each) => each.slug === slug)?.fields ?? [],
            name,
          )
          return field ? [`${name}: ${field.type}`] : []
        }),
      ]),
    )
  }

  const all = ['sku: text', 'weight: number', 'weightUnit: select']

  it('stay as they are by default', async () => {
    expect(await fieldsWith({})).toEqual({ products: [], variants: [] })
  })

  it('are added where they are missing', async () => {
    const options = { addProductFields: true }
    expect(await fieldsWith(options)).toEqual({ products: all, variants: all })
    const sku: Field = { name: 'sku', type: 'number' }
    const inTabs: Field = { type: 'tabs', tabs: [{ label: 'Stock', fields: [sku] }] }
    expect(await fieldsWith(options, { ofProducts: [inTabs] })).toEqual({
      products: ['sku: number', 'weight: number', 'weightUnit: select'],
      variants: all,
    })
  })

  it('have the names of the options', async () => {
    const options = { addProductFields: true, productFields: { sku: 'code' } }
    const named = ['code: text', 'weight: number', 'weightUnit: select']
    expect(await fieldsWith(options)).toEqual({ products: named, variants: named })
  })

  it('have no weight without ShipStation', async () => {
    expect(await fieldsWith({ addProductFields: true, shipping: false })).toEqual({
      products: ['sku: text'],
      variants: ['sku: text'],
    })
  })

  it.each([
    ['a picture of their own', {}, '/own.png'],
    ['a picture that the options name', { productFields: { image: 'cover' } }, '/cover.png'],
  ])('the gallery gives way to %s', async (_, options, expected) => {
    const text = (name: string): Field => ({ name, type: 'text' })
    const store = await openShapedStore('sqlite', (kind, url) =>
      templateConfig({
        kind,
        url,
        options,
        ofProducts: [text('cover'), ...(expected === '/own.png' ? [text('image')] : [])],
      }),
    )
    onTestFinished(() => store.close())
    const product = await createProduct(store.payload, { cover: '/cover.png', image: '/own.png' })
    const { items } = await saveOrder(store.payload, anOrder({ items: [{ product, quantity: 1 }] }))
    expect(items).toMatchObject([{ imageUrl: expected }])
  })
})

/** A PNG of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
