import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { finishOrder } from '../../src/shop/payments/finish-order.js'
import { anAddress } from '../support/orders.js'
import { exportRequest, noticeRequest } from '../support/shipping-requests.js'
import { databaseKinds, openShapedStore, type TestStore } from '../support/store.js'
import { renamedConfig } from './renamed-config.js'

type Document = Record<string, unknown> & { id: number }

/** What a shopper does from the cart to the confirmed order, through the extension's endpoints. */
const ofCart = {
  shippingAmount: 500,
  taxAmount: 250,
  discountAmount: 100,
  discountCode: 'SPRING',
  shippingMethod: 'Express',
  gift: true,
  giftMessage: 'All the best',
  details: { wishes: 'Leave it with the neighbour' },
}

/** `isLeft`: the shopper closes the tab after paying, and the webhook finishes the order. */
async function buy(
  store: TestStore,
  { isLeft = false } = {},
): Promise<{ cart: Document; order: Document }> {
  const { payload } = store
  const post = (path: string, body: object) =>
    store.api(
      new Request(`https://shop.example/api${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    )
  const channel = await payload.create({
    collection: 'channels',
    data: { baseUrl: 'https://shop.example', cartUrl: '/basket' },
  })
  const product = await payload.create({
    collection: 'products',
    data: {
      label: 'Green tea',
      codes: { sku: 'TEA-1' },
      mass: 0.25,
      massUnit: 'kg',
      inventory: 10,
      priceInUSDEnabled: true,
      priceInUSD: 1750,
      _status: 'published',
    },
  })
  const cart = (await payload.create({
    collection: 'carts',
    depth: 0,
    data: {
      items: [{ product: product.id, quantity: 2 }],
      currency: 'USD',
      site: channel.id,
      ...ofCart,
    },
  })) as unknown as Document
  const shopper = {
    cartID: cart.id,
    secret: cart.secret,
    customerEmail: 'ada@example.com',
    shippingAddress: anAddress(),
  }

  const initiated = await post('/payments/invoice/initiate', {
    ...shopper,
    billingAddress: anAddress({ firstName: 'Charles', lastName: 'Babbage' }),
  })
  expect(initiated.status).toBe(200)
  const { transactionID } = (await initiated.json()) as { transactionID: number }
  if (isLeft) {
    expect(await finishOrder({ payload, payment: transactionID })).toMatchObject({ is: 'made' })
  } else {
    const confirmed = await post('/payments/invoice/confirm-order', { ...shopper, transactionID })
    expect(confirmed.status).toBe(200)
  }
  const paid = await payload.findByID({
    collection: 'payment-records',
    id: transactionID,
    depth: 0,
  })
  const order = await payload.findByID({
    collection: 'purchases',
    id: Number(paid.order),
    depth: 0,
  })
  return { cart, order: order as unknown as Document }
}

const codeOf = (order: Document) => (order.details as { code: string }).code

describe.each(databaseKinds)('a store that names everything in its own way (%s)', (kind) => {
  let store: TestStore
  beforeAll(async () => {
    store = await openShapedStore(kind, renamedConfig)
  })
  afterAll(() => store.close())

  it('has orders that carry what the cart, with fields of its own, the transaction and the product said', async () => {
    const { carts, ...others } = store.payload.collections
    // Storeconnect is listed before the extension.
    expect(others).toHaveProperty('purchases')
    expect(Object.keys(others)).not.toEqual(expect.arrayContaining(['sites', 'orders']))
    const fields = carts?.config.flattenedFields ?? []
    expect(fields.filter(({ name }) => name === 'giftMessage')).toMatchObject([
      { label: 'Card', type: 'text', maxLength: 40 },
    ])
    expect(fields.map(({ name }) => name)).not.toContain('customerNotes')
    const { cart, order } = await buy(store)
    expect(cart.token).toMatch(/^[\da-f]{32}$/)
    expect(order).toMatchObject({
      token: cart.token,
      site: cart.site,
      status: 'processing',
      ...ofCart,
      billingAddress: { firstName: 'Charles', lastName: 'Babbage', city: 'London' },
      items: [{ name: 'Green tea', sku: 'TEA-1', unitPrice: 1750, weight: 0.25, weightUnit: 'kg' }],
    })
    expect(codeOf(order)).toMatch(/^[\dA-Z]{4}-[\dA-Z]{4}$/)
    expect(order).not.toHaveProperty('number')
    expect(order).not.toHaveProperty('reference')
  })

  it('finishes the order of a payment, by a method that needs more of the browser', async () => {
    const { order } = await buy(store, { isLeft: true })
    expect(order).toMatchObject({ amount: 3500, details: { wishes: ofCart.details.wishes } })
  })

  it("reads tax, shipping and discount off the extension's summary where an order lacks them", async () => {
    const lines = [
      { type: 'subtotal', label: 'Subtotal', amount: 3500 },
      { type: 'tax', label: 'State tax', amount: 210 },
      { type: 'tax', label: 'City tax', amount: 40 },
      { type: 'shipping', label: 'Standard', amount: 500 },
      { type: 'discount', label: 'SAVE', amount: -100 },
      { type: 'custom', label: 'Wrapping', amount: 77 },
    ]
    const line = { name: 'Tea', sku: 'T', unitPrice: 3500, quantity: 1 }
    const save = (code: string, data: object) =>
      store.payload.create({
        collection: 'purchases',
        data: {
          details: { code },
          customerEmail: 'ada@example.com',
          shippingAddress: anAddress(),
          amount: 4150,
          currency: 'USD',
          items: [line],
          summary: { lines },
          ...data,
        },
      })
    await save('SUMMED', {})
    await save('OWN', { taxAmount: 0, shippingAmount: 300 })
    const orders = (await (await store.handle(exportRequest())).text()).split('<Order>')
    const xmlOf = (code: string) =>
      orders.find((part) => part.includes(`<OrderNumber>${code}</OrderNumber>`))
    expect(xmlOf('SUMMED')).toContain('<TaxAmount>2.50</TaxAmount>')
    expect(xmlOf('SUMMED')).toContain('<ShippingAmount>5.00</ShippingAmount>')
    expect(xmlOf('SUMMED')).toContain('<UnitPrice>-1.00</UnitPrice>')
    expect(xmlOf('OWN')).toContain('<TaxAmount>0.00</TaxAmount>')
    expect(xmlOf('OWN')).toContain('<ShippingAmount>3.00</ShippingAmount>')
  })

  it('exports them, and ships them by the reference in its own place, also one that the staff typed', async () => {
    const { order } = await buy(store)
    const xmlOf = async (code: string) => {
      const xml = await (await store.handle(exportRequest())).text()
      return xml
        .split('<Order>')
        .find((part) => part.includes(`<OrderNumber>${code}</OrderNumber>`))
    }
    const xml = await xmlOf(codeOf(order))
    for (const part of [
      `<OrderID>${order.id}</OrderID>`,
      '<PaymentMethod>invoice</PaymentMethod>',
      '<ShippingMethod>Express</ShippingMethod>',
      '<SKU>TEA-1</SKU><Name>Green tea</Name><Weight>250</Weight><Quantity>2</Quantity><UnitPrice>17.50</UnitPrice>',
      '<UnitPrice>-1.00</UnitPrice>',
      '<CustomerCode>ada@example.com</CustomerCode>',
      '<Name>Charles Babbage</Name>',
      '<Name>Ada Lovelace</Name>',
      '<GiftMessage>All the best</GiftMessage>',
    ]) {
      expect(xml).toContain(part)
    }
    const typed = `MY-${order.id}`
    const details = { code: typed, wishes: 'Ring twice' }
    await store.payload.update({ collection: 'purchases', id: order.id, data: { details } })
    expect(await xmlOf(typed)).toContain('<CustomerNotes>Ring twice</CustomerNotes>')
    const response = await store.handle(
      noticeRequest({ order_number: typed, carrier: 'DHL', tracking_number: 'JD014' }),
    )
    expect(response.status).toBe(200)
    const shipped = await store.payload.findByID({ collection: 'purchases', id: order.id })
    expect(shipped).toMatchObject({
      status: 'shipped',
      parcels: [{ carrier: 'DHL', trackingNumber: 'JD014' }],
      shipments: { docs: [expect.objectContaining({ carrier: 'DHL' })] },
    })
  })

  it('asks staff who open the link of a cart to log out, also with the id of its customer', async () => {
    await buy(store)
    const { payload } = store
    const account = { email: 'same@example.com', password: 'correct horse battery' }
    const shopper = await payload.create({ collection: 'shoppers', data: account })
    await payload.create({ collection: 'staff', data: { ...account, id: shopper.id } })
    const cart = await payload.create({
      collection: 'carts',
      data: { items: [], currency: 'USD', customer: shopper.id },
    })
    const link = `/actions/marketingconnect/cart/restore?number=${String(cart.token)}`
    const restore = async (collection: string) => {
      const browser = store.aBrowser()
      await browser.apiPost(`/${collection}/login`, account)
      return browser.get(link)
    }
    const ofStaff = await restore('staff')
    expect([ofStaff.status, await ofStaff.text()]).toEqual([
      200,
      expect.stringContaining('<h1>Log Out to Continue</h1>'),
    ])
    expect((await restore('shoppers')).status).toBe(302)
  })
})
