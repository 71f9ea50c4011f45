import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  changeSettings,
  clearStore,
  itemsOf,
  readExport,
  skippedOrders,
  textAt,
} from '../../support/exported-orders.js'
import { aLine, anOrder, changeOrder, saveOrder } from '../../support/orders.js'
import { propertyRuns, propertyTimeoutMs } from '../../support/property-runs.js'
import { exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import { databaseKinds, openStore, type TestStore } from '../../support/store.js'
import { notify, openStoreForTest, readOrder } from './stored-shipment.js'

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const noBreakSpace = '\u00a0'
const family = '👩‍👩‍👧'

/** Texts that the export changes, or that look like others. */
const kind = fc.constantFrom(
  'TEA-1',
  ` TEA-1${noBreakSpace}`,
  'TE\u0001A-1',
  'caf\u00e9',
  'cafe\u0301',
  'A & B <c> "d"',
  `${'x'.repeat(49)}🎁`,
  `${'x'.repeat(49)}🎁and more`,
  `${'x'.repeat(48)} ${family}`,
  `${'y'.repeat(198)}🎁${family}`,
  `${'y'.repeat(199)}  z`,
  '\u0007',
  noBreakSpace,
  '',
)
const name = kind.filter((text) => /[A-Za-z]/.test(text))
const line = fc.record({ sku: kind, name, quantity: fc.integer({ min: 1, max: 3 }) })

describe.each(databaseKinds)('What the export wrote, said back (%s)', (database) => {
  let store: TestStore
  beforeAll(async () => {
    const settings = { waitForAllItems: true, pageSize: '500' }
    store = await openStore(database, { options: { shipping: { settings } } })
  })
  beforeEach(async () => {
    await clearStore(store.payload)
    await changeSettings(store.payload, { waitForAllItems: true, pageSize: '500' })
  })
  afterAll(() => store.close())

  const exported = async (from = store) =>
    (await readExport(await from.handle(exportRequest()))).orders
  const exportedOf = async (id: unknown, from = store) =>
    (await exported(from)).find((order) => textAt(order, 'OrderID') === String(id))
  const statusOf = async (id: number | string) => (await readOrder(store.payload, id)).status
  const skipped = async () =>
    (await skippedOrders(store.payload)).map(({ order, codes }) => ({ order, codes }))

  it(
    'one parcel for each item, with its SKU and name, ships an order of any texts',
    { timeout: propertyTimeoutMs },
    async () => {
      let count = 0
      const ships = async (reference: string, lines: Record<string, unknown>[]) => {
        const items = lines.map((each) => aLine(each))
        const { id } = await saveOrder(store.payload, anOrder({ reference, items }))
        const order = await exportedOf(id)
        for (const [place, item] of itemsOf(order).entries()) {
          expect(await statusOf(id)).toBe('processing')
          const [sku, itemName, quantity] = ['SKU', 'Name', 'Quantity'].map((path) =>
            escaped(textAt(item, path).trim()),
          )
          const body = `<ShipNotice><Items><Item><SKU>${sku}</SKU><Name>${itemName}</Name>
          <Quantity>${quantity}</Quantity></Item></Items></ShipNotice>`
          const order_number = textAt(order, 'OrderNumber').trim()
          await notify(store, { order_number, tracking_number: `P${place}` }, { body })
        }
        expect(await statusOf(id)).toBe('shipped')
        await store.payload.delete({ collection: 'orders', id })
      }
      await fc.assert(
        fc.asyncProperty(kind, fc.array(line, { minLength: 1, maxLength: 3 }), (reference, lines) =>
          ships(`${++count} ${reference}`, lines),
        ),
        { numRuns: Math.ceil(propertyRuns / 50), seed: 1 },
      )
    },
  )

  it.each([
    ['a final space', '1001 '],
    ['a final no-break space', `1002${noBreakSpace}`],
    ['a control character', '10\u000103'],
    ['an emoji at its cut', `${'4'.repeat(49)}🎁🎁`],
    ['a composed character', '1005 \u00e9'],
    ['a decomposed character', '1006 e\u0301'],
  ])('a reference with %s is found in each spelling', async (_what, reference) => {
    const spellings = async (id: number | string) => {
      const written = textAt(await exportedOf(id), 'OrderNumber')
      return [...new Set([written, written.trim(), reference])]
    }
    const { id, updatedAt } = await saveOrder(store.payload, anOrder({ reference }))
    for (const order_number of await spellings(id)) {
      await changeOrder(store.payload, id, { status: 'processing' })
      await notify(store, { order_number })
      expect([order_number, await statusOf(id)]).toEqual([order_number, 'shipped'])
    }
    const before = await readOrder(store.payload, id)
    await exported()
    expect((await readOrder(store.payload, id)).updatedAt).toBe(before.updatedAt)
    expect(updatedAt).not.toBe(before.updatedAt)
  })

  it('of two orders with numbers that would be written alike, one is skipped with a reason', async () => {
    const references = ['2001 ', '2001', `2001${noBreakSpace}`, '2002 ', '2002\u0001']
    const saved = []
    for (const reference of references) {
      saved.push(await saveOrder(store.payload, anOrder({ reference })))
    }
    const [spaced, plain, noBreak, first, second] = saved
    if (!spaced || !plain || !noBreak || !first || !second) throw new Error('Not saved.')
    const ids = async () => (await exported()).map((order) => textAt(order, 'OrderID'))
    expect(await ids()).toEqual([plain.id, first.id].map(String))
    const codes = [{ code: 'NUMBER_TAKEN' }]
    expect(await skipped()).toEqual(
      expect.arrayContaining([spaced, noBreak, second].map(({ id: order }) => ({ order, codes }))),
    )
    await notify(store, { order_number: '2001' })
    expect([await statusOf(plain.id), await statusOf(spaced.id)]).toEqual(['shipped', 'processing'])

    await changeOrder(store.payload, first.id, { reference: '2003' })
    await exported()
    await changeOrder(store.payload, second.id, { reference: '2002 ' })
    expect((await ids()).slice(-3)).toEqual([plain.id, first.id, second.id].map(String))
    for (const [order_number, { id }] of [
      ['2003', first],
      ['2002', second],
    ] as const) {
      await notify(store, { order_number })
      expect([order_number, await statusOf(id)]).toEqual([order_number, 'shipped'])
    }
  })

  it('an order with the number of one that was exported under it is skipped, until that has another', async () => {
    const odd = await saveOrder(store.payload, anOrder({ reference: '3001 ' }))
    await exported()
    const plain = await saveOrder(store.payload, anOrder({ reference: '3001' }))
    expect(await exportedOf(plain.id)).toBeUndefined()
    expect(await exportedOf(odd.id)).toBeDefined()
    await notify(store, { order_number: '3001' })
    expect([await statusOf(odd.id), await statusOf(plain.id)]).toEqual(['shipped', 'processing'])
  })

  it('an order without a visible number is skipped with a reason', async () => {
    const { id } = await saveOrder(store.payload, anOrder({ reference: ` ${noBreakSpace}\u0001` }))
    expect(await exportedOf(id)).toBeUndefined()
    expect(await skipped()).toMatchObject([{ order: id, codes: [{ code: 'NO_NUMBER' }] }])
  })

  it("numbers and lines' ids of the store's own code are found", async () => {
    const longId = `${'l'.repeat(49)}🎁🎁`
    const mapped = await openStoreForTest(database, {
      options: {
        shipping: {
          settings: { waitForAllItems: true, furtherFields: true },
          beforeExport: (order) => ({
            ...order,
            reference: `WEB-${order.reference} `,
            items: order.items.map((item, index) => ({ ...item, id: `${longId}${index}` })),
          }),
        },
      },
    })
    const items = [aLine({ quantity: 1 }), aLine({ quantity: 2 })]
    const { id, reference } = await saveOrder(mapped.payload, anOrder({ items }))
    const order = await exportedOf(id, mapped)
    const [one] = itemsOf(order)
    const ship = (quantity: number) => {
      const body = `<ShipNotice><Items><Item><LineItemID>${textAt(one, 'LineItemID')}</LineItemID>
        <Quantity>${quantity}</Quantity></Item></Items></ShipNotice>`
      const tracking_number = `P${quantity}`
      return notify(mapped, { order_number: `WEB-${reference}`, tracking_number }, { body })
    }
    await ship(1)
    expect((await readOrder(mapped.payload, id)).status).toBe('processing')
    await ship(2)
    expect((await readOrder(mapped.payload, id)).status).toBe('shipped')
    expect((await mapped.handle(noticeRequest({ order_number: 'WEB-' }))).status).toBe(404)
  })
})
