import { beforeEach, describe, expect, it } from 'vitest'
import type { MappedOrder, Order, OrderDocument } from '../../../src/shop/orders/order.js'
import {
  at,
  changeSettings,
  clearStore,
  itemsOf,
  parseExport,
  readExport,
  skippedOrders,
} from '../../support/exported-orders.js'
import { aMappedOrder, mappedAddress, mappedLine } from '../../support/mapped-order.js'
import {
  aLine,
  anAddress,
  anOrder,
  changeOrder,
  saveOrder,
  type SavedOrder,
} from '../../support/orders.js'
import { savePastOrders } from '../../support/past-orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
import { sharedStore } from '../../support/shared-store.js'
import { anyKind, databaseKinds } from '../../support/store.js'
import { validatingStore } from './validating-store.js'

type Data = Record<string, unknown>

const withBadCity = { shippingAddress: anAddress({ city: '' }) }

describe.each(databaseKinds)('the skipped orders of an export (%s)', (kind) => {
  const store = validatingStore(kind)
  const { log, references, save, overwrite, notes } = store

  describe('docs/interface.md (Order validation): each skipped order is logged with the reference and the reason, and shown in the admin', () => {
    it('logs one warning for each skipped order and none for the others', async () => {
      const { reference } = await save(withBadCity)
      await save()
      await references()
      const warnings = log.lines().filter(({ level }) => level >= 40)
      expect(warnings).toHaveLength(1)
      expect(warnings[0]).toMatchObject({ reference })
      expect(JSON.stringify(warnings[0]?.reasons)).toMatch(/city/)
    })

    it('notes an order once, however often it is left out, until the reason changes', async () => {
      const { id } = await save(withBadCity)
      await references()
      const before = await notes()
      await references()
      await references()
      expect(await notes()).toEqual(before)
      await overwrite(id, { shippingAddress: anAddress({ country: 'GBR' }) })
      await references()
      expect(await notes()).toMatchObject([{ order: id, codes: [{ code: 'NO_SHIPPING_COUNTRY' }] }])
    })

    it('clears the note of an order that passes or is deleted, by id or by query, and no other', async () => {
      const mended = await save(withBadCity)
      const [one, other] = [await save(withBadCity), await save(withBadCity)]
      const left = await save(withBadCity)
      await references()
      expect(await notedOrders()).toEqual([mended.id, one.id, other.id, left.id])
      await store.payload.delete({ collection: 'orders', id: one.id })
      await store.payload.delete({ collection: 'orders', where: { id: { equals: other.id } } })
      expect(await notedOrders()).toEqual([mended.id, left.id])
      await changeOrder(store.payload, mended.id, { shippingAddress: anAddress() })
      expect(await references()).toEqual([mended.reference])
      expect(await notedOrders()).toEqual([left.id])
    })

    const notedOrders = async () => (await notes()).map(({ order }) => order)
  })
})

describe('the validation of exported orders', () => {
  const store = validatingStore(anyKind)
  const { log, hooks, respond, references, save, overwrite, notes, failOnInvalidOrder } = store

  describe('docs/interface.md (Order validation): an order passes validation when it has a customer or an email, a status, and a ShipTo with Name, Address1, City and a two-letter Country', () => {
    it('is left out otherwise, and the merchant reads why', async () => {
      const to = (changes: Data) => ({ shippingAddress: anAddress(changes) })
      const wrong: [Data, { code: string; params?: object }][] = [
        [{ customerEmail: null }, { code: 'NO_CUSTOMER' }],
        [{ customerEmail: ' ' }, { code: 'NO_CUSTOMER' }],
        [{ status: null }, { code: 'NO_STATUS' }],
        [to({ firstName: ' ', lastName: null }), { code: 'NO_SHIPPING_NAME' }],
        [to({ addressLine1: '' }), { code: 'NO_SHIPPING_ADDRESS_LINE' }],
        [to({ city: null }), { code: 'NO_SHIPPING_CITY' }],
        [to({ city: '\t' }), { code: 'NO_SHIPPING_CITY' }],
        // Characters that XML does not allow.
        [to({ city: '\u0001 \u0008' }), { code: 'NO_SHIPPING_CITY' }],
        ...[null, 'GBR', 'G', 'United Kingdom', 'G8', 'ÄÖ', '  '].map(
          (country): [Data, { code: string }] => [to({ country }), { code: 'NO_SHIPPING_COUNTRY' }],
        ),
        [
          { billingAddress: anAddress({ city: 'Bath', country: 'GBR' }) },
          { code: 'BILLING_COUNTRY_INVALID' },
        ],
        [{ amount: 5.9 }, { code: 'TOTAL_INVALID', params: { value: 5.9 } }],
        [{ taxAmount: 5.9 }, { code: 'TAX_AMOUNT_INVALID', params: { value: 5.9 } }],
        [{ shippingAmount: 5.9 }, { code: 'SHIPPING_AMOUNT_INVALID', params: { value: 5.9 } }],
        [{ discountAmount: 5.9 }, { code: 'DISCOUNT_INVALID', params: { value: 5.9 } }],
      ]
      const ids: SavedOrder['id'][] = []
      for (const [data] of wrong) {
        const { id } = await save()
        await overwrite(id, data)
        ids.push(id)
      }
      expect(await references()).toEqual([])
      const listed = await notes()
      expect(listed.map(({ order, codes }) => [order, codes])).toEqual(
        wrong.map(([, reason], index) => [ids[index], [reason]]),
      )
    })

    it('is left out with a line that the schema has no room for', async () => {
      const wrong: [Data, { code: string; params: object }][] = [
        [{ quantity: 1.5 }, { code: 'QUANTITY_INVALID', params: { line: 2 } }],
        [{ quantity: 0 }, { code: 'QUANTITY_INVALID', params: { line: 2 } }],
        [{ quantity: 2 ** 31 }, { code: 'QUANTITY_INVALID', params: { line: 2 } }],
        [
          { name: ' ', sku: '\u0001' },
          { code: 'NO_ITEM_NAME', params: { line: 2 } },
        ],
        [{ unitPrice: null }, { code: 'NO_UNIT_PRICE', params: { line: 2 } }],
        [{ unitPrice: 1e20 }, { code: 'UNIT_PRICE_INVALID', params: { line: 2, value: 1e20 } }],
        [{ weight: 1e30 }, { code: 'WEIGHT_INVALID', params: { line: 2 } }],
      ]
      await savePastOrders(
        store.payload,
        wrong.map(([line]) => ({ items: [aLine(), aLine(line)] })),
      )
      expect(await references()).toEqual([])
      expect((await notes()).map(({ codes }) => codes)).toEqual(wrong.map(([, code]) => [code]))
    })

    it('takes a country in small letters, and asks for nothing else', async () => {
      const blank = { state: '', postalCode: '', phone: '', company: '', addressLine2: '' }
      const items = [{ quantity: 1, sku: 'SAMPLE', unitPrice: 0 }]
      for (const country of ['gb', ' GB', 'Gb ']) {
        const { id } = await save({ items })
        const billingAddress = { ...anAddress({ city: 'Bath' }), country: null }
        await overwrite(id, { shippingAddress: anAddress({ ...blank, country }), billingAddress })
      }
      const { orders } = await store.exported()
      const countries = orders.map((order) => at(order, 'Customer.ShipTo.Country'))
      expect(countries).toEqual(['GB', 'GB', 'GB'])
    })

    it('says every reason at once', async () => {
      const { id } = await save()
      await overwrite(id, {
        status: null,
        customerEmail: null,
        shippingAddress: { firstName: null, lastName: null, addressLine1: null },
      })
      expect(await references()).toEqual([])
      expect((await notes())[0]?.reasons.split('\n')).toHaveLength(4)
    })
  })

  it('docs/interface.md (Errors): 500 when an order failed validation while Fail export on validation failure is on; the reason is in the CMS log', async () => {
    await save()
    const bad = await save({ reference: 'SECRET-REFERENCE', ...withBadCity })
    await failOnInvalidOrder()
    log.clear()
    const response = await respond()
    const line = log.lines().find(({ level }) => level >= 50)
    expect(line).toMatchObject({
      reference: 'SECRET-REFERENCE',
      reasons: [expect.stringMatching(/city/)],
      requestId: response.headers.get('x-request-id'),
    })
    expect(log.text()).not.toMatch(/secret:ü|Basic /)
    expect((await notes()).map(({ order }) => order)).toEqual([bad.id])

    // Only the page that the order is on fails.
    await changeSettings(store.payload, { pageSize: '1', failOnInvalidOrder: true })
    expect((await respond()).status).toBe(200)
    expect((await respond({ page: '2' })).status).toBe(500)
    await overwrite(bad.id, { shippingAddress: anAddress() })
    expect((await respond({ page: '2' })).status).toBe(200)
  })

  it.each([false, true])(
    'docs/interface.md (Order validation): an order with no items has nothing to ship: it is left out with a warning, with Fail export on validation failure %j',
    async (isOn) => {
      if (isOn) await failOnInvalidOrder()
      const empty = await save({ items: [], ...withBadCity })
      const { reference } = await save()
      expect(await references()).toEqual([reference])
      expect(await notes()).toMatchObject([{ order: empty.id, codes: [{ code: 'NO_ITEMS' }] }])
      const warning = log.lines().find(({ level }) => level === 40)
      expect(warning).toMatchObject({ reference: empty.reference })
    },
  )

  describe('docs/interface.md (Exported order): a hook may change or veto each exported order', () => {
    it('writes what the hook changed, also later: custom fields 1 to 3, internal notes and anything else', async () => {
      await save({ gift: true, internalNotes: 'old' })
      hooks.beforeExport = async (order) => {
        await new Promise((resolve) => setImmediate(resolve))
        return {
          ...order,
          customField1: order.gift ? 'GIFT' : '',
          customField2: 'two & <2>',
          customField3: '3'.repeat(200),
          internalNotes: `${order.internalNotes}, new`,
          items: [...order.items, { ...order.items[0]!, sku: 'SAMPLE', unitPrice: 0 }],
        }
      }
      const { orders } = await store.exported()
      expect(orders[0]).toMatchObject({
        CustomField1: 'GIFT',
        CustomField2: 'two & <2>',
        CustomField3: '3'.repeat(100),
        InternalNotes: 'old, new',
      })
      expect(itemsOf(orders[0]).map((item) => item.SKU)).toEqual(['TEA-1', 'SAMPLE'])
    })

    it('may make a page of many megabytes, which is sent in pieces, as hosts of functions refuse more than 4.5 MB in one', async () => {
      const lines = 20_000
      await save()
      hooks.beforeExport = (order) => ({
        ...order,
        items: Array.from({ length: lines }, () => order.items).flat(),
      })
      const pieces: Uint8Array[] = []
      for await (const piece of (await respond()).body ?? []) pieces.push(piece)
      const xml = Buffer.concat(pieces)
      expect(xml.byteLength).toBeGreaterThan(4_500_000)
      expect(Math.max(...pieces.map(({ byteLength }) => byteLength))).toBeLessThan(4_500_000)
      expect(itemsOf(parseExport(xml.toString()).orders[0])).toHaveLength(lines)
    })

    it('is given each order once a request, and none of the orders of other pages', async () => {
      await changeSettings(store.payload, { pageSize: '2' })
      for (const reference of ['A', 'B', 'C']) await save({ reference })
      const seen: string[] = []
      hooks.beforeExport = (order) => {
        seen.push(order.reference)
        return order
      }
      await respond()
      expect(seen).toEqual(['A', 'B'])
      await respond({ page: '2' })
      expect(seen).toEqual(['A', 'B', 'C'])
    })

    it('validates what the hook returns: it can mend an order, and break one', async () => {
      const mended = await save({ ...withBadCity, reference: 'MENDED' })
      const broken = await save({ reference: 'BROKEN' })
      hooks.beforeExport = ({ shippingAddress, ...order }) => ({
        ...order,
        shippingAddress: { ...shippingAddress, city: order.reference === 'MENDED' ? 'Ely' : '' },
      })
      expect(await references()).toEqual([mended.reference])
      expect(await notes()).toMatchObject([{ order: broken.id }])
    })

    it('leaves out the orders that the hook vetoes, notes them, and never fails the request for it', async () => {
      await failOnInvalidOrder()
      const kept = await save({ reference: 'KEPT' })
      const vetoed = await save({ reference: 'VETOED' })
      hooks.beforeExport = (order) => (order.reference === 'VETOED' ? false : order)
      expect(await references()).toEqual([kept.reference])
      expect(await notes()).toMatchObject([{ order: vetoed.id, reference: 'VETOED' }])
      expect(log.text()).toContain('VETOED')
      hooks.beforeExport = (order) => order
      expect(await references()).toEqual(['KEPT', 'VETOED'])
      expect(await notes()).toEqual([])
    })

    it.each<[string, () => Order | Promise<Order>]>([
      [
        'throws',
        () => {
          throw new Error('the ERP is down')
        },
      ],
      ['rejects', () => Promise.reject(new Error('the ERP is down'))],
      ['returns nothing', () => undefined as unknown as Order],
      ['returns a part', () => ({ reference: 'the ERP is down' }) as Order],
    ])(
      'leaves out only the order for which the hook %s, with the cause in the log alone',
      async (how, fail) => {
        const failed = await save({ reference: 'FAILED' })
        await save({ reference: 'FINE' })
        hooks.beforeExport = (order) => (order.reference === 'FAILED' ? fail() : order)
        expect(await references()).toEqual(['FINE'])
        expect(log.text()).toContain(how.startsWith('returns') ? 'TypeError' : 'the ERP is down')
        const [note] = await notes()
        expect(note).toMatchObject({ order: failed.id, codes: [{ code: 'BEFORE_EXPORT_FAILED' }] })
        expect(note?.reasons).not.toContain('ERP')

        await failOnInvalidOrder()
        const response = await respond()
        expect(response.status).toBe(500)
        expect(await response.text()).not.toContain('ERP')
      },
    )
  })
})

describe.each(databaseKinds)('a store with a mapping of its own (%s)', (kind) => {
  const mapOrder = (document: OrderDocument): MappedOrder => {
    const city = document.internalNotes === 'no city' ? '' : 'Kyoto'
    return aMappedOrder(document, {
      status: 'mapped',
      currency: 'JPY',
      paymentMethod: 'cash',
      shippingMethod: String(document.shippingMethod),
      shippingAddress: { ...mappedAddress, city, country: 'JP' },
      items: [
        {
          ...mappedLine,
          sku: 'M-1',
          name: String((document.site as { name?: string } | null)?.name),
          unitPrice: 400,
          imageUrl: '/m.png',
        },
      ],
    })
  }

  describe('docs/interface.md (Exported order): a store that keeps the data elsewhere passes a mapping function', () => {
    const depths: unknown[] = []
    const store = sharedStore(kind, {
      options: {
        orders: {
          map: (document, { req }) => {
            depths.push(typeof req.payload.find)
            const { internalNotes: notes, id } = document
            if (notes === 'fails') throw new Error('The store’s own error')
            return { ...mapOrder(document), id: notes === 'changes the id' ? `ERP-${id}` : id }
          },
        },
        shipping: {
          beforeExport: (order) => ({ ...order, customField1: `hook of ${order.reference}` }),
        },
      },
    })
    beforeEach(() => clearStore(store.payload))

    it('writes what the mapping returns, in the order of the list, hook and validation included', async () => {
      const { payload } = store
      const handle = `main-${crypto.randomUUID()}`
      const data = { name: 'Main', handle, baseUrl: 'https://main.example' }
      const site = await payload.create({ collection: 'sites', data })
      const changed = { site: site.id, shippingMethod: 'Drone' }
      const saveAt = (updatedAt: string) => saveOrder(payload, anOrder({ ...changed, updatedAt }))
      const late = await saveAt('2026-02-01T00:00:00.000Z')
      const early = await saveAt('2026-01-01T00:00:00.000Z')
      const bad = await saveOrder(payload, anOrder({ ...changed, internalNotes: 'no city' }))

      const response = await store.handle(exportRequest())
      expect(response.status).toBe(200)
      const { pages, orders, references } = parseExport(await response.text())
      expect(pages).toBe('1')
      expect(references).toEqual([`ERP-${early.id}`, `ERP-${late.id}`])
      expect(orders[0]).toMatchObject({
        OrderID: String(early.id),
        OrderStatus: 'mapped',
        OrderTotal: '1200.00',
        LastModified: '1/2/2026 00:00',
        PaymentMethod: 'cash',
        ShippingMethod: 'Drone',
        CustomField1: `hook of ERP-${early.id}`,
      })
      // The document's relations are there, two levels deep.
      expect(itemsOf(orders[0])).toMatchObject([
        { SKU: 'M-1', Name: 'Main', UnitPrice: '400.00', ImageUrl: 'https://shop.example/m.png' },
      ])
      expect(depths).toContain('function')
      expect(await skippedOrders(payload)).toMatchObject([
        { order: bad.id, reference: `ERP-${bad.id}` },
      ])
    })

    it.each(['fails', 'changes the id'])(
      'leaves out only the order for which it %s, and lists it until that is over',
      async (internalNotes) => {
        const { payload } = store
        const first = await saveOrder(payload)
        const bad = await saveOrder(payload, anOrder({ internalNotes }))
        const last = await saveOrder(payload)
        const exported = async () =>
          (await readExport(await store.handle(exportRequest()))).references
        const listed = () => skippedOrders(payload)

        expect(await exported()).toEqual([`ERP-${first.id}`, `ERP-${last.id}`])
        expect(await listed()).toMatchObject([
          {
            order: bad.id,
            reference: bad.reference,
            reasons: expect.stringContaining('orders.map') as unknown,
          },
        ])
        await changeSettings(payload, { failOnInvalidOrder: true })
        expect((await store.handle(exportRequest())).status).toBe(500)
        await changeSettings(payload, { failOnInvalidOrder: false })

        await changeOrder(payload, bad.id, { internalNotes: '' })
        expect(await exported()).toEqual([`ERP-${first.id}`, `ERP-${last.id}`, `ERP-${bad.id}`])
        expect(await listed()).toEqual([])
      },
    )
  })
})
