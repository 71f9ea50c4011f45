import fc from 'fast-check'
import type { Address, LineItem, Order } from '../../src/shop/orders/order.js'
import { completeOrder } from '../../src/shop/orders/order-values.js'

/** Any text a shop could hold: control characters, halves of surrogate pairs, markup, emoji. */
export const nastyText = (maxLength = 60): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ maxLength, unit: 'binary' }),
    fc.string({ maxLength, unit: 'grapheme' }),
    fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength })
      .map((units) => String.fromCharCode(...units)),
    fc
      .array(
        fc.constantFrom(
          ']]>',
          '<![CDATA[',
          '&amp;',
          '<',
          '>',
          '"',
          "'",
          '\r\n',
          '\t',
          '🎁',
          '\uD83C',
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.join('')),
  )

const cents = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }),
  fc.constantFrom(0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0.5, NaN, Infinity),
)

const moment = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: false,
})

const country = fc.oneof(fc.constantFrom('DE', 'us', 'GB', '', ' ', 'Germany'), nastyText(3))

const address: fc.Arbitrary<Address> = fc.record({
  name: nastyText(220),
  company: nastyText(),
  line1: nastyText(220),
  line2: nastyText(),
  city: nastyText(),
  state: nastyText(),
  postalCode: nastyText(),
  country,
  phone: nastyText(),
})

const imageUrl = fc.oneof(
  nastyText(),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom(
    'https://x.example/a b|c[d]{e}^`%zz.png?q=[1]&r=%',
    'http://[::1]:80/ü.png',
    'javascript:alert(1)',
    '//cdn.example/x.png',
    '/media/käse.png',
  ),
)

const line: fc.Arbitrary<LineItem> = fc.record({
  sku: nastyText(120),
  name: nastyText(300),
  quantity: fc.oneof(
    fc.integer({ min: 1, max: 2_147_483_647 }),
    fc.constantFrom(0, -1, 1.5, NaN, 2_147_483_648),
  ),
  unitPrice: cents,
  weight: fc.oneof(fc.double({ min: 0, max: 1e12 }), fc.constantFrom(0, 1e-9, 1e300, -1, NaN)),
  weightUnit: fc.oneof(fc.constantFrom('g', 'kg', 'oz', 'lb', 'KG', ''), nastyText(4)),
  imageUrl,
  options: fc.array(fc.record({ name: nastyText(150), value: nastyText(150) }), { maxLength: 4 }),
})

/** Any order a store can hold; most can be exported, some cannot. */
export const arbitraryOrder: fc.Arbitrary<Order> = fc
  .record({
    id: fc.oneof(fc.integer({ min: 1 }), fc.uuid()),
    reference: nastyText(),
    status: fc.oneof(fc.constant('processing'), nastyText(70)),
    currency: fc.oneof(fc.constantFrom('USD', 'JPY', 'KWD', 'XXX', ''), nastyText(4)),
    total: cents,
    taxAmount: cents,
    shippingAmount: cents,
    discountAmount: cents,
    discountCode: nastyText(),
    createdAt: moment,
    updatedAt: moment,
    paymentMethod: nastyText(),
    shippingMethod: nastyText(120),
    customerId: fc.option(fc.integer({ min: 1 }), { nil: undefined }),
    email: nastyText(120),
    shippingAddress: address,
    billingAddress: fc.option(address, { nil: undefined }),
    items: fc.array(line, { maxLength: 3 }),
    customerNotes: fc.oneof(
      nastyText(),
      nastyText(20).map((text) => text.repeat(Math.ceil(1_000_000 / Math.max(text.length, 1)))),
    ),
    internalNotes: nastyText(1200),
    gift: fc.boolean(),
    giftMessage: nastyText(1200),
    customField1: nastyText(120),
    customField2: nastyText(),
    customField3: nastyText(),
  })
  .map(completeOrder)

/** Like `arbitraryOrder`, with what validation wants filled in, so that nearly all pass. */
export const exportableOrder: fc.Arbitrary<Order> = fc
  .record({
    order: arbitraryOrder,
    amounts: fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 5, maxLength: 5 }),
    moments: fc.array(
      fc.date({
        min: new Date('1970-01-01T00:00:00Z'),
        max: new Date('2100-01-01T00:00:00Z'),
        noInvalidDate: true,
      }),
      { minLength: 2, maxLength: 2 },
    ),
  })
  .map(({ order, amounts, moments }) => ({
    ...order,
    status: `s${order.status}`,
    email: `e${order.email}`,
    total: amounts[0] ?? 0,
    taxAmount: amounts[1] ?? 0,
    shippingAmount: amounts[2] ?? 0,
    discountAmount: amounts[3] ?? 0,
    createdAt: moments[0] ?? new Date(0),
    updatedAt: moments[1] ?? new Date(0),
    shippingAddress: {
      ...order.shippingAddress,
      name: `n${order.shippingAddress.name}`,
      line1: `l${order.shippingAddress.line1}`,
      city: `c${order.shippingAddress.city}`,
      country: 'de',
    },
    billingAddress: order.billingAddress && { ...order.billingAddress, country: '' },
    items: order.items.map((item) => ({
      ...item,
      quantity: 3,
      unitPrice: amounts[4] ?? 0,
      weight: 12.5,
    })),
  }))
