import { describe, expect, it } from 'vitest'
import type { Order } from '../../../../src/shop/orders/order.js'
import type { EventContext } from '../../../../src/marketing/events/event-context.js'
import type { OrderHappening } from '../../../../src/shop/orders/happening.js'
import { cartSend, orderSends } from '../../../../src/marketing/events/event-sends.js'
import {
  aCart,
  aContext,
  aLine,
  anAddress,
  anOrder,
  aParcel,
  entered,
  eventOf,
  happenedAt,
  messageOf,
  namesAndIds,
  number,
  onlyWithout,
  placed,
} from './events.js'

const report = (
  order: Partial<Order>,
  happenings: OrderHappening[],
  context: Partial<EventContext> = {},
) => orderSends(anOrder(order), happenings, aContext(context))

describe('an order that was placed', () => {
  it("describes the order in the platform's keys, with its total as value and when it happened", async () => {
    const address = {
      FirstName: 'Ada',
      LastName: 'Lovelace',
      Address1: '12 St James Square',
      City: 'London',
      RegionCode: 'LND',
      CountryCode: 'GB',
      Zip: 'SW1Y 4JH',
      Phone: '+442079460000',
    }
    const shippingAddress = anAddress({ line1: '1 Dorset Street' })
    const billingAddress = anAddress()
    const [send] = await report({ shippingAddress, billingAddress }, [placed])
    expect(eventOf(send)).toEqual({
      name: 'Placed Order',
      uniqueId: number,
      time: happenedAt.toISOString(),
      value: 42.5,
      valueCurrency: 'USD',
      properties: {
        OrderID: 42,
        OrderId: 42,
        OrderNumber: number,
        OrderReference: 'A-1001',
        TotalPrice: 42.5,
        TotalQuantity: 2,
        ShippingAmount: 5,
        TaxAmount: 2.5,
        Items: [
          {
            ProductID: 7,
            SKU: 'TEA-1',
            ProductName: 'Green tea',
            Slug: 'green-tea',
            Quantity: 2,
            ItemPrice: 17.5,
            RowTotal: 35,
            ProductURL: 'https://shop.example/uk/products/green-tea',
            ImageURL: 'https://shop.example/media/tea.png',
            Options: [{ Name: 'Size', Value: 'Large' }],
          },
        ],
        ItemNames: ['Green tea'],
        BillingAddress: address,
        ShippingAddress: { ...address, Address1: '1 Dorset Street' },
      },
    })
  })

  it('sends a discount where there is one', async () => {
    const [send] = await report({ discountAmount: 150, discountCode: 'TEN' }, [placed])
    expect(eventOf(send).properties).toMatchObject({ DiscountValue: 1.5, DiscountCode: 'TEN' })
    const [without] = await report({}, [placed])
    expect(eventOf(without).properties).not.toHaveProperty('DiscountValue')
    expect(eventOf(without).properties).not.toHaveProperty('DiscountCode')
  })

  it.each([
    ['USD', 12_345, 123.45],
    ['JPY', 12_345, 12_345],
    ['KWD', 12_345, 12.345],
    ['', 12_345, 123.45],
  ])('counts %j by its own decimals', async (currency, total, value) => {
    const items = [aLine({ unitPrice: total, quantity: 1 })]
    const [whole, line] = await report({ currency, total, items }, [placed])
    expect(eventOf(whole)).toMatchObject({ value })
    expect(eventOf(whole).valueCurrency).toBe(currency === '' ? undefined : currency)
    expect(eventOf(line)).toMatchObject({ value, properties: { ItemPrice: value } })
  })

  it('has an id by the id of its document where it is from before Storeconnect', async () => {
    expect(namesAndIds(await report({ number: '' }, [placed]))).toEqual([
      ['Placed Order', '42'],
      ['Ordered Product', '42:line-1'],
    ])
  })

  it('sends neither what the staff wrote, nor a blank value, nor a link that no mail could open', async () => {
    const items = [
      aLine({ sku: '', slug: '', imageUrl: '' }),
      aLine({ sku: '', imageUrl: 'javascript:alert(1)' }),
      aLine({ sku: '', imageUrl: '//cdn.example/x' }),
    ]
    const [send] = await report({ items }, [placed], { site: undefined, baseUrl: '' })
    expect(JSON.stringify(send)).not.toContain('secret of the staff')
    for (const item of eventOf(send).properties.Items as object[]) {
      for (const name of ['SKU', 'ImageURL', 'ProductURL']) expect(item).not.toHaveProperty(name)
    }
    expect((eventOf(send).properties.Items as object[])[0]).not.toHaveProperty('Slug')
  })

  it("links to products as the store's productUrl says", async () => {
    const [send] = await report({}, [placed], {
      productUrl: ({ slug, productId, sku }, site) =>
        `https://${site?.handle}.example/${slug}/${productId}/${sku}`,
    })
    expect(eventOf(send).properties.Items).toMatchObject([
      { ProductURL: 'https://main.example/green-tea/7/TEA-1' },
    ])
  })

  it('is sent without links where the productUrl of the store throws, and the log says so', async () => {
    const productUrl = () => {
      throw new Error('Ouch')
    }
    const context = aContext({ productUrl })
    const [send] = await orderSends(anOrder(), [placed], context)
    const [item] = eventOf(send).properties.Items as object[]
    expect(item).not.toHaveProperty('ProductURL')
    expect(context.lines).toMatchObject([{ level: 'error', fields: { reference: 'A-1001' } }])
  })

  it('sends 500 of more line items and says how many are left out, each an Ordered Product', async () => {
    const items = Array.from({ length: 620 }, (_, index) =>
      aLine({ id: `line-${index}`, name: `Tea ${index}` }),
    )
    const sends = await report({ items }, [placed])
    expect(sends).toHaveLength(621)
    const { properties } = eventOf(sends[0])
    expect(properties.Items).toHaveLength(500)
    expect(properties.ItemNames).toHaveLength(500)
    expect(properties).toMatchObject({ ItemsLeftOut: 120, TotalQuantity: 1240 })
  })

  it('stays within the size that the platform takes, however long its texts are', async () => {
    const long = '🎁'.repeat(2000)
    const items = Array.from({ length: 500 }, () =>
      aLine({ name: long, sku: long, slug: long, options: [{ name: long, value: long }] }),
    )
    const [send] = await report({ items }, [placed], onlyWithout('orderedProduct'))
    expect(Buffer.byteLength(JSON.stringify(send))).toBeLessThan(3_000_000)
    expect(JSON.stringify(send)).not.toMatch(/\\ud83[c-e](?!\\ud)/i)
  })
})

describe('a change of status', () => {
  it.each([
    ['cancelled', 'Cancelled Order'],
    ['canceled', 'Canceled Order'],
    ['refunded', 'Refunded Order'],
  ])(
    "has the order's number as id when it is first %s, and number, status and count after that",
    async (status, name) => {
      const sends = await report({}, [entered(status), entered(status, { count: 2 })])
      expect(namesAndIds(sends)).toEqual([
        [name, number],
        [name, `${number}:${status}:2`],
      ])
    },
  )

  it('is Refunded Order whatever the label, unless the settings map it', async () => {
    const refund = entered('refunded', { label: 'Money back' })
    expect(namesAndIds(await report({}, [refund]))).toEqual([['Refunded Order', number]])
    const statusEvents = [{ status: 'refunded', event: 'Returned Order' }]
    expect(namesAndIds(await report({}, [refund], { statusEvents }))).toEqual([
      ['Returned Order', number],
    ])
  })

  it('is cut at a whole character where its name is longer than the platform takes', async () => {
    const statusEvents = [{ status: 'packed', event: '🎁'.repeat(80) }]
    const [send] = await report({}, [entered('packed')], { statusEvents, eventPrefix: 'Tea Co' })
    const { name } = eventOf(send)
    expect(name).toMatch(/^Tea Co 🎁+$/u)
    expect(name.length).toBeLessThan(128)
    expect(name.length).toBeGreaterThan(124)
    expect(name.isWellFormed()).toBe(true)
  })

  it('is called by its handle where it has no label', async () => {
    expect(namesAndIds(await report({}, [entered('packed', { label: ' ' })]))).toEqual([
      ['Packed Order', `${number}:packed:1`],
    ])
  })
})

describe('the shipped event', () => {
  it('goes out once per parcel, by number and parcel, with carrier, service and tracking', async () => {
    const later = new Date('2026-07-15T11:59:00Z')
    const parcels = [
      aParcel(),
      aParcel({ id: '12', carrier: 'Bike', trackingNumber: '', shippedAt: later }),
    ]
    const sends = await report({}, [entered('shipped', { parcels })])
    expect(namesAndIds(sends)).toEqual([
      ['Shipped Order', `${number}:1Z999`],
      ['Shipped Order', `${number}:12`],
    ])
    expect(eventOf(sends[0]).properties).toMatchObject({
      OrderStatus: 'shipped',
      Carrier: 'UPS',
      Service: 'Ground',
      TrackingNumber: '1Z999',
      TrackingURL: 'https://www.ups.com/track?tracknum=1Z999',
    })
    expect(eventOf(sends[1]).time).toBe(later.toISOString())
    expect(eventOf(sends[1]).properties).toMatchObject({ Carrier: 'Bike' })
    expect(eventOf(sends[1]).properties).not.toHaveProperty('TrackingURL')
    expect(eventOf(sends[1]).properties).not.toHaveProperty('TrackingNumber')
  })

  it.each([
    ['in-transit', 'Shipment In Transit'],
    ['delayed', 'Shipment Delayed'],
    ['attempted', 'Shipment Delivery Attempted'],
    ['out-for-delivery', 'Shipment Out for Delivery'],
    ['ready-for-pickup', 'Shipment Ready for Pickup'],
    ['delivered', 'Shipment Delivered'],
  ] as const)('is followed by an event of its own when its parcel is %s', async (state, name) => {
    const moved = { kind: 'parcel', state, at: happenedAt, parcel: aParcel() } as const
    expect(namesAndIds(await report({}, [moved]))).toMatchObject([[name, expect.any(String)]])
  })

  it('says nothing of parcels at another status', async () => {
    const [send] = await report({}, [entered('completed', { tracking: aParcel() })])
    expect(eventOf(send).properties).not.toHaveProperty('Carrier')
  })
})

describe('the person of an order', () => {
  it('is known by email, with name, phone number and where they are', async () => {
    const account = { customerId: 5, accountEmail: 'Ada@Example.com' }
    const [send] = await report(account, [placed])
    expect(messageOf(send).profile).toEqual({
      email: 'ada@example.com',
      externalId: '5',
      firstName: 'Ada',
      lastName: 'Lovelace',
      phoneNumber: '+442079460000',
      location: {
        address1: '12 St James Square',
        city: 'London',
        region: 'LND',
        zip: 'SW1Y 4JH',
        country: 'GB',
      },
    })
  })

  it('is who pays, and not who gets the gift', async () => {
    const shippingAddress = anAddress({ firstName: 'Charles', lastName: 'Babbage' })
    const [bought] = await report({ shippingAddress, billingAddress: anAddress() }, [placed])
    expect(messageOf(bought).profile).toMatchObject({ firstName: 'Ada' })
    const local = anAddress({ phone: '020 7946 0000' })
    const [plain] = await report({ shippingAddress: local }, [placed])
    for (const name of ['externalId', 'phoneNumber']) {
      expect(messageOf(plain).profile).not.toHaveProperty(name)
    }
    const [given] = await report({ shippingAddress, gift: true }, [placed])
    expect(messageOf(given).profile).toEqual({ email: 'ada@example.com' })
  })

  it.each([
    ['Ada Lovelace', 'Ada', 'Lovelace'],
    ['Ada Augusta King', 'Ada Augusta', 'King'],
    ['Ada', 'Ada', undefined],
    ['', undefined, undefined],
  ])('called %j has the parts of the name', async (name, firstName, lastName) => {
    const address = anAddress({ name })
    delete address.firstName
    delete address.lastName
    const [send] = await report({ shippingAddress: address }, [placed])
    expect(messageOf(send).profile.firstName).toBe(firstName)
    expect(messageOf(send).profile.lastName).toBe(lastName)
  })

  it.each(['', 'nobody', 'a@b.c', 'a@localhost'])(
    'without an email that can be sent to (%j) is not sent, and the log says so',
    async (email) => {
      const context = aContext()
      expect(await orderSends(anOrder({ email }), [placed], context)).toEqual([])
      expect(context.lines).toMatchObject([{ level: 'info', fields: { reference: 'A-1001' } }])
      expect(JSON.stringify(context.lines)).not.toContain(number)
    },
  )
})

const sendOf = (kind: 'updated' | 'started', context: EventContext, email = 'ada@example.com') => {
  const about = { cart: aCart(), person: { email }, at: happenedAt }
  return cartSend(
    kind === 'updated' ? { kind, ...about } : { kind, state: 'two-teas', ...about },
    context,
  )
}

it('a cart of nobody with a valid email is not sent, and the log does not name what opens it', async () => {
  const context = aContext()
  expect(await sendOf('updated', context, '')).toBeUndefined()
  expect(context.lines).toMatchObject([{ level: 'info', fields: { cartId: 9 } }])
  expect(JSON.stringify(context.lines)).not.toContain(number)
})

it('a cart can be switched off by each of its events', async () => {
  const withoutUpdated = aContext(onlyWithout('updatedCart'))
  expect(await sendOf('updated', withoutUpdated)).toBeUndefined()
  expect(await sendOf('started', withoutUpdated)).toBeDefined()
  expect(await sendOf('started', aContext(onlyWithout('startedCheckout')))).toBeUndefined()
})
