import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Order, RefundedLine } from '../../../src/types.js'
import { apiOf } from '../../support/api-of.js'
import { captureLog } from '../../support/captured-log.js'
import {
  changeSettings,
  clearStore,
  itemsOf,
  readExport,
  skippedOrders,
  textAt,
} from '../../support/exported-orders.js'
import {
  aLine,
  anOrder,
  changeOrder,
  overwriteOrder,
  saveOrder,
  type SavedOrder,
} from '../../support/orders.js'
import { partsOf } from '../../support/parts.js'
import { exportRequest } from '../../support/shipping-requests.js'
import { databaseKinds, openStore, type TestStore } from '../../support/store.js'
import { notify, readShipment } from '../notice/stored-shipment.js'

const tea = aLine({ sku: 'TEA-1', name: 'Tea', quantity: 3 })
const cup = aLine({ sku: 'CUP-1', name: 'Cup', quantity: 1 })

describe.each(databaseKinds)('Refunds that the store tells (%s)', (kind) => {
  const log = captureLog()
  /** What the store knows of its orders. */
  const told = new Map<SavedOrder['id'], () => unknown>()
  /** What `beforeExport` gets and returns. */
  let beforeExport: (order: Order) => Order
  let store: TestStore
  beforeAll(async () => {
    store = await openStore(kind, {
      config: log.config,
      options: {
        orders: { refunds: ({ id }) => (told.get(id)?.() ?? []) as RefundedLine[] },
        shipping: {
          settings: { waitForAllItems: true },
          beforeExport: (order) => beforeExport(order),
        },
      },
    })
  })
  beforeEach(async () => {
    told.clear()
    beforeExport = (order) => order
    await clearStore(store.payload)
  })
  afterAll(() => store.close())

  const save = () => saveOrder(store.payload, anOrder({ items: [tea, cup] }))
  /** Refunds as many of the lines, in their order. */
  const refund = ({ id, items }: SavedOrder, ...quantities: number[]) =>
    told.set(id, () =>
      quantities.map((quantity, index) => ({ id: String(items[index]?.id), quantity })),
    )
  const pull = async (parameters: Record<string, string> = {}) => {
    const { orders } = await readExport(await store.handle(exportRequest(parameters)))
    return orders.map((order) => ({
      number: textAt(order, 'OrderNumber'),
      status: textAt(order, 'OrderStatus'),
      total: textAt(order, 'OrderTotal'),
      lines: itemsOf(order).map((item) => `${textAt(item, 'Quantity')} ${textAt(item, 'SKU')}`),
    }))
  }

  it.each([
    ['a part of a line', [1], ['2 TEA-1', '1 CUP-1']],
    ['a whole line', [0, 1], ['3 TEA-1']],
    ['more than was bought', [2, 5], ['1 TEA-1']],
  ])('of %s leave the rest to be shipped, and the total as it is', async (_, quantities, lines) => {
    const order = await save()
    refund(order, ...quantities)
    expect(await pull()).toMatchObject([{ number: order.reference, total: '42.50', lines }])
  })

  it('are listed in the admin', () => {
    expect(partsOf(store.payload).overview.valueSources).toEqual([
      { value: 'refundedQuantity', from: 'orders.refunds' },
    ])
  })

  it('of one line are added', async () => {
    const order = await save()
    const id = String(order.items[0]?.id)
    told.set(order.id, () => [
      { id, quantity: 1 },
      { id, quantity: 1 },
    ])
    expect(await pull()).toMatchObject([{ lines: ['1 TEA-1', '1 CUP-1'] }])
  })

  it('of everything take the order out of the export, and the admin says why', async () => {
    await changeSettings(store.payload, { failOnInvalidOrder: true })
    const [order, other] = [await save(), await save()]
    await pull()
    refund(order, 3, 1)
    expect(await pull()).toMatchObject([{ number: other.reference }])
    expect(await skippedOrders(store.payload)).toMatchObject([
      { order: order.id, codes: [{ code: 'ALL_REFUNDED' }] },
    ])
    const story = await apiOf(store)(`/storeconnect/story/orders/${order.id}`, { as: 'admin' })
    expect(await story.text()).toContain(
      '"standing":{"is":"skipped","reasons":"All its items were refunded, so nothing is left to ship.',
    )
  })

  it('of everything leave an order in the export that ShipStation has and is to cancel', async () => {
    const order = await save()
    await pull()
    refund(order, 3, 1)
    await changeOrder(store.payload, order.id, { status: 'refunded' })
    const whole = { status: 'refunded', lines: ['3 TEA-1', '1 CUP-1'] }
    expect(await pull()).toMatchObject([whole])
    expect(await skippedOrders(store.payload)).toEqual([])
  })

  it('of everything keep an order from ShipStation that it never had', async () => {
    const order = await save()
    refund(order, 3, 1)
    await changeOrder(store.payload, order.id, { status: 'refunded' })
    expect(await pull()).toEqual([])
    expect(await pull()).toEqual([])
  })

  it.each([-1, 0.5])('of %s items skip their order alone, and name the line', async (quantity) => {
    const [order, other] = [await save(), await save()]
    refund(order, 0, quantity)
    expect(await pull()).toMatchObject([{ number: other.reference }])
    expect(await skippedOrders(store.payload)).toMatchObject([
      { order: order.id, codes: [{ code: 'REFUND_INVALID', params: { line: 2 } }] },
    ])
  })

  it.each<[string, () => unknown]>([
    [
      'throw',
      () => {
        throw new Error('No refunds.')
      },
    ],
    ['are no list', () => ({ quantity: 1 })],
    ['name no line', () => [{ quantity: 1 }]],
    ['have no number', () => [{ id: 'a', quantity: NaN }]],
  ])('that %s skip their order alone, until they are told', async (_, code) => {
    const [order, other] = [await save(), await save()]
    told.set(order.id, code)
    expect(await pull()).toMatchObject([{ number: other.reference }])
    expect(await skippedOrders(store.payload)).toMatchObject([
      { order: order.id, reference: order.reference, codes: [{ code: 'REFUNDS_FAILED' }] },
    ])
    expect(log.lines()).toContainEqual(
      expect.objectContaining({ level: 50, reference: order.reference }),
    )
    told.delete(order.id)
    expect(await pull()).toHaveLength(2)
    expect(await skippedOrders(store.payload)).toEqual([])
  })

  it('between two pages are in the later one', async () => {
    await changeSettings(store.payload, { pageSize: '1' })
    const [first, second, third] = [await save(), await save(), await save()]
    const window = { start_date: '01/01/2020 00:00', end_date: '01/01/2100 00:00' }
    const page = (number: string) => pull({ ...window, page: number })
    expect(await page('1')).toMatchObject([{ number: first.reference }])
    refund(second, 1)
    refund(third, 3, 1)
    expect(await page('2')).toMatchObject([
      { number: second.reference, lines: ['2 TEA-1', '1 CUP-1'] },
    ])
    expect(await page('3')).toEqual([])
  })

  it('are in the pull after an order is saved, with nothing but its id', async () => {
    const { payload } = store
    const order = await save()
    await overwriteOrder(payload, order.id, { updatedAt: '2026-03-10T12:00:00.000Z' })
    const window = { start_date: '03/11/2026 00:00', end_date: '01/01/2100 00:00' }
    refund(order, 1)
    expect(await pull(window)).toEqual([])
    await changeOrder(payload, order.id, {})
    expect(await pull(window)).toMatchObject([{ lines: ['2 TEA-1', '1 CUP-1'] }])
  })

  it('are taken off before beforeExport, which may export something else', async () => {
    const order = await save()
    refund(order, 1, 1)
    const got: unknown[] = []
    beforeExport = (given) => {
      got.push(given.items.map(({ sku, quantity }) => `${quantity} ${sku}`))
      return { ...given, items: given.items.map((line) => ({ ...line, quantity: 7 })) }
    }
    expect(await pull()).toMatchObject([{ lines: ['7 TEA-1'] }])
    expect(got).toEqual([['2 TEA-1']])
  })

  const ship = ({ reference }: SavedOrder, quantity: number) =>
    notify(
      store,
      { order_number: reference, tracking_number: `1Z${quantity}` },
      {
        body: `<ShipNotice><Items><Item><SKU>TEA-1</SKU><Quantity>${quantity}</Quantity></Item></Items></ShipNotice>`,
      },
    )

  it('are not waited for before an order counts as shipped', async () => {
    const order = await save()
    refund(order, 1, 1)
    await ship(order, 1)
    expect(await readShipment(store.payload, order.id)).toMatchObject({
      status: 'processing',
      history: [{ itemsLeft: 1 }],
    })
    await ship(order, 2)
    expect(await readShipment(store.payload, order.id)).toMatchObject({ status: 'shipped' })
  })

  it('that cannot be counted leave an order unshipped', async () => {
    const order = await save()
    refund(order, -1, 1)
    await ship(order, 3)
    expect(await readShipment(store.payload, order.id)).toMatchObject({ status: 'processing' })
  })
})
