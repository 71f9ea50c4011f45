import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  changeSettings,
  clearStore,
  itemsOf,
  readExport,
  storeSettings,
  textAt,
} from '../../support/exported-orders.js'
import { aLine, anAddress, anOrder, saveOrder, saveOrders } from '../../support/orders.js'
import { exportRequest, shippingRequest } from '../../support/shipping-requests.js'
import { anyKind, databaseKinds, openStore, type TestStore } from '../../support/store.js'

type Parameters = Record<string, string>

const moment = '2026-03-10T14:30:00.000Z'
const day = { start_date: '03/10/2026 00:00', end_date: '03/10/2026 23:59' }

/** An order that a test recognises by its reference. */
const named = (reference: string, changes: Record<string, unknown> = {}) =>
  anOrder({ reference, ...changes })

const at = (updatedAt: string, reference = updatedAt) => named(reference, { updatedAt })

/** Orders O-001, O-002, … with a minute between each two. */
const series = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    at(
      new Date(Date.parse(moment) + index * 60_000).toISOString(),
      `O-${String(index + 1).padStart(3, '0')}`,
    ),
  )

describe.each(databaseKinds)('the export (%s)', (kind) => {
  let store: TestStore
  beforeAll(async () => {
    store = await openStore(kind)
  })
  beforeEach(() => clearStore(store.payload))
  afterAll(() => store.close())

  const save = (...orders: Record<string, unknown>[]) => saveOrders(store.payload, orders)
  const exported = async (parameters: Parameters = {}) =>
    readExport(await store.handle(exportRequest(parameters)))
  const references = async (parameters: Parameters = {}) => (await exported(parameters)).references

  describe('docs/interface.md (Export), rule 1: only completed orders are returned, ordered by dateUpdated ascending', () => {
    it('returns the documents of orders and no cart, completed or not', async () => {
      for (const purchasedAt of [null, moment]) {
        await store.payload.create({
          collection: 'carts',
          data: { currency: 'USD', purchasedAt },
        })
      }
      await save(named('ONLY'))
      expect(await references()).toEqual(['ONLY'])
    })

    it('returns orders of every status', async () => {
      const statuses = ['processing', 'completed', 'cancelled', 'refunded', 'shipped']
      await save(...statuses.map((status) => named(status, { status })))
      const { orders } = await exported()
      expect(orders.map((order) => order.OrderStatus).sort()).toEqual([...statuses].sort())
    })

    it('puts the order that was changed longest ago first, whatever the order of saving', async () => {
      await save(
        at('2026-03-10T14:30:00.002Z', 'third'),
        at('2026-03-10T14:30:00.001Z', 'second'),
        at('2027-01-01T00:00:00.000Z', 'fourth'),
        at('2025-12-31T23:59:59.999Z', 'first'),
      )
      expect(await references()).toEqual(['first', 'second', 'third', 'fourth'])
    })

    it('moves an order to the end when it changes', async () => {
      const [first] = await save(
        at('2026-03-10T14:30:00.000Z', 'A'),
        at('2026-03-11T14:30:00Z', 'B'),
      )
      await store.payload.update({
        collection: 'orders',
        id: first?.id ?? 0,
        data: { internalNotes: 'Changed' },
      })
      expect(await references()).toEqual(['B', 'A'])
    })

    it('breaks ties of the moment by the id, also across pages', async () => {
      await changeSettings(store.payload, { pageSize: '2' })
      const tied = ['A', 'B', 'C', 'D', 'E'].map((reference) => at(moment, reference))
      const saved = await save(...tied)
      // Written again in another order, so that the order of the rows in storage does not help.
      for (const { id } of [...saved].reverse()) {
        await store.payload.db.updateOne({
          collection: 'orders',
          id,
          data: { updatedAt: moment, internalNotes: 'Again' },
          returning: false,
        })
      }
      const pages = [await references(), await references({ page: '2' })]
      pages.push(await references({ page: '3' }))
      expect(pages).toEqual([['A', 'B'], ['C', 'D'], ['E']])
    })
  })

  describe('docs/interface.md (Export), rule 2: the date filter applies only when both start_date and end_date are given; one alone is ignored', () => {
    beforeEach(() => save(at('2026-03-09T12:00:00.000Z', 'before'), at(moment, 'within')))

    it('filters when both are given', async () => {
      expect(await references(day)).toEqual(['within'])
    })

    it.each<[string, Parameters]>([
      ['one alone', { start_date: day.start_date }],
      ['one alone', { end_date: '03/09/2026 00:00' }],
      ['one and a blank one', { start_date: day.start_date, end_date: '' }],
      ['one and a blank one', { start_date: ' ', end_date: '03/09/2026 00:00' }],
      ['one that cannot be read', { start_date: 'no date', end_date: '03/09/2026 00:00' }],
      ['one that cannot be read', { ...day, end_date: '31/31/2026 25:61' }],
      ['one that does not exist', { ...day, end_date: '2026-13-01' }],
      ['two that cannot be read', { start_date: 'soon', end_date: 'later' }],
    ])('ignores %s: %j', async (_what, parameters) => {
      expect(await references(parameters)).toEqual(['before', 'within'])
    })
  })

  describe('docs/interface.md (Export), rule 3: the range is exclusive at both ends. start_date is floored to the start of its minute; end_date to second 59 of its minute', () => {
    it('has an order of the first millisecond behind 14:30 to the last one before 14:45:59', async () => {
      const within = ['14:30:00.001', '14:31:00.000', '14:45:58.999']
      const without = [
        '14:29:59.999',
        '14:30:00.000',
        '14:45:59.000',
        '14:45:59.001',
        '14:46:00.000',
      ]
      await save(...[...within, ...without].map((time) => at(`2026-03-10T${time}Z`, time)))
      const window = {
        start_date: '03/10/2026 14:30',
        end_date: '03/10/2026 14:45',
      }
      expect(await references(window)).toEqual(within)
    })

    it('takes no notice of the seconds of either date', async () => {
      await save(at('2026-03-10T14:30:00.001Z', 'first'), at('2026-03-10T14:45:58.999Z', 'last'))
      for (const seconds of ['00', '01', '30', '59']) {
        const start_date = `2026-03-10 14:30:${seconds}`
        const end_date = `2026-03-10 14:45:${seconds}`
        expect(await references({ start_date, end_date })).toEqual(['first', 'last'])
      }
    })

    it('is exclusive in the same way when the export has several pages', async () => {
      await changeSettings(store.payload, { pageSize: '1' })
      await save(
        ...['14:30:00.000', '14:30:00.001', '14:45:58.999', '14:45:59.000'].map((time) =>
          at(`2026-03-10T${time}Z`, time),
        ),
      )
      const window = {
        start_date: '03/10/2026 14:30',
        end_date: '03/10/2026 14:45',
      }
      const first = await exported(window)
      expect(first.pages).toBe('2')
      expect(first.references).toEqual(['14:30:00.001'])
      expect(await references({ ...window, page: '2' })).toEqual(['14:45:58.999'])
    })

    it('has 59 seconds when both dates are the same minute, and nothing when they are swapped', async () => {
      await save(at('2026-03-10T14:30:30.000Z', 'within'))
      const minute = '03/10/2026 14:30'
      expect(await references({ start_date: minute, end_date: minute })).toEqual(['within'])
      expect(
        await references({
          start_date: '03/11/2026 00:00',
          end_date: '03/10/2026 00:00',
        }),
      ).toEqual([])
    })

    it('reads windows as far away as dates go', async () => {
      await changeSettings(store.payload, { pageSize: '1' })
      await save(at(moment, 'A'), at('2026-03-11T14:30:00.000Z', 'B'))
      for (const [start_date, end_date, pages] of [
        ['@0', '@99999999999', '2'],
        ['@-99999999999', '@99999999999', '2'],
        ['1 January 0001', '31 December 9999 23:59', '2'],
        ['@-8640000000000', '@8640000000000', '2'],
        ['@999999999999', '@8639999999999', '0'],
        ['@-8639999999999', '@-99999999999', '0'],
      ] as const) {
        const read = await exported({ start_date, end_date })
        expect([start_date, end_date, read.pages]).toEqual([start_date, end_date, pages])
      }
    })
  })

  describe("docs/interface.md (Export), rule 4: both dates are parsed in the site's system timezone although ShipStation sends UTC", () => {
    it('reads them as UTC on a site that is on UTC, the default', async () => {
      await save(at('2026-03-10T14:30:30.000Z', 'A'))
      const window = {
        start_date: '03/10/2026 14:30',
        end_date: '03/10/2026 14:30',
      }
      expect(await references(window)).toEqual(['A'])
    })

    it('takes a date with an offset as it is', async () => {
      await save(at('2026-03-10T14:30:30.000Z', 'A'))
      for (const date of [
        '2026-03-10T14:30:00Z',
        '2026-03-10T16:30:00+02:00',
        '2026-03-10 09:30:00 -0500',
        `@${Date.parse(moment) / 1000}`,
      ]) {
        expect(await references({ start_date: date, end_date: date }), date).toEqual(['A'])
      }
    })

    it('takes any strtotime text, relative ones too', async () => {
      await save(named('NOW'), at('2020-01-01T00:00:00.000Z', 'OLD'))
      expect(await references({ start_date: 'yesterday noon', end_date: '+1 day' })).toEqual([
        'NOW',
      ])
      expect(await references({ start_date: '-100 years', end_date: '-2 days' })).toEqual(['OLD'])
    })
  })

  describe('docs/interface.md (Export), rule 5: page size comes from the Page Size for Orders setting; a non-numeric or negative value falls back to 25', () => {
    it('has as many orders a page as the setting says, and all on one page when it is huge', async () => {
      await save(...series(27))
      for (const [pageSize, pages, size] of [
        ['2', '14', 2],
        [' 10 ', '3', 10],
        ['2.9', '14', 2],
        ['27', '1', 27],
        ['1000000', '1', 27],
        ['9007199254740991', '1', 27],
        ['1e30', '1', 27],
      ] as const) {
        await storeSettings(store.payload, { pageSize })
        const first = await exported()
        expect([pageSize, first.pages, first.references.length]).toEqual([pageSize, pages, size])
      }
      expect((await exported({ page: '2' })).references).toEqual([])
    })

    it('has 25 orders a page when the setting is no page size', async () => {
      await save(...series(27))
      for (const pageSize of ['many', '-1', '0', '', '0.5', 'NaN', 'Infinity', '12 orders', null]) {
        await storeSettings(store.payload, { pageSize })
        const first = await exported()
        expect([pageSize, first.pages, first.references.length]).toEqual([pageSize, '2', 25])
      }
      expect(await references({ page: '2' })).toEqual(['O-026', 'O-027'])
    })

    it('follows a change of the setting at once', async () => {
      await save(...series(6))
      const sizes: number[] = []
      for (const pageSize of ['4', '2', '5']) {
        await changeSettings(store.payload, { pageSize })
        sizes.push((await references()).length)
      }
      expect(sizes).toEqual([4, 2, 5])
    })
  })

  describe('docs/interface.md (Export), rule 6: orders that fail validation are omitted, unless Fail export on validation failure is on, in which case the request fails with 500', () => {
    const invalid = named('BAD', { shippingAddress: anAddress({ city: '' }) })

    it('omits them while the setting is off', async () => {
      await save(named('A'), invalid, named('B'))
      expect(await references()).toEqual(['A', 'B'])
    })

    it('fails with 500 while the setting is on, and follows a change of the setting at once', async () => {
      await save(named('A'), invalid, named('B'))
      await changeSettings(store.payload, { failOnInvalidOrder: true })
      expect((await store.handle(exportRequest())).status).toBe(500)
      await changeSettings(store.payload, { failOnInvalidOrder: false })
      expect((await store.handle(exportRequest())).status).toBe(200)
    })
  })

  describe('docs/interface.md (Export), rule 7: omitting store returns orders from every store', () => {
    beforeEach(async () => {
      await changeSettings(store.payload, { storeField: 'warehouse' })
      await save(
        named('B', { warehouse: 'berlin' }),
        named('P', { warehouse: 'portland' }),
        named('none', { warehouse: null }),
      )
    })

    it('returns orders of every store, and of none, also for a blank store', async () => {
      for (const parameters of [{}, { store: '' }, { store: '  ' }])
        expect(await references(parameters)).toEqual(['B', 'P', 'none'])
    })
  })

  describe('docs/interface.md (Export), parameter store: matched against the dropdown field named in the Select Shipping Store field setting; ignored when no field is selected', () => {
    beforeEach(() =>
      save(
        named('B1', { warehouse: 'berlin', updatedAt: moment }),
        named('P', { warehouse: 'portland', updatedAt: moment }),
        named('none', { warehouse: null, updatedAt: moment }),
        named('B2', { warehouse: 'berlin', updatedAt: moment }),
      ),
    )

    it('returns the orders whose field has that value', async () => {
      await changeSettings(store.payload, { storeField: 'warehouse' })
      expect(await references({ store: 'berlin' })).toEqual(['B1', 'B2'])
      expect(await references({ store: 'portland' })).toEqual(['P'])
    })

    it('returns an empty list of 0 pages for an unknown store', async () => {
      await changeSettings(store.payload, { storeField: 'warehouse' })
      for (const value of [
        ...['atlantis', 'BERLIN', 'berlin,portland', "berlin' or 'a'='a", 'berl%', '0', 'null'],
        ...['ü😀', 'x'.repeat(5000)],
      ]) {
        const { pages, references } = await exported({ store: value })
        expect({ value, pages, references }).toEqual({
          value,
          pages: '0',
          references: [],
        })
      }
    })

    it('ignores store when no field is selected', async () => {
      for (const value of ['berlin', 'atlantis', ''])
        expect(await references({ store: value })).toEqual(['B1', 'P', 'none', 'B2'])
    })

    it('goes together with the dates and with pages', async () => {
      await changeSettings(store.payload, {
        storeField: 'warehouse',
        pageSize: '1',
      })
      await save(
        named('later', {
          warehouse: 'berlin',
          updatedAt: '2026-04-01T00:00:00.000Z',
        }),
      )
      const window = { ...day, store: 'berlin' }
      const first = await exported(window)
      expect(first.pages).toBe('2')
      expect(first.references).toEqual(['B1'])
      expect(await references({ ...window, page: '2' })).toEqual(['B2'])
      expect(await references({ ...window, page: '3' })).toEqual([])
    })

    it('refuses a store that is a list, as leaving it out would export every store', async () => {
      await changeSettings(store.payload, { storeField: 'warehouse' })
      const response = await store.handle(exportRequest({ 'store[]': 'berlin' }))
      expect(response.status).toBe(400)
    })
  })

  describe('docs/interface.md (Export), parameter page: 1 based; below 1 or non-numeric is treated as 1; default 1', () => {
    beforeEach(async () => {
      await changeSettings(store.payload, { pageSize: '2' })
      await save(...series(5))
    })

    it('is the page that is asked for, and the first one when that is no page', async () => {
      const firstPage = [undefined, '1', '0', '-3', 'two', '2nd', '', 'NaN', 'Infinity']
      const asked = [
        ...firstPage.map((page) => [page, ['O-001', 'O-002']] as const),
        ['2', ['O-003', 'O-004']] as const,
        ['3', ['O-005']] as const,
        ['03', ['O-005']] as const,
      ]
      for (const [page, expected] of asked) {
        const { pages, references } = await exported(page === undefined ? {} : { page })
        expect({ page, pages, references }).toEqual({
          page,
          pages: '3',
          references: expected,
        })
      }
      expect(await references({ 'page[]': '2' })).toEqual(['O-001', 'O-002'])
    })

    it('is an empty Orders past the end, with the right number of pages', async () => {
      for (const page of ['4', '100', '2147483648', '9007199254740991']) {
        for (const order of ['a new list', 'the list of page 1']) {
          const { pages, orders } = await exported({ page })
          expect({ page, order, pages, orders }).toEqual({
            page,
            order,
            pages: '3',
            orders: [],
          })
          await exported({ page: '1' })
        }
      }
    })

    it('is empty past the end of an export of one page too', async () => {
      await changeSettings(store.payload, { pageSize: '5' })
      const { pages, orders } = await exported({ page: '2' })
      expect({ pages, orders }).toEqual({ pages: '1', orders: [] })
    })
  })

  describe('docs/interface.md (Exported order): Orders has the attribute pages, the total number of pages', () => {
    it('is 0 when there are no orders', async () => {
      const response = await store.handle(exportRequest())
      expect(response.status).toBe(200)
      const { pages, orders } = await readExport(response)
      expect({ pages, orders }).toEqual({ pages: '0', orders: [] })
    })

    it('is 0 when no order is in the window, on page 2 too', async () => {
      await save(at('2020-01-01T00:00:00.000Z', 'OLD'))
      expect((await exported(day)).pages).toBe('0')
      expect((await exported({ ...day, page: '2' })).pages).toBe('0')
    })

    it('counts all matching orders, valid or not', async () => {
      await changeSettings(store.payload, { pageSize: '2' })
      const bad = {
        shippingAddress: anAddress({ firstName: '', lastName: '' }),
      }
      await save(named('A', bad), named('B', bad), named('C', bad), named('D'), named('E', bad))
      const seen = [await exported(), await exported({ page: '2' }), await exported({ page: '3' })]
      expect(seen.map(({ pages }) => pages)).toEqual(['3', '3', '3'])
      expect(seen.map(({ references }) => references)).toEqual([[], ['D'], []])
    })

    it('is one more for each 25 orders that are begun', async () => {
      const all = series(51)
      const counts: [number, string][] = []
      for (const count of [24, 25, 26, 50, 51]) {
        await save(...all.splice(0, count - (counts.at(-1)?.[0] ?? 0)))
        counts.push([count, (await exported()).pages])
      }
      expect(counts).toEqual([
        [24, '1'],
        [25, '1'],
        [26, '2'],
        [50, '2'],
        [51, '3'],
      ])
    })
  })
})

describe('the answer of the export', () => {
  let store: TestStore
  beforeAll(async () => {
    store = await openStore(anyKind)
  })
  beforeEach(() => clearStore(store.payload))
  afterAll(() => store.close())

  const save = (...orders: Record<string, unknown>[]) => saveOrders(store.payload, orders)

  describe('docs/interface.md (Export): export is GET, HEAD or POST', () => {
    beforeEach(async () => {
      await changeSettings(store.payload, { pageSize: '2' })
      await save(...series(3))
    })

    it.each(['GET', 'POST'])('answers %s with the document', async (method) => {
      const response = await store.handle(exportRequest({ page: '2' }, { method }))
      expect((await readExport(response)).references).toEqual(['O-003'])
    })

    it('reads the parameters of a POST from its body', async () => {
      const body = new URLSearchParams({ action: 'export', page: '2' })
      const response = await store.handle(shippingRequest({}, { method: 'POST', body }))
      expect((await readExport(response)).references).toEqual(['O-003'])
    })

    it('lets the query string win over the body', async () => {
      const body = new URLSearchParams({ action: 'shipnotify', page: '1' })
      const response = await store.handle(exportRequest({ page: '2' }, { method: 'POST', body }))
      expect((await readExport(response)).references).toEqual(['O-003'])
    })
  })

  describe('docs/interface.md (Export): response 200, Content-Type text/xml, UTF-8 XML document', () => {
    it('says text/xml and UTF-8, and that nobody may keep it', async () => {
      const response = await store.handle(exportRequest())
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toMatch(/^text\/xml; *charset=utf-8$/i)
      expect(response.headers.get('cache-control')).toBe('no-store')
    })

    it('begins with an XML declaration and is UTF-8 to the byte', async () => {
      await save(named('A', { items: [aLine({ name: 'Grüner Tee 😀 茶' })] }))
      const response = await store.handle(exportRequest())
      const bytes = await response.arrayBuffer()
      const text = new TextDecoder('utf-8', {
        fatal: true,
        ignoreBOM: true,
      }).decode(bytes)
      expect(text).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>/i)
      const [order] = (await readExport(new Response(text))).orders
      expect(textAt(itemsOf(order)[0], 'Name')).toBe('Grüner Tee 😀 茶')
    })

    it('answers at the same URL with a slash behind it', async () => {
      await save(named('A'))
      const { url, headers } = exportRequest()
      const response = await store.handle(new Request(url.replace('?', '/?'), { headers }))
      expect((await readExport(response)).references).toEqual(['A'])
    })

    it('answers with XML whatever the request accepts', async () => {
      const headers = {
        accept: 'application/json',
        'x-requested-with': 'XMLHttpRequest',
      }
      const response = await store.handle(exportRequest({}, { headers }))
      expect(response.headers.get('content-type')).toMatch(/^text\/xml/)
    })
  })
})

describe('the export of a site in New York', () => {
  let store: TestStore
  beforeAll(async () => {
    store = await openStore(anyKind, {
      options: { timezone: 'America/New_York' },
    })
  })
  beforeEach(() => clearStore(store.payload))
  afterAll(() => store.close())

  const references = async (parameters: Parameters) =>
    (await readExport(await store.handle(exportRequest(parameters)))).references

  describe('docs/interface.md (Export), rule 4: on a non-UTC site the window is shifted by the difference', () => {
    const window = {
      start_date: '03/05/2026 14:30',
      end_date: '03/05/2026 14:45',
    }

    it('five hours in winter', async () => {
      const within = ['2026-03-05T19:30:00.001Z', '2026-03-05T19:45:58.999Z']
      const without = ['14:35:00.000', '19:30:00.000', '19:45:59.000']
      const times = [...within, ...without.map((time) => `2026-03-05T${time}Z`)]
      await saveOrders(
        store.payload,
        times.map((time) => at(time)),
      )
      expect(await references(window)).toEqual(within)
    })

    it('four hours in summer', async () => {
      await saveOrders(store.payload, [
        at('2026-07-05T18:35:00.000Z', 'four'),
        at('2026-07-05T19:35:00.000Z', 'five'),
      ])
      const summer = {
        start_date: '07/05/2026 14:30',
        end_date: '07/05/2026 14:45',
      }
      expect(await references(summer)).toEqual(['four'])
    })

    it('not for a date with an offset of its own', async () => {
      await saveOrder(store.payload, at('2026-03-05T14:35:00.000Z', 'A'))
      const start_date = '2026-03-05T14:30:00Z'
      expect(await references({ start_date, end_date: '2026-03-05T16:45:00+02:00' })).toEqual(['A'])
      expect(await references({ start_date, end_date: '03/05/2026 10:00' })).toEqual(['A'])
    })
  })

  describe("docs/interface.md (Export), rule 4: an opt-in setting reads ShipStation's dates as UTC; off by default", () => {
    const window = {
      start_date: '03/05/2026 14:30',
      end_date: '03/05/2026 14:45',
    }

    it('shifts nothing while it is on, at once when it is switched', async () => {
      await saveOrders(store.payload, [
        at('2026-03-05T14:35:00.000Z', 'as UTC'),
        at('2026-03-05T19:35:00.000Z', 'as New York'),
      ])
      expect(await references(window)).toEqual(['as New York'])
      await changeSettings(store.payload, { readDatesAsUtc: true })
      expect(await references(window)).toEqual(['as UTC'])
      await changeSettings(store.payload, { readDatesAsUtc: false })
      expect(await references(window)).toEqual(['as New York'])
    })
  })

  describe('docs/interface.md (Exported order): in the XML, dates are written in UTC', () => {
    it('writes LastModified in UTC on a site that is not', async () => {
      await saveOrder(store.payload, at('2026-03-05T19:35:00.000Z', 'A'))
      const { orders } = await readExport(await store.handle(exportRequest()))
      expect(orders.map((order) => order.LastModified)).toEqual(['3/5/2026 19:35'])
    })
  })
})

describe('the export with settings from code', () => {
  it('takes their page size, and exports nothing when their store field does not exist', async () => {
    const settings = { pageSize: '4', storeField: 'depot' }
    const store = await openStore(anyKind, {
      options: { shipping: { settings } },
    })
    await saveOrders(store.payload, series(5))
    const refused = await store.handle(exportRequest({ store: 'berlin' }))
    expect(refused.status).toBe(500)
    expect(await refused.text()).not.toContain('depot')
    await store.payload.updateGlobal({
      slug: 'shipping-settings',
      data: { storeField: '' },
    })
    const { references } = await readExport(await store.handle(exportRequest()))
    expect(references).toHaveLength(4)
    await store.close()
  })
})
