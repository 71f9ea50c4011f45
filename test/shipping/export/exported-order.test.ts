import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  at,
  changeSettings,
  clearStore,
  itemsOf,
  optionsOf,
  parseExport,
  storeSettings,
  type XmlElement,
} from '../../support/exported-orders.js'
import { aLine, anAddress, anOrder, overwriteOrder, saveOrder } from '../../support/orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
import { testCredentials } from '../../support/store-config.js'
import { sharedStore } from '../../support/shared-store.js'
import { databaseKinds } from '../../support/store.js'

type Data = Record<string, unknown>

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

const greenTea = {
  SKU: 'TEA-1',
  Name: 'Green tea',
  Weight: '250',
  Quantity: '2',
  UnitPrice: '17.50',
  ImageUrl: 'https://shop.example/media/tea.png',
  WeightUnits: 'Grams',
  Adjustment: 'false',
  Options: { Option: [{ Name: 'Size', Value: 'Large' }] },
}

const shipTo = {
  Name: 'Ada Lovelace',
  Company: 'Analytical Engines',
  Address1: '12 St James Square',
  Address2: 'Flat 2',
  City: 'London',
  State: 'LND',
  PostalCode: 'SW1Y 4JH',
  Country: 'GB',
  Phone: '+442079460000',
}

describe.each(databaseKinds)('docs/interface.md (Exported order) (%s)', (kind) => {
  const store = sharedStore(kind)
  beforeEach(() => clearStore(store.payload))

  const onlyOrder = async (): Promise<XmlElement> => {
    const response = await store.handle(exportRequest())
    expect(response.status).toBe(200)
    const { orders } = parseExport(await response.text())
    expect(orders).toHaveLength(1)
    return orders[0] ?? {}
  }
  /** Saves one order and returns its element. */
  const exported = async (changes: Data = {}) => {
    await saveOrder(store.payload, anOrder(changes))
    return onlyOrder()
  }
  const exportedItem = async (changes: Data = {}, order: Data = {}) =>
    itemsOf(await exported({ items: [aLine(changes)], ...order }))[0]
  const overwrite = (id: number | string, data: Data) => overwriteOrder(store.payload, id, data)
  /** Saves settings as a merchant does, for one test. */
  const set = async (settings: Data) => {
    await changeSettings(store.payload, settings)
    const blank = Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [name, value === true ? false : '']),
    )
    onTestFinished(() => changeSettings(store.payload, blank))
  }
  const createUser = async () => {
    const data = { email: `ada-${Math.random()}@example.com`, password: 'correct horse' }
    return store.payload.create({ collection: 'users', data })
  }
  const createTransaction = async (paymentMethod: string | null) => {
    const data = { paymentMethod, amount: 4250, currency: 'USD' }
    return (await store.payload.create({ collection: 'transactions', data })).id
  }

  it('writes all of a complete order, its elements always in this order', async () => {
    const user = await createUser()
    const options = ['x', 'y', 'z'].map((value) => ({ name: 'Part', value }))
    const saved = await saveOrder(
      store.payload,
      anOrder({
        reference: 'R-1001',
        status: 'completed',
        customer: user.id,
        transactions: [await createTransaction('invoice')],
        items: [aLine(), aLine({ sku: 'A', quantity: 40, options }), aLine({ sku: 'C' })],
        discountAmount: 1050,
        discountCode: 'SPRING',
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

    const order = await onlyOrder()
    const expected = {
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
          greenTea,
          {
            ...greenTea,
            SKU: 'A',
            Quantity: '40',
            Options: { Option: options.map(({ name, value }) => ({ Name: name, Value: value })) },
          },
          { ...greenTea, SKU: 'C' },
          // A discount is one more item.
          {
            SKU: 'discount',
            Name: 'Discount SPRING',
            Weight: '0',
            Quantity: '1',
            UnitPrice: '-10.50',
            ImageUrl: '',
            WeightUnits: 'Grams',
            Adjustment: 'true',
            Options: '',
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
        ShipTo: shipTo,
      },
      InternalNotes: 'A regular.',
      Gift: 'true',
      OrderDate: '1/2/2026 03:04',
      CustomField1: '',
      CustomField2: '',
      CustomField3: '',
      CustomerNotes: 'Ring twice.',
      GiftMessage: 'Happy birthday!',
    }
    expect(order).toEqual(expected)
    expect(JSON.stringify(order)).toBe(JSON.stringify(expected))
  })

  it('writes an empty text as an empty element, and bills to the shipping address where there is no other', async () => {
    const missing = { company: '', addressLine2: null, state: null, postalCode: '', phone: null }
    const saved = await saveOrder(
      store.payload,
      anOrder({
        shippingAddress: anAddress(missing),
        shippingMethod: null,
        shippingAmount: null,
        taxAmount: null,
        items: [{ quantity: 1, sku: 'SAMPLE', unitPrice: 0 }],
      }),
    )
    const blank = Object.fromEntries(Object.keys(billing).map((name) => [name, '']))
    for (const billingAddress of [undefined, blank]) {
      if (billingAddress) await overwrite(saved.id, { billingAddress })
      const written = { ...shipTo, Company: '', Address2: '', State: '', PostalCode: '', Phone: '' }
      expect(await onlyOrder()).toEqual({
        OrderID: String(saved.id),
        OrderNumber: saved.reference,
        OrderStatus: 'processing',
        OrderTotal: '42.50',
        TaxAmount: '0.00',
        ShippingAmount: '0.00',
        LastModified: expect.stringContaining('/') as string,
        PaymentMethod: '',
        ShippingMethod: '',
        Items: {
          Item: [
            {
              SKU: 'SAMPLE',
              Name: '',
              Weight: '0',
              Quantity: '1',
              UnitPrice: '0.00',
              ImageUrl: '',
              WeightUnits: 'Grams',
              Adjustment: 'false',
              Options: '',
            },
          ],
        },
        Customer: {
          CustomerCode: 'ada@example.com',
          BillTo: { ...written, Email: 'ada@example.com' },
          ShipTo: written,
        },
        InternalNotes: '',
        Gift: 'false',
        OrderDate: expect.stringContaining('/') as string,
        CustomField1: '',
        CustomField2: '',
        CustomField3: '',
        CustomerNotes: '',
        GiftMessage: '',
      })
    }
  })

  it('does not mix the two addresses', async () => {
    const billingAddress = { firstName: 'Charles', lastName: 'Babbage', city: 'Bath' }
    const order = await exported({ billingAddress })
    const rest = { Company: '', Address1: '', Address2: '', PostalCode: '' }
    const billed = { Name: 'Charles Babbage', City: 'Bath', ...rest }
    expect(at(order, 'Customer.BillTo')).toMatchObject(billed)
  })

  it.each([null, ''])(
    'CustomerCode is the id of an account, whose email is that of an order without (%j), PaymentMethod that of the first transaction that has one',
    async (customerEmail) => {
      const user = await createUser()
      const later = await createTransaction('invoice')
      const transactions = [await createTransaction(null), await createTransaction('demo'), later]
      const order = await exported({ customer: user.id, customerEmail, transactions })
      expect(at(order, 'Customer.CustomerCode')).toBe(String(user.id))
      expect(at(order, 'Customer.BillTo.Email')).toBe(user.email)
      expect(order.PaymentMethod).toBe('demo')
    },
  )

  it.each([
    ['USD', 5, '0.05'],
    ['USD', 123456789, '1234567.89'],
    ['USD', -1999, '-19.99'],
    ['USD', 9007199254740991, '90071992547409.91'],
    ['JPY', 500, '500.00'],
    ['KWD', 1234, '1.234'],
    ['KWD', -12345678, '-12345.678'],
  ])(
    'money has two decimals, or as many more as the currency has, and a discount is negative: %s %d is %s',
    async (currency, amount, text) => {
      const items = [aLine({ unitPrice: amount })]
      const saved = await saveOrder(store.payload, anOrder({ currency, items }))
      const amounts = { taxAmount: amount, shippingAmount: amount, discountAmount: amount }
      await overwrite(saved.id, { amount, ...amounts })
      const order = await onlyOrder()
      expect(order).toMatchObject({ OrderTotal: text, TaxAmount: text, ShippingAmount: text })
      const prices = itemsOf(order).map(({ UnitPrice }) => UnitPrice)
      expect(prices).toEqual([text, `-${text.replace('-', '')}`])
    },
  )

  it('Weight is in the unit of WeightUnits', async () => {
    const weights = [
      [250, 'g', '250 Grams'],
      [1.5, 'kg', '1500 Grams'],
      [0.25, 'lb', '0.25 Pounds'],
      [8, 'oz', '8 Ounces'],
      [0, 'g', '0 Grams'],
      [null, null, '0 Grams'],
      [0.1 + 0.2, 'oz', '0.3 Ounces'],
      [100000000, 'kg', '100000000000 Grams'],
    ] as const
    const items = weights.map(([weight, weightUnit]) => aLine({ weight, weightUnit }))
    const written = itemsOf(await exported({ items }))
    expect(written.map(({ Weight, WeightUnits }) => [Weight, WeightUnits].join(' '))).toEqual(
      weights.map(([, , text]) => text),
    )
  })

  it("ImageUrl is an absolute URL: a path is completed with the shop's URL, or that of the order's site", async () => {
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

  describe('text longer than the schema allows is cut at a whole character', () => {
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
      const order = await onlyOrder()
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

    it('counts characters as they are, not as they are escaped, and keeps the first 100 options', async () => {
      const options = Array.from({ length: 120 }, (_, index) => ({ name: 'n', value: `${index}` }))
      const item = await exportedItem({ sku: '&'.repeat(51), options })
      expect(item?.SKU).toBe('&'.repeat(50))
      expect(optionsOf(item)).toEqual(options.slice(0, 100).map(({ value }) => `n: ${value}`))
    })
  })

  const nasty = `  "double" 'single' & &amp; &#60; < > ]]> <![CDATA[x]]> <!-- --> ü ß 茶 😀 \u202e \u00a0 %3C `

  it('quotes, &, <, ]]> and non-ASCII survive: a real parser brings them through in every text', async () => {
    const order = await exported({
      customerNotes: nasty,
      shippingAddress: anAddress({ firstName: 'X', lastName: nasty.trimEnd(), city: nasty }),
      items: [aLine({ name: nasty, options: [{ name: nasty, value: nasty }] })],
    })
    const [item] = itemsOf(order)
    expect(order.CustomerNotes).toBe(nasty)
    expect(at(order, 'Customer.ShipTo.Name')).toBe(`X ${nasty.trimEnd()}`)
    expect(at(order, 'Customer.ShipTo.City')).toBe(nasty)
    expect(item?.Name).toBe(nasty)
    expect(optionsOf(item)).toEqual([`${nasty}: ${nasty}`])
  })

  it('drops control characters and noncharacters and keeps tabs and line breaks', async () => {
    const customerNotes = 'a\u0001b\u0008c\u000bd\u001fe\ufffef\tg\nh\r\ni\rj\u007fk'
    expect((await exported({ customerNotes })).CustomerNotes).toBe('abcdef\tg\nh\r\ni\rj\u007fk')
  })

  describe('with the further fields', () => {
    const sized = {
      itemLength: 10,
      itemWidth: 2.5,
      itemHeight: 1,
      dimensionUnit: 'in',
      location: 'A-12',
    }
    const filled = {
      furtherFields: true,
      customField1: 'discountCode',
      customField2: 'status',
      customField3: 'shippingAddress.city',
      requestedWarehouse: 'warehouse',
      source: 'customerEmail',
    }
    const order = {
      items: [aLine(sized), aLine({ ...sized, itemWidth: null, location: '' })],
      discountCode: 'SPRING',
      warehouse: 'berlin',
    }

    it('writes the id and the place of each line, and the fields that the settings name', async () => {
      await set(filled)
      const { items } = await saveOrder(store.payload, anOrder(order))
      const written = await onlyOrder()
      expect(written).toMatchObject({
        CustomField1: 'SPRING',
        CustomField2: 'processing',
        CustomField3: 'London',
        RequestedWarehouse: 'berlin',
        Source: 'ada@example.com',
      })
      const [first, second] = itemsOf(written)
      expect(first).toEqual({ ...greenTea, LineItemID: items[0]?.id, Location: 'A-12' })
      expect(second).toEqual({ ...greenTea, LineItemID: items[1]?.id })
    })

    it('writes the size of a line that has all of it, by a setting of its own', async () => {
      await set({ furtherFields: true, dimensions: true })
      const [first, second] = itemsOf(await exported(order))
      const size = { DimensionUnits: 'in', Length: '10', Width: '2.5', Height: '1' }
      expect(first).toMatchObject({ Dimensions: size })
      expect(second).not.toHaveProperty('Dimensions')
    })

    it('writes none of it while they are off, whatever the other settings say', async () => {
      const plain = await exported(order)
      await set({ ...filled, furtherFields: false, dimensions: true })
      expect(await onlyOrder()).toEqual(plain)
    })

    it('writes the order whatever a setting names that was stored before, and no size that would be 0', async () => {
      const settings = { furtherFields: true, dimensions: true, source: 'toString' }
      await storeSettings(store.payload, { ...testCredentials, ...settings })
      const size = { itemLength: 1e-9, itemWidth: 1, itemHeight: 1, dimensionUnit: 'cm' }
      const item = await exportedItem(size)
      expect(item).not.toHaveProperty('Dimensions')
      const reset = { furtherFields: false, dimensions: false, source: '' }
      await storeSettings(store.payload, { ...testCredentials, ...reset })
    })

    it('a setting may not name what orders do not have, or have several of', async () => {
      for (const source of ['nothing', 'items', 'gift']) {
        await expect(changeSettings(store.payload, { source })).rejects.toThrow('Source')
      }
    })
  })
})
