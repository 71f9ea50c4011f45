import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MappedOrder, Order, OrderDocument } from '../../../src/orders/order.js'
import type { ShippingOptions } from '../../../src/shipping/shipping-options.js'
import { captureLog } from '../../support/captured-log.js'
import {
  at,
  changeSettings,
  clearStore,
  itemsOf,
  parseExport,
  readExport,
} from '../../support/exported-orders.js'
import { aMappedOrder, mappedAddress, mappedLine } from '../../support/mapped-order.js'
import { aLine, anAddress, anOrder, saveOrder, type SavedOrder } from '../../support/orders.js'
import { savePastOrders } from '../../support/past-orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
import type { DatabaseKind } from '../../support/store-config.js'
import { anyKind, databaseKinds, openStore, type TestStore } from '../../support/store.js'

type Data = Record<string, unknown>

interface SkipNote {
  reference: string
  reasons: string
  order: number | string
}

const withBadCity = { shippingAddress: anAddress({ city: '' }) }

/** The hooks of the store. Each test sets them, but the store is opened once. */
const hooks: {
  beforeExport: NonNullable<ShippingOptions['beforeExport']>
} = { beforeExport: (order) => order }

/** One store for all tests of a block, without orders at the beginning of each. */
function validatingStore(kind: DatabaseKind) {
  const log = captureLog()
  let store: TestStore
  beforeAll(async () => {
    store = await openStore(kind, {
      config: log.config,
      options: { shipping: { beforeExport: (order) => hooks.beforeExport(order) } },
    })
  })
  beforeEach(async () => {
    hooks.beforeExport = (order) => order
    await clearStore(store.payload)
    log.clear()
  })
  afterAll(() => store.close())

  const respond = (headers: HeadersInit = {}) =>
    store.handle(exportRequest({}, { headers: new Headers(headers) }))
  return {
    log,
    get payload() {
      return store.payload
    },
    handle: (request: Request) => store.handle(request),
    respond,
    references: async () => (await readExport(await respond())).references,
    save: (changes: Data = {}) => saveOrder(store.payload, anOrder(changes)),
    /** Writes without Payload's validation, as an import or an older version of the shop might have. */
    overwrite: (id: number | string, data: Data) =>
      store.payload.db.updateOne({ collection: 'orders', id, data, returning: false }),
    notes: async () => {
      const { docs } = await store.payload.find({
        collection: 'shipping-skipped-orders',
        depth: 0,
        pagination: false,
        sort: 'id',
      })
      return docs as unknown as SkipNote[]
    },
    failOnInvalidOrder: () => changeSettings(store.payload, { failOnInvalidOrder: true }),
  }
}

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

    it('notes an order once, however often it is left out', async () => {
      await save(withBadCity)
      await references()
      const before = await rawNotes()
      await references()
      await references()
      expect(await rawNotes()).toEqual(before)
    })

    it('changes the note when the reason changes', async () => {
      const { id } = await save(withBadCity)
      await references()
      await overwrite(id, { shippingAddress: anAddress({ country: 'GBR' }) })
      await references()
      const all = await notes()
      expect(all).toHaveLength(1)
      expect(all[0]?.reasons).toMatch(/country/)
      expect(all[0]?.reasons).not.toMatch(/city/)
    })

    it('clears the note of an order that passes, and no other', async () => {
      const mended = await save(withBadCity)
      const left = await save(withBadCity)
      await references()
      expect(await notedOrders()).toEqual([mended.id, left.id])
      await store.payload.update({
        collection: 'orders',
        id: mended.id,
        data: { shippingAddress: anAddress() },
      })
      expect(await references()).toEqual([mended.reference])
      expect(await notedOrders()).toEqual([left.id])
    })

    it('clears the note of an order that is deleted, by id or by query', async () => {
      const [one, other, left] = [
        await save(withBadCity),
        await save(withBadCity),
        await save(withBadCity),
      ]
      await references()
      await store.payload.delete({ collection: 'orders', id: one.id })
      await store.payload.delete({ collection: 'orders', where: { id: { equals: other.id } } })
      expect(await notedOrders()).toEqual([left.id])
    })

    it('is for admins to read and for nobody to write', async () => {
      await save(withBadCity)
      await references()
      const collection = 'shipping-skipped-orders'
      const { payload } = store
      const user = (roles: string[]) =>
        ({ id: 0, collection: 'users', email: 'a@example.com', roles }) as never
      const read = (roles: string[]) =>
        payload.find({ collection, overrideAccess: false, user: user(roles) })
      expect((await read(['admin'])).docs).toHaveLength(1)
      await expect(read(['customer'])).rejects.toThrow()
      const asAdmin = { collection, overrideAccess: false, user: user(['admin']) } as const
      await expect(payload.create({ ...asAdmin, data: { reference: 'x' } })).rejects.toThrow()
    })

    const notedOrders = async () => (await notes()).map(({ order }) => order)
    const rawNotes = async () =>
      (await store.payload.find({ collection: 'shipping-skipped-orders', depth: 0 })).docs
  })
})

describe('the validation of exported orders', () => {
  const store = validatingStore(anyKind)
  const { log, respond, references, save, overwrite, notes, failOnInvalidOrder } = store

  describe('docs/interface.md (Order validation): an order passes validation when it has a customer or an email, a status, and a ShipTo with Name, Address1, City and a two-letter Country', () => {
    it.each<[string, Data, RegExp]>([
      ['no customer and no email', { customerEmail: null }, /customer.*email/],
      ['no customer and a blank email', { customerEmail: ' ' }, /customer.*email/],
      ['no status', { status: null }, /status/],
      ['no name', { shippingAddress: anAddress({ firstName: '', lastName: null }) }, /name/],
      ['a blank name', { shippingAddress: anAddress({ firstName: ' ', lastName: ' ' }) }, /name/],
      [
        'no first address line',
        { shippingAddress: anAddress({ addressLine1: '' }) },
        /address line/,
      ],
      ['no city', { shippingAddress: anAddress({ city: null }) }, /city/],
      ['a blank city', { shippingAddress: anAddress({ city: '\t' }) }, /city/],
      [
        'a city of characters that XML does not allow',
        { shippingAddress: anAddress({ city: '\u0001 \u0008' }) },
        /city/,
      ],
      ['no country', { shippingAddress: anAddress({ country: null }) }, /country/],
    ])('omits an order with %s, and says so', async (_what, data, reason) => {
      const { id, reference } = await save()
      await overwrite(id, data)
      expect(await references()).toEqual([])
      const [note, ...rest] = await notes()
      expect(rest).toEqual([])
      expect(note).toMatchObject({ reference, order: id })
      expect(note?.reasons).toMatch(reason)
      expect(note?.reasons.split('\n')).toHaveLength(1)
    })

    it.each(['GBR', 'G', 'United Kingdom', 'G8', 'ÄÖ', '  '])(
      'omits an order to the country %j',
      async (country) => {
        const { id } = await save()
        await overwriteCountry(id, 'shippingAddress', country)
        expect(await references()).toEqual([])
        expect((await notes())[0]?.reasons).toMatch(/country/)
      },
    )

    it.each(['gb', ' GB', 'Gb '])('takes the country %j for GB', async (country) => {
      const { id } = await save()
      await overwriteCountry(id, 'shippingAddress', country)
      const { orders } = await readExport(await respond())
      expect(at(orders[0], 'Customer.ShipTo.Country')).toBe('GB')
    })

    it('omits an order billed to a country that the schema has no room for', async () => {
      const { id } = await save({ billingAddress: anAddress({ city: 'Bath' }) })
      await overwriteCountry(id, 'billingAddress', 'GBR')
      expect(await references()).toEqual([])
      expect((await notes())[0]?.reasons).toMatch(/country.*billing/)
    })

    it('exports an order billed to an address without a country', async () => {
      const { id, reference } = await save({ billingAddress: anAddress({ city: 'Bath' }) })
      await overwriteCountry(id, 'billingAddress', null)
      expect(await references()).toEqual([reference])
    })

    it('exports an order with an account and no email', async () => {
      const user = await store.payload.create({
        collection: 'users',
        data: { email: `user-${Math.random()}@example.com`, password: 'correct horse' },
      })
      const { reference } = await save({ customer: user.id, customerEmail: null })
      expect(await references()).toEqual([reference])
    })

    it('asks for nothing else: no state, postal code, phone, company, second line, SKU, name or price', async () => {
      const blank = { state: '', postalCode: '', phone: '', company: '', addressLine2: '' }
      const { reference } = await save({
        shippingAddress: anAddress(blank),
        items: [{ quantity: 1 }],
      })
      expect(await references()).toEqual([reference])
    })

    it.each<[string, Data, RegExp]>([
      ['a quantity that is no whole number', { quantity: 1.5 }, /quantity/],
      ['a quantity of nothing', { quantity: 0 }, /quantity/],
      ['a quantity above what the schema holds', { quantity: 2 ** 31 }, /quantity/],
      ['a price above what a number can tell', { unitPrice: 1e20 }, /price/],
      ['a weight above what a decimal shows', { weight: 1e30 }, /weight/],
    ])('omits an order that has a line with %s', async (_what, line, reason) => {
      await savePastOrders(store.payload, [{ items: [aLine(), aLine(line)] }])
      expect(await references()).toEqual([])
      expect((await notes())[0]?.reasons).toMatch(reason)
      expect((await notes())[0]?.reasons).toMatch(/2/)
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

    const overwriteCountry = (id: number | string, address: string, country: unknown) =>
      overwrite(id, { [address]: { ...anAddress({ city: 'Bath' }), country } })
  })

  describe('docs/interface.md (Errors): 500 when an order failed validation while Fail export on validation failure is on; the reason is in the CMS log', () => {
    let bad: SavedOrder
    beforeEach(async () => {
      await save()
      bad = await save({ reference: 'SECRET-REFERENCE', ...withBadCity })
      await failOnInvalidOrder()
    })

    it('logs the reference, the reason and the id of the request, and no credential', async () => {
      log.clear()
      const response = await respond()
      const line = log.lines().find(({ level }) => level >= 50)
      expect(line).toMatchObject({
        reference: 'SECRET-REFERENCE',
        requestId: response.headers.get('x-request-id'),
      })
      expect(JSON.stringify(line?.reasons)).toMatch(/city/)
      expect(log.text()).not.toMatch(/secret:ü|Basic /)
    })

    it('notes the order for the merchant all the same', async () => {
      await respond()
      expect((await notes()).map(({ order }) => order)).toEqual([bad.id])
    })

    it('fails only the page that the order is on', async () => {
      await changeSettings(store.payload, { pageSize: '1', failOnInvalidOrder: true })
      const [first, second] = [exportRequest(), exportRequest({ page: '2' })]
      expect((await store.handle(first)).status).toBe(200)
      expect((await store.handle(second)).status).toBe(500)
    })

    it('answers 200 again when the order is mended', async () => {
      await overwrite(bad.id, { shippingAddress: anAddress() })
      expect(await references()).toHaveLength(2)
    })
  })

  describe('docs/interface.md (Order validation): an order with no items has nothing to ship: it is left out with a warning, whatever the settings say', () => {
    it.each([false, true])('with Fail export on validation failure %j', async (isOn) => {
      if (isOn) await failOnInvalidOrder()
      const empty = await save({ items: [] })
      const { reference } = await save()
      expect(await references()).toEqual([reference])
      expect(await notes()).toMatchObject([{ order: empty.id, reference: empty.reference }])
      const warning = log.lines().find(({ level }) => level === 40)
      expect(warning).toMatchObject({ reference: empty.reference })
    })

    it('also when it would fail validation too', async () => {
      await failOnInvalidOrder()
      await save({ items: [], ...withBadCity })
      expect(await references()).toEqual([])
    })
  })

  describe('docs/interface.md (Exported order): a hook may change or veto each exported order', () => {
    it('writes what the hook changed: custom fields 1 to 3, internal notes and anything else', async () => {
      await save({ gift: true, internalNotes: 'old' })
      hooks.beforeExport = (order) => ({
        ...order,
        customField1: order.gift ? 'GIFT' : '',
        customField2: 'two & <2>',
        customField3: '3'.repeat(200),
        internalNotes: `${order.internalNotes}, new`,
        items: [...order.items, { ...order.items[0]!, sku: 'SAMPLE', unitPrice: 0 }],
      })
      const { orders } = await readExport(await respond())
      expect(orders[0]).toMatchObject({
        CustomField1: 'GIFT',
        CustomField2: 'two & <2>',
        CustomField3: '3'.repeat(100),
        InternalNotes: 'old, new',
      })
      expect(itemsOf(orders[0]).map((item) => item.SKU)).toEqual(['TEA-1', 'SAMPLE'])
    })

    it('waits for a hook that answers later', async () => {
      await save()
      hooks.beforeExport = async (order) => {
        await new Promise((resolve) => setImmediate(resolve))
        return { ...order, customField1: 'later' }
      }
      expect((await readExport(await respond())).orders[0]?.CustomField1).toBe('later')
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

    it.each<[string, () => never | Promise<never>]>([
      [
        'throws',
        () => {
          throw new Error('the ERP is down')
        },
      ],
      ['rejects', () => Promise.reject(new Error('the ERP is down'))],
    ])(
      'leaves out the order for which the hook %s, with the cause in the log alone',
      async (_how, fail) => {
        const failed = await save({ reference: 'FAILED' })
        await save({ reference: 'FINE' })
        hooks.beforeExport = (order) => (order.reference === 'FAILED' ? fail() : order)
        expect(await references()).toEqual(['FINE'])
        expect(log.text()).toContain('the ERP is down')
        const [note] = await notes()
        expect(note).toMatchObject({ order: failed.id })
        expect(note?.reasons).not.toContain('ERP')

        await failOnInvalidOrder()
        const response = await respond()
        expect(response.status).toBe(500)
        expect(await response.text()).not.toContain('ERP')
      },
    )

    it.each([
      ['nothing', undefined],
      ['an order without its parts', { reference: 'FAILED' }],
    ])('leaves out only the order for which the hook returns %s', async (_what, returned) => {
      const failed = await save({ reference: 'FAILED' })
      await save({ reference: 'FINE' })
      hooks.beforeExport = (order) =>
        order.reference === 'FAILED' ? (returned as unknown as Order) : order
      expect(await references()).toEqual(['FINE'])
      expect(await notes()).toMatchObject([{ order: failed.id }])
    })

    it('gives the hook each order once a request, and none of the orders of other pages', async () => {
      await changeSettings(store.payload, { pageSize: '2' })
      for (const reference of ['A', 'B', 'C']) await save({ reference })
      const seen: string[] = []
      hooks.beforeExport = (order) => {
        seen.push(order.reference)
        return order
      }
      await respond()
      expect(seen).toEqual(['A', 'B'])
      await store.handle(exportRequest({ page: '2' }))
      expect(seen).toEqual(['A', 'B', 'C'])
    })
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
    let store: TestStore
    const depths: unknown[] = []
    beforeAll(async () => {
      store = await openStore(kind, {
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
    })
    beforeEach(() => clearStore(store.payload))
    afterAll(() => store.close())

    it('writes what the mapping returns, in the order of the list, hook and validation included', async () => {
      const { payload } = store
      const site = await payload.create({
        collection: 'sites',
        data: {
          name: 'Main',
          handle: `main-${crypto.randomUUID()}`,
          baseUrl: 'https://main.example',
        },
      })
      const changed = { site: site.id, shippingMethod: 'Drone' }
      const late = await saveOrder(
        payload,
        anOrder({ ...changed, updatedAt: '2026-02-01T00:00:00.000Z' }),
      )
      const early = await saveOrder(
        payload,
        anOrder({ ...changed, updatedAt: '2026-01-01T00:00:00.000Z' }),
      )
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
      const { docs } = await payload.find({ collection: 'shipping-skipped-orders', depth: 0 })
      expect(docs).toMatchObject([{ order: bad.id, reference: `ERP-${bad.id}` }])
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
        const listed = async () => {
          const { docs } = await payload.find({ collection: 'shipping-skipped-orders', depth: 0 })
          return docs
        }

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

        await payload.update({ collection: 'orders', id: bad.id, data: { internalNotes: '' } })
        expect(await exported()).toEqual([`ERP-${first.id}`, `ERP-${last.id}`, `ERP-${bad.id}`])
        expect(await listed()).toEqual([])
      },
    )

    it('keeps to pages', async () => {
      await changeSettings(store.payload, { pageSize: '2' })
      const saved: SavedOrder[] = []
      for (let index = 0; index < 5; index++) saved.push(await saveOrder(store.payload))
      const seen: string[][] = []
      for (const page of ['1', '2', '3']) {
        seen.push((await readExport(await store.handle(exportRequest({ page })))).references)
      }
      const all = saved.map(({ id }) => `ERP-${id}`)
      expect(seen).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)])
    })
  })
})
