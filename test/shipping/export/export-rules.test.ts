import { beforeEach, describe, expect, it } from 'vitest'
import {
  changeSettings,
  clearStore,
  itemsOf,
  readExport,
  storeSettings,
  textAt,
} from '../../support/exported-orders.js'
import {
  aLine,
  anAddress,
  anOrder,
  changeOrder,
  overwriteOrder,
  saveOrder,
  saveOrders,
} from '../../support/orders.js'
import { exportRequest, shippingRequest } from '../../support/shipping-requests.js'
import { sharedStore } from '../../support/shared-store.js'
import { anyKind, openStore } from '../../support/store.js'

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

describe('the export', () => {
  const store = sharedStore(anyKind)
  beforeEach(() => clearStore(store.payload))

  const save = (...orders: Record<string, unknown>[]) => saveOrders(store.payload, orders)
  const exported = async (parameters: Parameters = {}) =>
    readExport(await store.handle(exportRequest(parameters)))
  const references = async (parameters: Parameters = {}) => (await exported(parameters)).references
  /** The pages as the answer counts them, and the orders on the one that was asked for. */
  const page = async (parameters: Parameters) => {
    const { pages, references: onIt } = await exported(parameters)
    return [parameters, pages, onIt]
  }

  describe('docs/interface.md (Export), rule 1: completed orders alone, the one that was changed longest ago first', () => {
    it('has orders of every status, and no cart, completed or not', async () => {
      for (const purchasedAt of [null, moment]) {
        await store.payload.create({
          collection: 'carts',
          data: { currency: 'USD', purchasedAt },
        })
      }
      const statuses = ['processing', 'completed', 'cancelled', 'refunded', 'shipped']
      await save(...statuses.map((status) => named(status, { status })))
      const { orders } = await exported()
      expect(orders.map((order) => order.OrderStatus)).toEqual(statuses)
    })

    it('goes by the moment of the change, whatever the order of saving', async () => {
      const [third] = await save(
        at('2026-03-10T14:30:00.002Z', 'third'),
        at('2026-03-10T14:30:00.001Z', 'second'),
        at('2026-04-01T00:00:00.000Z', 'fourth'),
        at('2025-12-31T23:59:59.999Z', 'first'),
      )
      expect(await references()).toEqual(['first', 'second', 'third', 'fourth'])
      await changeOrder(store.payload, third?.id ?? 0, { internalNotes: 'Changed' })
      expect(await references()).toEqual(['first', 'second', 'fourth', 'third'])
    })

    it('breaks ties of the moment by the id, also across pages', async () => {
      await changeSettings(store.payload, { pageSize: '2' })
      const tied = ['A', 'B', 'C', 'D', 'E'].map((reference) => at(moment, reference))
      const saved = await save(...tied)
      // Written again in another order, so that the order of the rows in storage does not help.
      for (const { id } of [...saved].reverse()) {
        await overwriteOrder(store.payload, id, { updatedAt: moment, internalNotes: 'Again' })
      }
      const pages = [await references(), await references({ page: '2' })]
      pages.push(await references({ page: '3' }))
      expect(pages).toEqual([['A', 'B'], ['C', 'D'], ['E']])
    })
  })

  it('docs/interface.md (Export), rule 2: two dates that can be read filter; one alone is ignored', async () => {
    await save(at('2026-03-09T12:00:00.000Z', 'before'), at(moment, 'within'))
    expect(await references(day)).toEqual(['within'])
    const early = '03/09/2026 00:00'
    for (const parameters of [
      { start_date: day.start_date },
      { end_date: early },
      { start_date: day.start_date, end_date: '' },
      { start_date: ' ', end_date: early },
      { start_date: 'no date', end_date: early },
      { ...day, end_date: '31/31/2026 25:61' },
      { ...day, end_date: '2026-13-01' },
      { start_date: 'soon', end_date: 'later' },
    ]) {
      expect(await page(parameters)).toEqual([parameters, '1', ['before', 'within']])
    }
  })

  describe('docs/interface.md (Export), rule 3: neither end belongs to the range', () => {
    it('begins with the minute of start_date, and ends at second 59 of that of end_date', async () => {
      await changeSettings(store.payload, { pageSize: '2' })
      const within = ['14:30:00.001', '14:31:00.000', '14:45:58.999']
      const without = '14:29:59.999 14:30:00.000 14:45:59.000 14:45:59.001 14:46:00.000'.split(' ')
      await save(...[...within, ...without].map((time) => at(`2026-03-10T${time}Z`, time)))
      for (const seconds of ['00', '01', '59']) {
        const start_date = `2026-03-10 14:30:${seconds}`
        const window = { start_date, end_date: `2026-03-10 14:45:${seconds}` }
        expect(await page(window)).toEqual([window, '2', within.slice(0, 2)])
        expect(await references({ ...window, page: '2' })).toEqual(within.slice(2))
      }
    })

    it('may be one minute, be empty, or end as far away as dates go', async () => {
      await changeSettings(store.payload, { pageSize: '1' })
      await save(at('2026-03-10T14:30:30.000Z', 'A'), at('2026-03-11T14:30:00.000Z', 'B'))
      for (const [start_date, end_date, pages] of [
        ['03/10/2026 14:30', '03/10/2026 14:30', '1'],
        ['03/11/2026 00:00', '03/10/2026 00:00', '0'],
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

  it('docs/interface.md (Export), rule 5: the page size is a setting; what is no number, negative or 0 means 25', async () => {
    await save(...series(27))
    const unusable = ['many', '-1', '0', '', '0.5', 'NaN', 'Infinity', '12 orders', null]
    for (const [pageSize, pages, size] of [
      ['2', '14', 2],
      [' 10 ', '3', 10],
      ['2.9', '14', 2],
      ['27', '1', 27],
      ['9007199254740991', '1', 27],
      ['1e30', '1', 27],
      ...unusable.map((setting) => [setting, '2', 25] as const),
    ] as const) {
      await storeSettings(store.payload, { pageSize })
      const first = await exported()
      expect([pageSize, first.pages, first.references.length]).toEqual([pageSize, pages, size])
    }
    expect(await references({ page: '2' })).toEqual(['O-026', 'O-027'])
  })

  it('docs/interface.md (Export), rule 6: orders that fail validation are left out, or fail the request with 500', async () => {
    const invalid = named('BAD', { shippingAddress: anAddress({ city: '' }) })
    await save(named('A'), invalid, named('B'))
    expect(await references()).toEqual(['A', 'B'])
    await changeSettings(store.payload, { failOnInvalidOrder: true })
    expect((await store.handle(exportRequest())).status).toBe(500)
    await changeSettings(store.payload, { failOnInvalidOrder: false })
    expect((await store.handle(exportRequest())).status).toBe(200)
  })

  describe('docs/interface.md (Export), rule 7: without store, orders of every store', () => {
    beforeEach(async () => {
      await changeSettings(store.payload, { storeField: 'warehouse', pageSize: '2' })
      await save(
        ...['berlin', 'portland', null, 'berlin', 'berlin'].map((warehouse, index) =>
          named(`${index}`, { warehouse, updatedAt: moment }),
        ),
        named('later', { warehouse: 'berlin', updatedAt: '2026-04-01T00:00:00.000Z' }),
      )
    })

    it('goes by the field of the setting, with the dates and with pages', async () => {
      for (const [parameters, pages, expected] of [
        [{}, '3', ['0', '1']],
        [{ store: '' }, '3', ['0', '1']],
        [{ store: '  ' }, '3', ['0', '1']],
        [{ store: 'portland' }, '1', ['1']],
        [{ store: 'berlin', page: '2' }, '2', ['4', 'later']],
        [{ ...day, store: 'berlin' }, '2', ['0', '3']],
        [{ ...day, store: 'berlin', page: '2' }, '2', ['4']],
        [{ ...day, store: 'berlin', page: '3' }, '2', []],
      ] as const) {
        expect(await page(parameters)).toEqual([parameters, pages, expected])
      }
    })

    it('has nothing for an unknown store, and refuses a list, which would be every store', async () => {
      for (const value of [
        ...['atlantis', 'BERLIN', 'berlin,portland', "berlin' or 'a'='a", 'berl%', '0', 'null'],
        ...['ü😀', 'x'.repeat(5000)],
      ]) {
        expect(await page({ store: value })).toEqual([{ store: value }, '0', []])
      }
      const response = await store.handle(exportRequest({ 'store[]': 'berlin' }))
      expect(response.status).toBe(400)
    })

    it('ignores store while no field is chosen', async () => {
      await changeSettings(store.payload, { storeField: '' })
      for (const value of ['berlin', 'atlantis'])
        expect(await references({ store: value })).toEqual(['0', '1'])
    })
  })

  it('docs/interface.md (Export), parameter page: counts from 1; below 1 or no number is 1; past the end is an empty Orders', async () => {
    await changeSettings(store.payload, { pageSize: '2' })
    await save(...series(5))
    const first = ['O-001', 'O-002']
    for (const [number, expected] of [
      ...['1', '0', '-3', 'two', '2nd', '', 'NaN', 'Infinity'].map((no) => [no, first] as const),
      ['2', ['O-003', 'O-004']],
      ['03', ['O-005']],
      ...['4', '100', '2147483648', '9007199254740991'].map((past) => [past, []] as const),
    ] as const) {
      await store.payload.delete({ collection: 'shipping-pulls', where: {} })
      for (const list of ['a new one', 'the one that is there']) {
        expect([list, ...(await page({ page: number }))]).toEqual([
          list,
          { page: number },
          '3',
          expected,
        ])
      }
    }
    expect(await references({ 'page[]': '2' })).toEqual(first)
    await changeSettings(store.payload, { pageSize: '5' })
    expect(await page({ page: '2' })).toEqual([{ page: '2' }, '1', []])
  })

  it('docs/interface.md (Exported order): Orders has the attribute pages, of all orders that match, valid or not', async () => {
    expect(await page({})).toEqual([{}, '0', []])
    await changeSettings(store.payload, { pageSize: '2' })
    const bad = { shippingAddress: anAddress({ firstName: '', lastName: '' }) }
    await save(named('A', bad), named('B', bad), named('C', bad), named('D'), named('E', bad))
    for (const [number, expected] of [
      ['1', []],
      ['2', ['D']],
      ['3', []],
    ] as const) {
      expect(await page({ page: number })).toEqual([{ page: number }, '3', expected])
      const outside = { ...day, page: number }
      expect(await page(outside)).toEqual([outside, '0', []])
    }
  })

  it('docs/interface.md (Export): is asked for by GET or POST, and the query string wins', async () => {
    await changeSettings(store.payload, { pageSize: '2' })
    await save(...series(3))
    const method = 'POST'
    const second = new URLSearchParams({ action: 'export', page: '2' })
    const notice = new URLSearchParams({ action: 'shipnotify', page: '1' })
    for (const request of [
      exportRequest({ page: '2' }),
      exportRequest({ page: '2' }, { method }),
      shippingRequest({}, { method, body: second }),
      exportRequest({ page: '2' }, { method, body: notice }),
    ]) {
      expect((await readExport(await store.handle(request))).references).toEqual(['O-003'])
    }
  })

  it('docs/interface.md (Export): is text/xml in UTF-8 to the byte, whatever the request accepts', async () => {
    const name = 'Grüner Tee 😀 茶'
    await save(named('A', { items: [aLine({ name })] }))
    const headers = { accept: 'application/json', 'x-requested-with': 'XMLHttpRequest' }
    const response = await store.handle(exportRequest({}, { headers }))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/xml; *charset=utf-8$/i)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    const text = utf8.decode(await response.arrayBuffer())
    expect(text).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>/i)
    const [order] = (await readExport(new Response(text))).orders
    expect(textAt(itemsOf(order)[0], 'Name')).toBe(name)
  })
})

describe('docs/interface.md (Export), rule 4: the dates are in the timezone of the plugin, though ShipStation sends UTC', () => {
  const store = sharedStore(anyKind, { options: { timezone: 'America/New_York' } })
  beforeEach(() => clearStore(store.payload))

  const exported = async (parameters: Parameters) =>
    readExport(await store.handle(exportRequest(parameters)))
  const window = { start_date: '03/05/2026 14:30', end_date: '03/05/2026 14:45' }

  it('five hours away in winter, four in summer, and none for a date with an offset of its own', async () => {
    const within = ['2026-03-05T19:30:00.001Z', '2026-03-05T19:45:58.999Z']
    const without = ['14:35:00.000', '19:30:00.000', '19:45:59.000']
    const summer = ['2026-07-05T18:35:00.000Z', '2026-07-05T19:35:00.000Z']
    const times = [...within, ...without.map((time) => `2026-03-05T${time}Z`), ...summer]
    await saveOrders(
      store.payload,
      times.map((time) => at(time)),
    )
    const utc = '2026-03-05T14:30:00Z'
    for (const [start_date, end_date, expected] of [
      [window.start_date, window.end_date, within],
      ['07/05/2026 14:30', '07/05/2026 14:45', summer.slice(0, 1)],
      [utc, '2026-03-05T16:45:00+02:00', ['2026-03-05T14:35:00.000Z']],
      [utc, '03/05/2026 10:00', ['2026-03-05T14:35:00.000Z']],
      [`@${Date.parse(utc) / 1000}`, '2026-03-05 09:45 -0500', ['2026-03-05T14:35:00.000Z']],
    ] as const) {
      const { references } = await exported({ start_date, end_date })
      expect([start_date, end_date, references]).toEqual([start_date, end_date, expected])
    }
  })

  it("an opt-in setting reads ShipStation's dates as UTC", async () => {
    await saveOrders(store.payload, [
      at('2026-03-05T14:35:00.000Z', 'as UTC'),
      at('2026-03-05T19:35:00.000Z', 'as New York'),
    ])
    for (const readDatesAsUtc of [false, true, false]) {
      await changeSettings(store.payload, { readDatesAsUtc })
      const expected = [readDatesAsUtc ? 'as UTC' : 'as New York']
      expect((await exported(window)).references).toEqual(expected)
    }
  })

  it('writes LastModified in UTC on a site that is not', async () => {
    await saveOrder(store.payload, at('2026-03-05T19:35:00.000Z'))
    const { orders } = await exported({})
    expect(orders).toMatchObject([{ LastModified: '3/5/2026 19:35' }])
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
