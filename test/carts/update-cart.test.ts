import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CartSummary } from '../../src/carts/update-cart-action.js'
import { lineLimit } from '../../src/carts/cart-change.js'
import { createProduct, createVariants } from '../support/products.js'
import { sharedStore } from '../support/shared-store.js'
import { databaseKinds, joinStore, openStore } from '../support/store.js'
import { shopOrigin, type TestBrowser } from '../support/browser.js'

const path = '/actions/commerce/cart/update-cart'

describe.each(databaseKinds)('commerce/cart/update-cart on %s', (kind) => {
  let browser: TestBrowser
  let tea: number

  const store = sharedStore(kind)
  beforeAll(async () => {
    tea = await createProduct(store.payload)
  })
  beforeEach(() => {
    browser = store.aBrowser()
  })

  const ask = async (parameters: Record<string, string>, from = browser) => {
    const response = await from.post(path, parameters, { ajax: true })
    return { status: response.status, text: await response.text() }
  }
  const change = async (parameters: Record<string, string>, from = browser) => {
    const { status, text } = await ask(parameters, from)
    expect({ status, text }).toMatchObject({ status: 200 })
    return JSON.parse(text) as CartSummary
  }
  const refusal = async (parameters: Record<string, string>) => {
    const { status, text } = await ask(parameters)
    expect(status).toBe(400)
    return (JSON.parse(text) as { errors: { message: string }[] }).errors[0]?.message
  }
  const storedCart = (id: unknown) =>
    store.payload.findByID({ collection: 'carts', id: Number(id), depth: 0 })
  const write = (id: unknown, data: object) =>
    store.payload.update({ collection: 'carts', id: Number(id), data })

  it('adds a product, once by default, to a cart that it creates, and keeps the key to itself', async () => {
    const response = await browser.post(path, { productId: String(tea) }, { ajax: true })
    const text = await response.text()
    const cart = JSON.parse(text) as CartSummary
    expect(cart).toEqual({
      id: expect.any(Number) as number,
      number: expect.stringMatching(/^[\da-f]{32}$/) as string,
      items: [{ id: expect.any(String) as string, productId: tea, variantId: null, quantity: 1 }],
      quantity: 1,
      subtotal: 1250,
      currency: 'USD',
    })
    const saved = (await storedCart(cart.id)) as { secret?: string }
    expect(saved).toMatchObject({ subtotal: 1250, customer: null })
    expect(saved.secret).toMatch(/^[\da-f]{40}$/)
    expect(text + JSON.stringify([...response.headers])).not.toContain(saved.secret)
  })

  it('adds to the line that is there, and several things at once', async () => {
    const ink = await createProduct(store.payload, { title: 'Ink', priceInUSD: 900 })
    await change({ productId: String(tea), qty: '2' })
    const cart = await change({
      'items[0][productId]': String(tea),
      'items[0][qty]': '3',
      'items[1][productId]': String(ink),
    })
    const items = cart.items.map(({ productId, quantity }) => [productId, quantity])
    expect(items).toEqual([
      [tea, 5],
      [ink, 1],
    ])
    expect(cart).toMatchObject({ quantity: 6, subtotal: 7150 })
  })

  it('adds a variant, and knows its product by itself', async () => {
    const { product, variants } = await createVariants(store.payload, [500, 800])
    const cart = await change({ variantId: String(variants[1]) })
    expect(cart.items).toMatchObject([{ productId: product, variantId: variants[1] }])
    expect(cart.subtotal).toBe(800)
  })

  it('changes and removes lines by their ids', async () => {
    const ink = await createProduct(store.payload, { priceInUSD: 900 })
    const { items } = await change({
      'items[0][productId]': String(tea),
      'items[1][productId]': String(ink),
    })
    const [first, second] = items.map(({ id }) => id)
    const more = await change({ [`lineItems[${first}][qty]`]: '4' })
    expect(more.items.map(({ quantity }) => quantity)).toEqual([4, 1])
    expect(more.items.map(({ id }) => id)).toEqual([first, second])
    const fewer = await change({ [`lineItems[${first}][remove]`]: '1' })
    expect(fewer.items.map(({ id }) => id)).toEqual([second])
    const none = await change({ [`lineItems[${second}][qty]`]: '0' })
    expect(none).toMatchObject({ items: [], quantity: 0, subtotal: 0 })
  })

  it('empties the cart before it adds', async () => {
    const { id } = await change({ productId: String(tea), qty: '7' })
    const cart = await change({ clearLineItems: '1', productId: String(tea) })
    expect(cart).toMatchObject({ id, quantity: 1 })
    expect(await change({ clearLineItems: '1' })).toMatchObject({ id, items: [] })
  })

  it('creates no cart for a post that puts nothing in', async () => {
    const before = await store.payload.count({ collection: 'carts' })
    expect(await change({})).toMatchObject({ id: null, items: [], quantity: 0 })
    expect(await change({ clearLineItems: '1' })).toMatchObject({ id: null })
    expect(await change({ productId: String(tea), qty: '0' })).toMatchObject({ id: null })
    expect(await store.payload.count({ collection: 'carts' })).toEqual(before)
    expect((await browser.session()).cartId).toBeUndefined()
  })

  it.each([
    ['a product that is not there', { productId: '999999' }, 'productId'],
    ['a product id that no product can have', { productId: 'tea' }, 'productId'],
    ['a product id beyond all ids', { productId: '99999999999999' }, 'productId'],
    ['a variant that is not there', { variantId: '999999' }, 'variantId'],
    ['an item without an id', { 'items[0][qty]': '1' }, 'items[0][productId]'],
    ['an item that is a text', { 'items[0]': 'tea' }, 'items[0]'],
    ['a line that is not there', { 'lineItems[abc][qty]': '1' }, 'lineItems[abc]'],
    ['a line without a quantity', { 'lineItems[abc][note]': '1' }, 'lineItems[abc][qty]'],
    ['a negative quantity', { productId: '1', qty: '-1' }, 'qty'],
    ['half a thing', { productId: '1', qty: '1.5' }, 'qty'],
    ['a quantity that is no number', { productId: '1', qty: '1e3' }, 'qty'],
    [
      'a quantity above 9999',
      { 'items[0][productId]': '1', 'items[0][qty]': '10000' },
      'items[0][qty]',
    ],
    ['nested ids', { 'productId[a]': '1' }, 'productId'],
  ])('refuses %s and says which field', async (_, parameters, field) => {
    expect(await refusal(parameters)).toContain(`"${field}"`)
    expect((await browser.session()).cartId).toBeUndefined()
  })

  it('refuses what is not published, in the trash, a base product with variants or without a price', async () => {
    const { payload } = store
    const draft = await createProduct(payload, { _status: 'draft' })
    const trashed = await createProduct(payload, { deletedAt: new Date().toISOString() })
    const yenOnly = await createProduct(payload, { priceInUSD: null, priceInJPY: 500 })
    const { product, variants } = await createVariants(payload, [500])
    const unpublished = await createVariants(payload, [500], { _status: 'draft' })
    for (const id of [draft, trashed, yenOnly, product]) {
      expect(await refusal({ productId: String(id) })).toContain('"productId"')
    }
    expect(await refusal({ variantId: String(unpublished.variants[0]) })).toContain('"variantId"')
    const mixed = { productId: String(tea), variantId: String(variants[0]) }
    expect(await refusal(mixed)).toContain('"variantId"')
  })

  it('changes nothing when one of several changes is refused', async () => {
    const { id } = await change({ productId: String(tea) })
    await refusal({
      clearLineItems: '1',
      'items[0][productId]': String(tea),
      'items[1][productId]': '999999',
    })
    await refusal({ 'lineItems[nobody][qty]': '3', productId: String(tea) })
    expect((await storedCart(id)).items).toMatchObject([{ quantity: 1 }])
  })

  it('takes no more than 9999 of one thing', async () => {
    await change({ productId: String(tea), qty: '9999' })
    expect(await refusal({ productId: String(tea) })).toContain('9999')
  })

  it(`takes no more than ${lineLimit} lines`, async () => {
    const { product, variants } = await createVariants(store.payload, [100, 100])
    const { id } = await change({ variantId: String(variants[0]) })
    const items = Array.from({ length: lineLimit - 1 }, () => ({ product: tea, quantity: 1 }))
    await write(id, { items: [{ product, variant: variants[0], quantity: 1 }, ...items] })
    expect(await refusal({ variantId: String(variants[1]) })).toContain(String(lineLimit))
    expect(await change({ variantId: String(variants[0]) })).toMatchObject({ id })
  })

  it('sends a form on to where it says, with a notice for the next page', async () => {
    const response = await browser.post(
      path,
      { productId: String(tea) },
      { headers: { referer: 'https://shop.example/tea?size=1' } },
    )
    expect(response.status).toBe(303)
    expect(new URL(response.headers.get('location') ?? '', shopOrigin).href).toBe(
      'https://shop.example/tea?size=1',
    )
    expect((await browser.session()).flash).toEqual([
      { kind: 'notice', text: 'Your cart has been updated.' },
    ])
  })

  it('does nothing without the CSRF token', async () => {
    const before = await store.payload.count({ collection: 'carts' })
    const response = await browser.post(path, { productId: String(tea) }, { token: null })
    expect(response.status).toBe(400)
    expect(response.headers.get('x-error-code')).toBe('CSRF_INVALID')
    expect(await store.payload.count({ collection: 'carts' })).toEqual(before)
  })

  it.each([
    ['come at once', true],
    ['are a visitor’s first, and come at once', false],
  ])('loses no line when changes %s', async (_, hasCart) => {
    const things = await createVariants(store.payload, [1, 2, 3, 4, 5, 6])
    await browser.post(path, hasCart ? { productId: String(tea) } : {})
    const carts = await Promise.all(
      things.variants.map((variant) => change({ variantId: String(variant) }, browser.copy())),
    )
    expect(new Set(carts.map(({ id }) => id)).size).toBe(1)
    expect((await storedCart(carts[0]?.id)).items).toHaveLength(hasCart ? 7 : 6)
  })

  it('drops a completed cart and begins a new one', async () => {
    const { id } = await change({ productId: String(tea) })
    await write(id, { purchasedAt: new Date().toISOString() })
    expect(await change({})).toMatchObject({ id: null })
    expect((await browser.session()).cartId).toBeUndefined()
    const next = await change({ productId: String(tea) })
    expect(next.id).not.toBe(id)
    expect(next.quantity).toBe(1)
  })

  it('leaves out a line whose product is gone, instead of failing for ever', async () => {
    const gone = await createProduct(store.payload)
    await change({ productId: String(gone) })
    await store.payload.delete({ collection: 'products', id: gone })
    const cart = await change({ productId: String(tea) })
    expect(cart.items.map(({ productId }) => productId)).toEqual([tea])
  })

  it('keeps what the store itself notes on a line', async () => {
    const { id, items } = await change({ productId: String(tea) })
    const before = await storedCart(id)
    await change({ [`lineItems[${items[0]?.id}][qty]`]: '2' })
    const row = { ...(before.items as Record<string, unknown>[])[0], quantity: 2 }
    expect((await storedCart(id)).items).toEqual([row])
  })
})

// SQLite is one process's: its writers wait for each other in this process alone.
const hasPostgres = databaseKinds.includes('postgres')
describe.runIf(hasPostgres)('commerce/cart/update-cart on postgres, in two processes', () => {
  it('loses no line', async () => {
    const store = await openStore('postgres')
    const other = await joinStore('postgres', store.url)
    const { variants } = await createVariants(store.payload, [1, 2, 3, 4, 5, 6, 7])
    const [before, ...rest] = variants.map(String)
    const browser = store.aBrowser()
    await browser.post(path, { variantId: before ?? '' })

    const replies = await Promise.all(
      rest.map((variantId, index) => {
        const process = index % 2 === 0 ? store : other
        return browser.copy(process).post(path, { variantId })
      }),
    )
    expect(replies.map(({ status }) => status)).toEqual(rest.map(() => 303))
    const { docs } = await store.payload.find({ collection: 'carts', depth: 0 })
    expect(docs.map(({ items }) => items as unknown)).toEqual([
      expect.objectContaining({ length: 7 }),
    ])
    await other.close()
    await store.close()
  })
})
