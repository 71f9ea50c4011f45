import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { changeSettings } from '../../support/exported-orders.js'
import { aLine, anOrder, changeOrder, saveOrder, type SavedOrder } from '../../support/orders.js'
import { noticeRequest } from '../../support/shipping-requests.js'
import { anyKind, openStore, type TestStore } from '../../support/store.js'
import { shipNotice, entryOfDocument } from './ship-notice-document.js'
import { entry, notify, parcel, readShipment } from './stored-shipment.js'

const items = [
  { SKU: 'TEA-1', Name: 'Green tea', Quantity: '2' },
  { SKU: 'CUP-1', Name: 'Cup', Quantity: '1' },
]

const trackingNumbers = (rows: { trackingNumber?: unknown }[]) =>
  rows.map(({ trackingNumber }) => trackingNumber)

describe('the history of an order', () => {
  let store: TestStore
  let order: SavedOrder
  /** The statuses before and after, as the order's hooks saw them. */
  let changes: { id: unknown; from: unknown; to: unknown }[] = []

  beforeAll(async () => {
    store = await openStore(anyKind, {
      orderHooks: {
        afterChange: [
          ({ operation, doc, previousDoc }) => {
            if (operation !== 'update') return
            const [after, before] = [doc, previousDoc] as { id: unknown; status: unknown }[]
            changes.push({ id: after?.id, from: before?.status, to: after?.status })
          },
        ],
      },
    })
  })
  afterAll(() => store.close())
  beforeEach(async () => {
    changes = []
    order = await saveOrder(store.payload)
  })

  const shipment = () => readShipment(store.payload, order.id)
  const send = (parameters: Record<string, string>, init?: RequestInit) =>
    store.handle(noticeRequest({ order_number: order.reference, ...parameters }, init))

  it('keeps every notice once, and one that comes again takes entry and status back', async () => {
    const { id, reference } = order
    const other = await saveOrder(store.payload)
    for (const order_number of [reference, reference, other.reference])
      await notify(store, { order_number, ...parcel })
    expect(await shipment()).toMatchObject({
      status: 'shipped',
      entries: [entry],
      history: [entry],
    })
    expect((await readShipment(store.payload, other.id)).history).toHaveLength(1)

    const second = { ...entry, trackingNumber: '1Z999AA2' }
    await notify(store, { order_number: reference, ...parcel, tracking_number: '1Z999AA2' })
    const history = [entry, second].map((values) => ({ order: id, reference, ...values }))
    expect(await shipment()).toMatchObject({ entries: [second], history })
    const data = { status: 'processing' }
    await changeOrder(store.payload, id, data)
    await notify(store, { order_number: reference, ...parcel })
    expect(await shipment()).toMatchObject({ status: 'shipped', entries: [entry], history })
  })

  it('keeps a notice that says nothing of the parcel', async () => {
    await notify(store, { order_number: order.reference })
    const { entries, history } = await shipment()
    expect(entries).toEqual([])
    expect(history).toMatchObject([{ carrier: '', service: '', trackingNumber: '', lines: [] }])
  })

  it('does not double the lines of a notice that comes again', async () => {
    const init = { body: shipNotice({}, items) }
    await notify(store, { order_number: order.reference }, init)
    const first = await shipment()
    await notify(store, { order_number: order.reference }, init)
    const { history, entries } = await shipment()
    expect(entries).toEqual([entryOfDocument])
    const [notice] = first.history
    expect(history).toEqual([{ ...notice, repeats: 1, updatedAt: expect.any(String) as string }])
    expect(history[0]?.lines.map(({ sku }) => sku)).toEqual(['TEA-1', 'CUP-1'])
  })

  it.each([
    ['the carrier', { Carrier: 'UPS' }],
    ['the service', { Service: 'Ground' }],
    ['the tracking number', { TrackingNumber: '1' }],
    ['the day', { ShipDate: '12/9/2011' }],
    ['the cost', { ShippingCost: '5.95' }],
    ['a line', { Items: '<Item><SKU>TEA-1</SKU><Quantity>3</Quantity></Item>' }],
  ])('a notice that differs in %s is a record of its own', async (_what, change) => {
    await notify(store, { order_number: order.reference }, { body: shipNotice({}, items) })
    await notify(store, { order_number: order.reference }, { body: shipNotice(change, items) })
    expect((await shipment()).history).toHaveLength(2)
  })

  it('the same notice eight times at once: one record, one entry, one change of status', async () => {
    const body = shipNotice({}, items)
    const responses = await Promise.all(Array.from({ length: 8 }, () => send({}, { body })))
    expect(responses.map((response) => response.status)).toEqual(Array(8).fill(200))

    const { status, entries, history } = await shipment()
    expect(status).toBe('shipped')
    expect(entries).toEqual([entryOfDocument])
    expect(history).toHaveLength(1)
    expect(history[0]?.lines).toHaveLength(2)
    expect(changes).toHaveLength(8)
    expect(changes.filter(({ from, to }) => from !== to)).toEqual([
      { id: order.id, from: 'processing', to: 'shipped' },
    ])
  })

  describe('of several items', () => {
    const lines = [aLine({ quantity: 1 }), aLine({ quantity: 1 }), aLine({ sku: 'CUP-1' })]
    /** How many of which lines: by a SKU, or `#1` by the id of the line at place 1, which ShipStation got. */
    type Parcel = Record<string, number>
    const ship = (named: Parcel) => {
      const items = Object.entries(named).map(([line, quantity]) => ({
        ...(line.startsWith('#')
          ? { LineItemID: order.items[Number(line.slice(1))]?.id ?? '', SKU: 'of ShipStation' }
          : { SKU: line }),
        Quantity: String(quantity),
      }))
      const TrackingNumber = JSON.stringify(named).replaceAll('"', '')
      const body = shipNotice({ TrackingNumber }, items)
      return notify(store, { order_number: order.reference }, { body })
    }
    beforeEach(async () => {
      order = await saveOrder(store.payload, anOrder({ items: lines }))
    })

    it.each<[string, Parcel[], (number | null)[]]>([
      ['by its id', [{ '#1': 1 }, { '#0': 1 }, { '#2': 2 }], [3, 2, 0]],
      [
        'twice by its id: the other line of the SKU is left',
        [{ '#0': 1 }, { '#0': 1, '#2': 2 }],
        [3, 1],
      ],
      ['by its SKU, for both lines that have it', [{ 'TEA-1': 2 }, { 'CUP-1': 5 }], [2, 0]],
      ['by an id, and another by its SKU', [{ 'TEA-1': 1 }, { '#0': 1, '#2': 2 }], [3, 0]],
      ['by an unknown SKU', [{ 'MUG-9': 1 }, { 'TEA-1': 2, 'CUP-1': 2 }], [4, null]],
      ['all in one parcel', [{ 'TEA-1': 2, '#2': 2 }], [null]],
    ])('counts what is left when a line is named %s', async (_how, parcels, left) => {
      for (const named of parcels) await ship(named)
      const { history, status } = await shipment()
      expect(history.map(({ itemsLeft }) => itemsLeft)).toEqual(left)
      expect(status).toBe('shipped')
    })

    it('waits for all of them where a setting says so, also for parcels at once', async () => {
      await changeSettings(store.payload, { waitForAllItems: true })
      onTestFinished(() => changeSettings(store.payload, { waitForAllItems: false }))
      await ship({ 'CUP-1': 1 })
      expect(await shipment()).toMatchObject({
        status: 'processing',
        entries: [{ carrier: 'USPS' }],
        history: [{ statusBefore: 'processing', statusAfter: 'processing', itemsLeft: 3 }],
      })
      await Promise.all([ship({ '#0': 1 }), ship({ '#1': 1 }), ship({ '#2': 1 })])
      const { history, status } = await shipment()
      expect(status).toBe('shipped')
      expect(history).toHaveLength(4)
      expect(changes.filter(({ from, to }) => from !== to)).toHaveLength(1)

      order = await saveOrder(store.payload, anOrder({ items: lines }))
      await notify(store, { order_number: order.reference, ...parcel })
      expect((await shipment()).status).toBe('shipped')
    })
  })

  it('eight parcels at once: eight records, one entry, one change of status', async () => {
    const parcels = Array.from({ length: 8 }, (_, index) => `PARCEL-${index}`)
    const responses = await Promise.all(
      parcels.map((tracking_number) => send({ ...parcel, tracking_number })),
    )
    expect(responses.map((response) => response.status)).toEqual(Array(8).fill(200))

    const { entries, history } = await shipment()
    expect(trackingNumbers(history).sort()).toEqual(parcels)
    expect(entries).toHaveLength(1)
    expect(parcels).toContain(entries[0]?.trackingNumber)
    expect(changes.filter(({ from, to }) => from !== to)).toHaveLength(1)
  })

  it('eight parcels at once on eight orders: each has its own', async () => {
    const orders = []
    for (let index = 0; index < 8; index++) orders.push(await saveOrder(store.payload))
    await Promise.all(
      orders.map(({ reference }) =>
        notify(store, { order_number: reference, tracking_number: `OF-${reference}` }),
      ),
    )
    for (const { id, reference } of orders) {
      const { entries, history } = await readShipment(store.payload, id)
      expect(trackingNumbers(entries)).toEqual([`OF-${reference}`])
      expect(trackingNumbers(history)).toEqual([`OF-${reference}`])
    }
  })
})
