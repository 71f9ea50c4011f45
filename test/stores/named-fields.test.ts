import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { valueAt } from '../../src/core/payload/document-value.js'
import type { StoreConnectOptions } from '../../src/types.js'
import {
  itemsOf,
  optionsOf,
  readExport,
  textAt,
  type XmlElement,
} from '../support/exported-orders.js'
import { storeConnect } from '../../src/plugin.js'
import { bareConfig } from '../support/bare-config.js'
import { catchUpFeeds } from '../support/catch-up-feeds.js'
import { anAddress, aLine } from '../support/orders.js'
import { exportRequest, noticeRequest } from '../support/shipping-requests.js'
import { emptyDatabase, type OwnDatabase } from '../support/own-database.js'
import { pushSchema } from '../support/push-schema.js'
import { readSends } from '../support/stored-sends.js'
import { anyKind, databaseKinds, startStore, type TestStore } from '../support/store.js'
import {
  namedFieldsConfig,
  namedFieldsStore,
  type NamedFieldsSetup,
} from './named-fields-config.js'

type Document = Record<string, unknown> & { id: number | string }

type Fields = NonNullable<StoreConnectOptions['fields']>
type ProductFields = NonNullable<StoreConnectOptions['productFields']>

/** What each of these paths of an order leads to, as the order below has it. */
const texts = {
  aText: 'A text',
  aTextarea: 'A textarea',
  anEmail: 'an@example.com',
  aCode: 'A code',
  aNumber: '7',
  aSelect: 'one',
  aRadio: 'two',
  inRow: 'In a row',
  inUnnamedTab: 'In a tab without a name',
  'details.note': 'In a group',
  'aTab.note': 'In a tab',
  wishes: 'Only in German',
  'localizedDetails.note': 'In a group of each language',
  'method.title': 'Express',
  'method.label': 'Over night',
  'localizedMethod.title': 'Express',
  'details.ways.title': 'Express',
  'methods.1.title': 'Express',
  'earlier.aText': 'Of an earlier order',
  'file.filename': 'label.png',
  'coupons.0.code': 'SPRING',
  'coupons.1.code': 'SUMMER',
  'coupons.0.label': 'Of spring',
  'coupons.0.more.code': 'MORE',
  'coupons.0.kind.title': 'Express',
  'coupons.0.kinds.1.title': 'Express',
  'coupons.1.parts.0.code': 'PART',
  'lists.0.code': 'In English',
  'grouped.rows.0.code': 'GROUPED',
}

const names = ['customerNotes', 'giftMessage', 'internalNotes', 'shippingMethod', 'discountCode']

/** The element of the order with the value of each name. */
const elements: Record<string, (order: XmlElement) => string> = {
  customerNotes: (order) => textAt(order, 'CustomerNotes'),
  giftMessage: (order) => textAt(order, 'GiftMessage'),
  internalNotes: (order) => textAt(order, 'InternalNotes'),
  shippingMethod: (order) => textAt(order, 'ShippingMethod'),
  discountCode: (order) =>
    String(itemsOf(order).find((item) => textAt(item, 'Adjustment') === 'true')?.Name),
}

/** Each store names as many of the paths as there are names. */
const paths = Object.keys(texts) as (keyof typeof texts)[]
const stores = paths
  .filter((_, index) => index % names.length === 0)
  .map((_, store) =>
    names.flatMap((name, index) => {
      const path = paths[store * names.length + index]
      return path === undefined ? [] : [{ name, path }]
    }),
  )

const common = {
  status: 'processing',
  customerEmail: 'ada@example.com',
  amount: 4250,
  currency: 'USD',
  shippingAddress: anAddress(),
  items: [aLine({ options: [] })],
}

describe.each(databaseKinds)('names of fields, whatever the fields are (%s)', (kind) => {
  let database: OwnDatabase
  let writer: TestStore
  let slow: Document
  let express: Document
  let order: Document
  beforeAll(async () => {
    database = await emptyDatabase(kind)
    await pushSchema(await namedFieldsConfig(kind, database.url))
    writer = await open({ reference: 'orderNumber' })
    slow = await create('methods', { title: 'Slow' })
    const price = { price: 1234, isGift: true }
    express = await create('methods', { title: 'Express', label: 'Over night', ...price })
    order = await anOrder()
  }, 120_000)
  afterAll(async () => {
    await writer.close()
    await database.remove()
  })

  const open = async (fields: Fields, more: NamedFieldsSetup = {}) => {
    const setup = { ...more, options: { fields, ...more.options } }
    const { url } = database
    return startStore(await namedFieldsConfig(kind, url, setup), { kind, url })
  }

  const create = async (collection: string, data: object, { payload } = writer) =>
    await payload.create({ collection, data, locale: 'en', depth: 0 })

  async function anOrder(): Promise<Document> {
    const png = { name: 'label.png', mimetype: 'image/png', size: pixel.length, data: pixel }
    const file = await writer.payload.create({ collection: 'files', data: {}, file: png })
    const earlier = await create('purchases', { ...common, aText: 'Of an earlier order' })
    const made = await create('purchases', {
      ...common,
      discountAmount: 100,
      aText: 'A text',
      aTextarea: 'A textarea',
      anEmail: 'an@example.com',
      aCode: 'A code',
      aNumber: 7,
      aSelect: 'one',
      aRadio: 'two',
      inRow: 'In a row',
      inUnnamedTab: 'In a tab without a name',
      details: { note: 'In a group', ways: express.id },
      aTab: { note: 'In a tab', code: 'TAB-1' },
      localizedNumber: 900,
      localizedBox: true,
      localizedDetails: { note: 'In a group of each language' },
      method: express.id,
      localizedMethod: express.id,
      methods: [slow.id, express.id],
      earlier: earlier.id,
      file: file.id,
      coupons: [
        {
          code: 'SPRING',
          label: 'Of spring',
          amount: 300,
          kind: express.id,
          kinds: [slow.id, express.id],
          more: { code: 'MORE' },
        },
        { code: 'SUMMER', parts: [{ code: 'PART' }] },
      ],
      lists: [{ code: 'In English' }],
      grouped: { rows: [{ code: 'GROUPED' }] },
    })
    const data = { wishes: 'Only in German', lists: [{ code: 'Auf Deutsch' }] }
    const where = { collection: 'purchases', id: made.id }
    await writer.payload.update({ ...where, data, locale: 'de' })
    return made
  }

  async function exported(store: TestStore, number: unknown) {
    const { orders } = await readExport(await store.handle(exportRequest()))
    const found = orders.find((each) => textAt(each, 'OrderNumber') === String(number))
    if (found === undefined) throw new Error(`${String(number)} is not exported.`)
    return found
  }

  it.each(stores)('lead to the value in the export (%#)', async (...cells) => {
    const fields = Object.fromEntries(cells.map(({ name, path }) => [name, path]))
    const store = await open({ reference: 'orderNumber', ...fields })
    const found = await exported(store, order.orderNumber)
    await store.close()
    const read = cells.map(({ name, path }) => [path, elements[name]?.(found)])
    const wanted = cells.map(({ name, path }) => [
      path,
      name === 'discountCode' ? `Discount ${texts[path]}` : texts[path],
    ])
    expect(Object.fromEntries(read)).toEqual(Object.fromEntries(wanted))
  })

  it.each([
    [{ shippingAmount: 'method.price', taxAmount: 'coupons.0.amount' }, ['12.34', '3.00', '42.50']],
    [{ amount: 'localizedNumber', gift: 'method.isGift' }, ['0.00', '0.00', '9.00', 'true']],
    [{ gift: 'localizedBox', shippingAmount: 'aNumber' }, ['0.07', '0.00', '42.50', 'true']],
  ] as const)('lead to amounts and boxes: %j', async (fields, wanted) => {
    const store = await open({ reference: 'orderNumber', ...fields })
    const found = await exported(store, order.orderNumber)
    await store.close()
    const parts = ['ShippingAmount', 'TaxAmount', 'OrderTotal', 'Gift']
    expect(parts.map((part) => textAt(found, part))).toMatchObject(
      Object.assign(['', '', '', 'false'], wanted),
    )
  })

  it("find an order by its number where the store's own numbers are of the type number", async () => {
    const store = await open({ reference: 'orderNumber', discountCode: 'coupons.0.code' })
    const { id, orderNumber } = await create(
      'purchases',
      { ...common, discountAmount: 100, coupons: [{ code: 'SPRING' }] },
      store,
    )
    const notice = (number: unknown) =>
      store.handle(noticeRequest({ order_number: String(number), tracking_number: 'JD014' }))
    expect((await notice(orderNumber)).status).toBe(200)
    expect((await notice('1')).status).toBe(404)
    expect((await notice('A-1')).status).toBe(404)
    expect(await store.payload.findByID({ collection: 'purchases', id })).toMatchObject({
      status: 'shipped',
      tracking: [{ trackingNumber: 'JD014' }],
    })

    await catchUpFeeds(store.payload)
    const sends = await readSends(store)
    const placed = sends.flatMap(({ message }) =>
      message.kind === 'event' && message.event.name === 'Placed Order' ? [message.event] : [],
    )
    expect(placed.map(({ properties }) => properties)).toContainEqual(
      expect.objectContaining({ OrderReference: String(orderNumber), DiscountCode: 'SPRING' }),
    )
    await store.close()
  })

  it.each(['aCode', 'aTextarea', 'anEmail', 'aSelect', 'aTab.code'])(
    'find an order by the text in %s',
    async (reference) => {
      const store = await open({ reference })
      const number = valueAt(order, reference)
      expect(textAt(await exported(store, number), 'OrderNumber')).toBe(number)
      const notice = noticeRequest({ order_number: String(number), tracking_number: 'JD014' })
      expect((await store.handle(notice)).status).toBe(200)
      await store.close()
    },
  )

  it.each([undefined, 0, 1])(
    'of products are followed to their end with a maxDepth of %s',
    async (maxDepth) => {
      const setup = maxDepth === undefined ? {} : { maxDepth }
      const productFields = {
        ...{ slug: 'localizedText', brand: 'maker', categories: 'makers' },
        ...{ image: 'gallery.0.image', sku: 'maker.name' },
      }
      const store = await open(
        { reference: 'orderNumber' },
        { ...setup, options: { productFields } },
      )
      const line = await aTea(create, order.file)
      const { orderNumber } = await create('purchases', { ...common, items: [line] }, store)
      const [item] = itemsOf(await exported(store, orderNumber))
      expect(optionsOf(item)).toEqual(['Size: Large'])
      expect(item).toMatchObject({
        SKU: 'Leaf & Co',
        Name: 'Green tea',
        UnitPrice: '21.00',
        ImageUrl: 'https://shop.example/api/files/file/label.png',
      })

      await catchUpFeeds(store.payload)
      const sends = await readSends(store)
      const bought = sends.flatMap(({ message }) =>
        message.kind === 'event' && message.event.name === 'Ordered Product' ? [message.event] : [],
      )
      expect(bought.map(({ properties }) => properties)).toContainEqual(
        expect.objectContaining({
          ...{ OrderReference: String(orderNumber), SKU: 'Leaf & Co' },
          ...{ Brand: 'Leaf & Co', Categories: ['Leaf & Co'] },
        }),
      )
      const feed = 'https://shop.example/actions/marketingconnect/catalog/products'
      const products: unknown = await (await store.handle(new Request(feed))).json()
      expect(products).toContainEqual(
        expect.objectContaining({
          id: String(line.product),
          link: 'https://shop.example/products/green-tea',
          image_link: 'https://shop.example/api/files/file/label.png',
          ...{ brand: 'Leaf & Co', categories: ['Leaf & Co'], sku: 'Leaf & Co', price: 21 },
        }),
      )
      await store.close()
    },
  )

  it('take over from the cart what its order has too: rows, documents and each language', async () => {
    const store = await open({
      reference: 'orderNumber',
      shippingMethod: 'method.title',
      discountCode: 'coupons.0.code',
      customerNotes: 'wishes',
    })
    const cart = await create('carts', {
      items: [],
      currency: 'USD',
      method: express.id,
      coupons: [{ code: 'CART', amount: 5 }],
      wishes: 'Ring twice',
    })
    const transaction = await create('transactions', { cart: cart.id, currency: 'USD', amount: 1 })
    for (const aText of ['once', 'once more']) {
      const data = { aText, ...common, discountAmount: 5, transactions: [transaction.id] }
      const made = await create('purchases', data, store)
      expect(made).toMatchObject({
        method: express.id,
        coupons: [{ code: 'CART', amount: 5 }],
        wishes: 'Ring twice',
      })
      const found = await exported(store, made.orderNumber)
      expect(names.map((name) => elements[name]?.(found))).toEqual([
        'Ring twice',
        '',
        '',
        'Express',
        'Discount CART',
      ])
    }
    await store.close()
  })
})

/** A large tea of a maker, with a picture in a gallery. */
async function aTea(
  create: (collection: string, data: object) => Promise<Document>,
  file: unknown,
) {
  const type = await create('variantTypes', { label: 'Size', name: 'size' })
  const size = { variantType: type.id, label: 'Large', value: 'large' }
  const option = await create('variantOptions', size)
  const maker = await create('makers', { name: 'Leaf & Co' })
  const product = await create('products', {
    title: 'Green tea',
    localizedText: 'green-tea',
    enableVariants: true,
    variantTypes: [type.id],
    maker: maker.id,
    makers: [maker.id],
    gallery: [{ image: file }],
    inventory: 10,
    _status: 'published',
  })
  const variant = await create('variants', {
    product: product.id,
    options: [option.id],
    inventory: 5,
    priceInUSDEnabled: true,
    priceInUSD: 2100,
    _status: 'published',
  })
  return { product: product.id, variant: variant.id, quantity: 1 }
}

const own = ['details.note', 'aTab.note', 'inRow', 'inUnnamedTab']
const ownText = ['aText', 'aTextarea', 'aCode', ...own]
const amounts = ['aNumber', 'localizedNumber', 'method.price', 'coupons.0.amount']
const anyText = [...paths, ...amounts]
const groups = ['details', 'aTab', 'grouped']
const relations = ['method', 'details.ways', 'earlier']

/** The paths that work for each name; Storeconnect refuses all others. */
const works: Record<keyof Fields, readonly string[]> = {
  ...{ number: ownText, customerEmail: [...ownText, 'anEmail'] },
  reference: [...ownText, 'anEmail', 'aNumber', 'aSelect', 'aRadio'],
  currency: ['aText', 'aSelect', 'aRadio', ...own],
  status: ['aSelect', 'aRadio'],
  customer: relations,
  ...{ site: [], transactions: [] },
  ...{ items: ['coupons', 'grouped.rows'], tracking: ['coupons', 'grouped.rows'] },
  shippingAddress: [...groups, ...relations],
  billingAddress: [...groups, ...relations],
  ...{ reason: anyText, customerNotes: anyText, giftMessage: anyText, internalNotes: anyText },
  ...{ shippingMethod: anyText, discountCode: anyText },
  ...{ amount: amounts, shippingAmount: amounts, taxAmount: amounts, discountAmount: amounts },
  // The lines of these orders have no field for it.
  refundedQuantity: [],
  refundedAmount: ['aNumber'],
  gift: ['aCheckbox', 'localizedBox', 'method.isGift'],
}

const others = [
  ...['aCheckbox', 'aDate', 'aJson', 'aPoint', 'aRichText', 'aJoin', 'aVirtual', 'aVirtualPath'],
  ...['texts', 'texts.0', 'numbers', 'selects', 'localizedNumber', 'localizedBox'],
  ...['method', 'localizedMethod', 'methods', 'methods.0', 'either', 'earlier', 'file', 'file.url'],
  ...['details', 'details.ways', 'localizedDetails', 'aTab', 'coupons', 'coupons.0', 'lists'],
  ...['grouped', 'grouped.rows', 'blocks', 'method.price', 'method.isGift', 'coupons.0.amount'],
  ...['details.nowhere', 'coupons.code', 'methods.title', 'either.title', 'blocks.0.code'],
  ...['method.nowhere', 'aJson.part', 'aText.part', 'grouped.rows.code'],
]

const productText = [
  ...['aNumber', 'aSelect', 'aVirtual', 'texts.0', 'localizedText', 'maker.name'],
  ...['makers.0.name', 'gallery.0.code', 'picture.url', 'picture.filename'],
]
const titled = [...productText, 'texts', 'maker', 'makers', 'makers.0']

const productWorks: Record<keyof ProductFields, readonly string[]> = {
  ...{ name: productText, sku: productText, slug: productText, description: productText },
  ...{ weight: productText, weightUnit: productText, location: productText },
  ...{ length: productText, width: productText, height: productText, dimensionUnit: productText },
  image: [...productText, 'picture', 'pictures.0', 'gallery.0.image'],
  ...{ categories: titled, brand: titled },
  compareAtPrice: ['price'],
}

const productOthers = [
  ...['aJson', 'aPoint', 'either', 'either.name', 'picture', 'pictures', 'pictures.0', 'gallery'],
  ...['gallery.image', 'gallery.0.image', 'makers.name', 'blocks', 'blocks.0.code', 'nowhere'],
  ...['maker.nowhere', 'picture.ulr', 'price', 'texts', 'maker', 'makers', 'makers.0'],
]

describe('a name of a field that Storeconnect cannot use', () => {
  const { plugins: [ecommerce] = [], ...rest } = namedFieldsStore({ isPlain: true })

  const { db } = bareConfig({ kind: anyKind, url: ':memory:' })
  const given = { ...rest, secret: 'secret', db }
  const extended = Promise.resolve(ecommerce?.(given) ?? given)

  const starts = async (options: StoreConnectOptions): Promise<string> => {
    try {
      await storeConnect({ collections: { orders: 'purchases' }, ...options })(await extended)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      return error.message
    }
    return 'starts'
  }

  const sentenceOf = (option: string, path: string) =>
    new RegExp(
      `^storeConnect\\(\\): ${option} is "${path}" of "[\\w.]+", .+\\. Name a field of type .+ in ${option}\\.$`,
    )

  it.each(Object.entries(works))(
    'is refused in fields.%s, and all others work',
    async (name, known) => {
      for (const path of new Set([...paths, ...others])) {
        expect([path, await starts({ fields: { [name]: path } })]).toEqual([
          path,
          known.includes(path)
            ? 'starts'
            : expect.stringMatching(sentenceOf(`fields.${name}`, path)),
        ])
      }
    },
  )

  it.each(Object.entries(productWorks))('is refused in productFields.%s', async (name, known) => {
    for (const path of new Set([...productText, ...productOthers])) {
      expect([path, await starts({ productFields: { [name]: path } })]).toEqual([
        path,
        known.includes(path)
          ? 'starts'
          : expect.stringMatching(sentenceOf(`productFields.${name}`, path)),
      ])
    }
  })

  it('is told to the developer in one sentence that says what to name instead', async () => {
    expect(await starts({ fields: { shippingMethod: 'method' } })).toBe(
      'storeConnect(): fields.shippingMethod is "method" of "purchases", which is a field of type relationship. Name a field of type text, textarea, email, code, number, select or radio in fields.shippingMethod.',
    )
    expect(await starts({ fields: { discountCode: 'coupons.code' } })).toContain(
      'but "coupons" holds several: say which, as in "coupons.0.code".',
    )
    expect(await starts({ fields: { reference: 'method.title' } })).toContain(
      'which is in a list or in another document. Name a field of type text, textarea, email, code, number, select or radio that the document has itself, with one value for all languages in fields.reference.',
    )
  })

  it('is added to orders and carts where they have none of that name', async () => {
    expect(await starts({ fields: { reference: 'nowhere', giftMessage: 'nowhereElse' } })).toBe(
      'starts',
    )
    expect(await starts({ fields: { reason: 'nowhere' } })).toContain('which does not exist')
  })

  it('is refused where a code of a link could not be written to carts', async () => {
    const restore = { acceptCoupon: () => true }
    for (const discountCode of ['coupons.0.code', 'method.title']) {
      expect(await starts({ fields: { discountCode }, restore })).toMatch(
        /^storeConnect\(\): fields\.discountCode is ".+" of "carts", which is in a list or in another document\./,
      )
    }
    expect(await starts({ fields: { discountCode: 'wishes' }, restore })).toContain(
      'which has a value for each language',
    )
    expect(await starts({ restore })).toBe('starts')
  })

  it("is the store's own matter while orders.map reads the orders", async () => {
    const map = () => {
      throw new Error('It is not called.')
    }
    expect(await starts({ fields: { customerNotes: 'aJson' }, orders: { map } })).toBe('starts')
  })
})

/** A PNG of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
