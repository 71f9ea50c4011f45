import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  at,
  clearStore,
  itemsOf,
  optionsOf,
  parseExport,
  textAt,
  type XmlElement,
} from '../../support/exported-orders.js'
import { aLine, anAddress, anOrder, saveOrder } from '../../support/orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
import type { DatabaseKind } from '../../support/store-config.js'
import { anyKind, databaseKinds, openStore, type TestStore } from '../../support/store.js'

type Data = Record<string, unknown>

const orderElements = [
  'OrderID',
  'OrderNumber',
  'OrderStatus',
  'OrderTotal',
  'TaxAmount',
  'ShippingAmount',
  'LastModified',
  'PaymentMethod',
  'ShippingMethod',
  'Items',
  'Customer',
  'InternalNotes',
  'Gift',
  'OrderDate',
  'CustomField1',
  'CustomField2',
  'CustomField3',
  'CustomerNotes',
  'GiftMessage',
]
const itemElements = [
  'SKU',
  'Name',
  'Weight',
  'Quantity',
  'UnitPrice',
  'ImageUrl',
  'WeightUnits',
  'Adjustment',
  'Options',
]
const shipToElements = [
  'Name',
  'Company',
  'Address1',
  'Address2',
  'City',
  'State',
  'PostalCode',
  'Country',
  'Phone',
]

const billing = {
  firstName: 'Charles',
  lastName: 'Babbage',
  company: 'Difference Engines',
  addressLine1: '1 Dorset Street',
  addressLine2: 'Basement',
  city: 'Bath',
  state: 'SOM',
  postalCode: 'BA1 1AA',
  country: 'gb',
  phone: '+441225000000',
}

/** One store for all tests of a block, without orders at the beginning of each. */
function exportingStore(kind: DatabaseKind) {
  let opened: TestStore
  beforeAll(async () => {
    opened = await openStore(kind)
  })
  beforeEach(() => clearStore(opened.payload))
  afterAll(() => opened.close())

  const exportXml = async () => {
    const response = await opened.handle(exportRequest())
    expect(response.status).toBe(200)
    return response.text()
  }
  /** Saves one order and returns its element. */
  const exported = async (changes: Data = {}) => {
    await saveOrder(opened.payload, anOrder(changes))
    return onlyOrder(await exportXml())
  }
  return {
    get payload() {
      return opened.payload
    },
    exportXml,
    exported,
    exportedItem: async (changes: Data = {}, order: Data = {}) =>
      itemsOf(await exported({ items: [aLine(changes)], ...order }))[0],
    /** Writes without Payload's validation, as an import or an older version of the shop might have. */
    overwrite: (id: number | string, data: Data) =>
      opened.payload.db.updateOne({ collection: 'orders', id, data, returning: false }),
  }
}

function onlyOrder(xml: string): XmlElement {
  const { orders } = parseExport(xml)
  expect(orders).toHaveLength(1)
  return orders[0] ?? {}
}

describe.each(databaseKinds)('an exported order (%s)', (kind) => {
  const store = exportingStore(kind)
  const { exportXml, exported, overwrite } = store

  describe('docs/interface.md (Exported order): every element and its source', () => {
    it('writes all of a complete order', async () => {
      const { payload } = store
      const user = await payload.create({
        collection: 'users',
        data: { email: `ada-${Math.random()}@example.com`, password: 'correct horse' },
      })
      const transaction = await payload.create({
        collection: 'transactions',
        data: { paymentMethod: 'invoice', amount: 4250, currency: 'USD' },
      })
      const saved = await saveOrder(
        payload,
        anOrder({
          reference: 'R-1001',
          status: 'completed',
          customer: user.id,
          transactions: [transaction.id],
          billingAddress: billing,
          customerNotes: 'Ring twice.',
          internalNotes: 'A regular.',
          gift: true,
          giftMessage: 'Happy birthday!',
        }),
      )
      await overwrite(saved.id, {
        createdAt: '2026-01-02T03:04:59.999Z',
        updatedAt: '2026-11-12T23:05:00.000Z',
      })

      expect(onlyOrder(await exportXml())).toEqual({
        OrderID: String(saved.id),
        OrderNumber: 'R-1001',
        OrderStatus: 'completed',
        OrderTotal: '42.50',
        TaxAmount: '2.50',
        ShippingAmount: '5.00',
        LastModified: '11/12/2026 23:05',
        PaymentMethod: 'invoice',
        ShippingMethod: 'Standard',
        Items: {
          Item: [
            {
              SKU: 'TEA-1',
              Name: 'Green tea',
              Weight: '250',
              Quantity: '2',
              UnitPrice: '17.50',
              ImageUrl: 'https://shop.example/media/tea.png',
              WeightUnits: 'Grams',
              Adjustment: 'false',
              Options: { Option: [{ Name: 'Size', Value: 'Large' }] },
            },
          ],
        },
        Customer: {
          CustomerCode: String(user.id),
          BillTo: {
            Name: 'Charles Babbage',
            Company: 'Difference Engines',
            Address1: '1 Dorset Street',
            Address2: 'Basement',
            City: 'Bath',
            State: 'SOM',
            PostalCode: 'BA1 1AA',
            Country: 'GB',
            Phone: '+441225000000',
            Email: 'ada@example.com',
          },
          ShipTo: {
            Name: 'Ada Lovelace',
            Company: 'Analytical Engines',
            Address1: '12 St James Square',
            Address2: 'Flat 2',
            City: 'London',
            State: 'LND',
            PostalCode: 'SW1Y 4JH',
            Country: 'GB',
            Phone: '+442079460000',
          },
        },
        InternalNotes: 'A regular.',
        Gift: 'true',
        OrderDate: '1/2/2026 03:04',
        CustomField1: '',
        CustomField2: '',
        CustomField3: '',
        CustomerNotes: 'Ring twice.',
        GiftMessage: 'Happy birthday!',
      })
    })

    it('writes several lines in their order, each with its options', async () => {
      const order = await exported({
        items: [
          aLine({ sku: 'C', options: [] }),
          aLine({ sku: 'A', options: ['x', 'y', 'z'].map((value) => ({ name: 'Part', value })) }),
          aLine({ sku: 'B', quantity: 40 }),
        ],
      })
      expect(itemsOf(order).map((item) => item.SKU)).toEqual(['C', 'A', 'B'])
      expect(itemsOf(order).map(optionsOf)).toEqual([
        [],
        ['Part: x', 'Part: y', 'Part: z'],
        ['Size: Large'],
      ])
      expect(itemsOf(order).map((item) => item.Quantity)).toEqual(['2', '2', '40'])
    })
  })

  describe('docs/interface.md (Exported order): an empty text is an empty element', () => {
    it('keeps every element of an order that has hardly anything', async () => {
      const address = anAddress({ company: '', addressLine2: null, state: null, postalCode: '' })
      await exported({
        shippingAddress: { ...address, phone: null },
        shippingMethod: null,
        shippingAmount: null,
        taxAmount: null,
        items: [{ quantity: 1 }],
      })
      const xml = await exportXml()
      const order = onlyOrder(xml)
      expect(Object.keys(order)).toEqual(orderElements)
      expect(Object.keys(itemsOf(order)[0] ?? {})).toEqual(itemElements)
      expect(Object.keys((at(order, 'Customer.ShipTo') ?? {}) as XmlElement)).toEqual(
        shipToElements,
      )
      for (const path of [
        'PaymentMethod',
        'ShippingMethod',
        'InternalNotes',
        'CustomerNotes',
        'GiftMessage',
        'Customer.ShipTo.Company',
        'Customer.ShipTo.Address2',
        'Customer.ShipTo.State',
        'Customer.ShipTo.PostalCode',
        'Customer.ShipTo.Phone',
      ]) {
        expect([path, at(order, path)]).toEqual([path, ''])
      }
      expect(order).toMatchObject({ TaxAmount: '0.00', ShippingAmount: '0.00', Gift: 'false' })
      expect(itemsOf(order)[0]).toMatchObject({
        SKU: '',
        Name: '',
        Weight: '0',
        Quantity: '1',
        UnitPrice: '0.00',
        ImageUrl: '',
        Adjustment: 'false',
        Options: '',
      })
      expect(xml).not.toMatch(/null|undefined|NaN/)
    })
  })

  describe('docs/interface.md (Exported order): no billing address, then the shipping address stands in for it', () => {
    const withoutEmail = (order: XmlElement) => {
      const { Email, ...address } = at(order, 'Customer.BillTo') as XmlElement
      expect(Email).toBe('ada@example.com')
      return address
    }

    it('bills to the shipping address of an order without one', async () => {
      const order = await exported()
      expect(withoutEmail(order)).toEqual(at(order, 'Customer.ShipTo'))
    })

    it('bills to the shipping address when the billing address is all blank', async () => {
      const blank = Object.fromEntries(Object.keys(billing).map((name) => [name, '']))
      const saved = await saveOrder(store.payload)
      await overwrite(saved.id, { billingAddress: blank })
      const order = onlyOrder(await exportXml())
      expect(withoutEmail(order)).toEqual(at(order, 'Customer.ShipTo'))
    })

    it('does not mix the two', async () => {
      const billingAddress = { firstName: 'Charles', lastName: 'Babbage', city: 'Bath' }
      const order = await exported({ billingAddress })
      expect(at(order, 'Customer.BillTo')).toMatchObject({
        Name: 'Charles Babbage',
        Company: '',
        Address1: '',
        Address2: '',
        City: 'Bath',
        PostalCode: '',
      })
    })
  })

  describe('docs/interface.md (Exported order): CustomerCode is the customer account’s id, else the email', () => {
    it('is the email of a guest', async () => {
      const order = await exported({ customerEmail: 'guest@example.com' })
      expect(at(order, 'Customer.CustomerCode')).toBe('guest@example.com')
      expect(at(order, 'Customer.BillTo.Email')).toBe('guest@example.com')
    })

    it('is the id of an account, with or without an email on the order', async () => {
      const user = await store.payload.create({
        collection: 'users',
        data: { email: `user-${Math.random()}@example.com`, password: 'correct horse' },
      })
      const order = await exported({ customer: user.id, customerEmail: null })
      expect(at(order, 'Customer.CustomerCode')).toBe(String(user.id))
    })
  })

  describe('docs/interface.md (Exported order): PaymentMethod is from the order’s transaction', () => {
    const transaction = async (paymentMethod: string | null) => {
      const { id } = await store.payload.create({
        collection: 'transactions',
        data: { paymentMethod, amount: 1, currency: 'USD' },
      })
      return id
    }

    it('is that of the first transaction that has one', async () => {
      const later = await transaction('invoice')
      const transactions = [await transaction(null), await transaction('demo'), later]
      expect((await exported({ transactions })).PaymentMethod).toBe('demo')
    })

    it('is empty without a transaction', async () => {
      await transaction('invoice')
      expect((await exported()).PaymentMethod).toBe('')
    })
  })
})

describe('what is written of an exported order', () => {
  const store = exportingStore(anyKind)
  const { exportXml, exported, exportedItem, overwrite } = store

  describe('docs/interface.md (Exported order): the order of the elements is fixed', () => {
    it('writes the elements of an order, its items, its customer and its addresses in that order', async () => {
      await exported({ discountAmount: 100, billingAddress: billing })
      const xml = await exportXml()
      const childrenOf = (name: string) => {
        const body = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml)?.[1] ?? ''
        return topLevelNames(body)
      }
      expect(childrenOf('Order')).toEqual(orderElements)
      expect(childrenOf('Items')).toEqual(['Item', 'Item'])
      expect(childrenOf('Item')).toEqual(itemElements)
      expect(childrenOf('Option')).toEqual(['Name', 'Value'])
      expect(childrenOf('Customer')).toEqual(['CustomerCode', 'BillTo', 'ShipTo'])
      expect(childrenOf('BillTo')).toEqual([...shipToElements, 'Email'])
      expect(childrenOf('ShipTo')).toEqual(shipToElements)
      const discount = xml.slice(xml.lastIndexOf('<Item>') + '<Item>'.length)
      expect(topLevelNames(discount.slice(0, discount.indexOf('</Item>')))).toEqual(itemElements)
    })
  })

  describe('docs/interface.md (Exported order): money has two decimals, from integer minor units of the order’s currency; 0 or 3 decimals are right too', () => {
    it.each([
      ['USD', 5, '0.05'],
      ['USD', 1999, '19.99'],
      ['USD', 123456789, '1234567.89'],
      ['USD', -1999, '-19.99'],
      ['USD', 9007199254740991, '90071992547409.91'],
      ['JPY', 500, '500.00'],
      ['KWD', 1234, '1.234'],
      ['KWD', -12345678, '-12345.678'],
    ])('writes %s %d as %s', async (currency, amount, text) => {
      const items = [aLine({ unitPrice: amount })]
      const saved = await saveOrder(store.payload, anOrder({ currency, items }))
      await overwrite(saved.id, { amount, taxAmount: amount, shippingAmount: amount })
      const order = onlyOrder(await exportXml())
      expect(order).toMatchObject({ OrderTotal: text, TaxAmount: text, ShippingAmount: text })
      expect(itemsOf(order)[0]?.UnitPrice).toBe(text)
    })
  })

  describe('docs/interface.md (Exported order): a discount is one more Item with Adjustment true, quantity 1 and a negative UnitPrice', () => {
    it('comes behind the lines and names its code', async () => {
      const [line, discount, ...rest] = itemsOf(
        await exported({ discountAmount: 1050, discountCode: 'SPRING' }),
      )
      expect(rest).toEqual([])
      expect(line).toMatchObject({ SKU: 'TEA-1', Adjustment: 'false' })
      expect(discount).toMatchObject({ Adjustment: 'true', Quantity: '1', UnitPrice: '-10.50' })
      expect(textAt(discount, 'Name')).toContain('SPRING')
    })

    it.each([
      ['JPY', 300, '-300.00'],
      ['KWD', 1500, '-1.500'],
    ])('is in the currency of the order: %s %d is %s', async (currency, discountAmount, price) => {
      const [, discount] = itemsOf(await exported({ currency, discountAmount }))
      expect(discount?.UnitPrice).toBe(price)
    })

    it('is negative too when the shop keeps discounts negative', async () => {
      const [, discount] = itemsOf(await exported({ discountAmount: -1050 }))
      expect(discount?.UnitPrice).toBe('-10.50')
    })

    it.each([[0], [null]])('is not there for a discount of %j', async (discountAmount) => {
      expect(itemsOf(await exported({ discountAmount, discountCode: 'SPRING' }))).toHaveLength(1)
    })
  })

  describe('docs/interface.md (Exported order), Item: Weight and WeightUnits', () => {
    it.each([
      { weight: 250, weightUnit: 'g', written: '250 Grams' },
      { weight: 1.5, weightUnit: 'kg', written: '1500 Grams' },
      { weight: 0.25, weightUnit: 'lb', written: '0.25 Pounds' },
      { weight: 8, weightUnit: 'oz', written: '8 Ounces' },
      { weight: 0, weightUnit: 'g', written: '0 Grams' },
      { weight: null, weightUnit: null, written: '0 Grams' },
      { weight: 0.1 + 0.2, weightUnit: 'oz', written: '0.3 Ounces' },
      { weight: 100000000, weightUnit: 'kg', written: '100000000000 Grams' },
    ])('writes $weight $weightUnit as $written', async ({ weight, weightUnit, written }) => {
      const item = await exportedItem({ weight, weightUnit })
      expect(`${textAt(item, 'Weight')} ${textAt(item, 'WeightUnits')}`).toBe(written)
    })
  })

  describe('docs/interface.md (Exported order), Item: ImageUrl is an absolute URL', () => {
    it("completes a path with the shop's URL, or with the base URL of the order's site", async () => {
      const imageUrl = '/media/a b.png?x=1&y=2'
      expect((await exportedItem({ imageUrl }))?.ImageUrl).toBe(
        'https://shop.example/media/a%20b.png?x=1&y=2',
      )
      await clearStore(store.payload)
      const site = await store.payload.create({
        collection: 'sites',
        data: { name: 'DE', handle: 'de', baseUrl: 'https://de.shop.example/' },
      })
      expect((await exportedItem({ imageUrl }, { site: site.id }))?.ImageUrl).toBe(
        'https://de.shop.example/media/a%20b.png?x=1&y=2',
      )
    })
  })

  describe('docs/interface.md (Exported order): text longer than the schema allows is cut at a whole character', () => {
    const first = (text: string, count: number) => [...text].slice(0, count).join('')

    // An emoji has two UTF-16 units. Whatever the limit, a cut by units would halve one in either text.
    it.each([
      ['even', '😀'.repeat(1500)],
      ['odd', `a${'😀'.repeat(1500)}`],
    ])('cuts every text to its length, at an %s place of the UTF-16', async (_, text) => {
      const { id } = await saveOrder(store.payload)
      const parts = ['company', 'addressLine1', 'addressLine2', 'city', 'state', 'postalCode']
      const texts = (names: string[]) => Object.fromEntries(names.map((name) => [name, text]))
      const address = {
        ...anAddress({ firstName: 'Ada' }),
        ...texts([...parts, 'lastName', 'phone']),
      }
      const { items } = await store.payload.findByID({ collection: 'orders', id, depth: 0 })
      const [line] = items as { options: Data[] }[]
      await overwrite(id, {
        ...texts(['reference', 'shippingMethod', 'customerNotes', 'internalNotes', 'giftMessage']),
        shippingAddress: address,
        billingAddress: address,
        items: [
          {
            ...line,
            ...texts(['sku', 'name']),
            options: [{ ...line?.options[0], ...texts(['name', 'value']) }],
          },
        ],
      })
      const order = onlyOrder(await exportXml())
      expect(order).toMatchObject({
        OrderNumber: first(text, 50),
        ShippingMethod: first(text, 100),
        CustomerNotes: first(text, 1000),
        InternalNotes: first(text, 1000),
        GiftMessage: first(text, 1000),
      })
      const [item] = itemsOf(order)
      expect(item).toMatchObject({ SKU: first(text, 50), Name: first(text, 200) })
      expect(optionsOf(item)).toEqual([`${first(text, 100)}: ${first(text, 100)}`])
      for (const place of ['ShipTo', 'BillTo']) {
        expect(at(order, `Customer.${place}`)).toMatchObject({
          Name: first(`Ada ${text}`, 100),
          Company: first(text, 100),
          Address1: first(text, 200),
          Address2: first(text, 200),
          City: first(text, 100),
          State: first(text, 100),
          PostalCode: first(text, 50),
          Phone: first(text, 50),
        })
      }
    })

    it('counts characters as they are, not as they are escaped', async () => {
      expect((await exportedItem({ sku: '&'.repeat(51) }))?.SKU).toBe('&'.repeat(50))
    })

    it('keeps the first 100 options, as the schema has room for', async () => {
      const options = Array.from({ length: 120 }, (_, index) => ({ name: 'n', value: `${index}` }))
      const written = optionsOf(await exportedItem({ options }))
      expect(written).toEqual(options.slice(0, 100).map(({ value }) => `n: ${value}`))
    })

    it('writes 1 MB of notes cut, and the order with them', async () => {
      // Payload's own limit is lower, but an import may exceed it.
      const { id } = await saveOrder(store.payload)
      await overwrite(id, { customerNotes: 'é'.repeat(1024 * 1024) })
      expect(onlyOrder(await exportXml()).CustomerNotes).toBe('é'.repeat(1000))
    })
  })

  describe('docs/interface.md (Exported order): quotes, &, <, ]]> and non-ASCII survive a real parser; characters illegal in XML 1.0 are dropped', () => {
    const nasty = `"double" 'single' & &amp; < > ]]> <![CDATA[x]]> <!-- --> ü ß 茶 😀 \u202e \u00a0`

    it('brings them through in every text', async () => {
      const order = await exported({
        customerNotes: nasty,
        shippingAddress: anAddress({ firstName: nasty, lastName: 'X', city: nasty }),
        items: [aLine({ name: nasty, options: [{ name: nasty, value: nasty }] })],
      })
      const [item] = itemsOf(order)
      expect(order.CustomerNotes).toBe(nasty)
      expect(at(order, 'Customer.ShipTo.Name')).toBe(`${nasty} X`)
      expect(at(order, 'Customer.ShipTo.City')).toBe(nasty)
      expect(item?.Name).toBe(nasty)
      expect(optionsOf(item)).toEqual([`${nasty}: ${nasty}`])
    })

    it('drops control characters and noncharacters and keeps tabs and line breaks', async () => {
      const customerNotes = 'a\u0001b\u0008c\u000bd\u001fe\ufffef\tg\nh\r\ni\rj\u007fk'
      expect((await exported({ customerNotes })).CustomerNotes).toBe('abcdef\tg\nh\r\ni\rj\u007fk')
    })

    it('keeps blanks at the ends and entities that are text', async () => {
      const customerNotes = '  &#60;b&#62; &nbsp; %3C  '
      expect((await exported({ customerNotes })).CustomerNotes).toBe(customerNotes)
    })
  })
})

/** The names of the elements directly below, in their order. */
function topLevelNames(xml: string): string[] {
  const names: string[] = []
  let depth = 0
  for (const [, closing, name = '', empty] of xml.matchAll(/<(\/?)(\w+)(\/?)>/g)) {
    if (closing) {
      depth--
      continue
    }
    if (depth === 0) names.push(name)
    if (!empty) depth++
  }
  return names
}
