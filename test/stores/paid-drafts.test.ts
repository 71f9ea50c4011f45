import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqlDatabase } from '../../src/core/database/database.js'
import { orderEvents } from '../support/order-events.js'
import { readExport } from '../support/exported-orders.js'
import { anAddress, anOrder, saveOrder, type SavedOrder } from '../support/orders.js'
import { createProduct } from '../support/products.js'
import { exportRequest, noticeRequest } from '../support/shipping-requests.js'
import { databaseKinds, type TestStore } from '../support/store.js'
import { openVersionedStore } from '../support/versioned-store.js'

type Document = Record<string, unknown>

const shapes = [
  { shape: 'drafts', versions: { drafts: true } },
  { shape: 'autosave', versions: { drafts: { autosave: true } } },
]

describe.each(databaseKinds.flatMap((kind) => shapes.map((each) => ({ kind, ...each }))))(
  'An order of the checkout in a store with $shape ($kind)',
  ({ kind, versions }) => {
    /** What the payment method says of its orders. */
    let made: { data: Document; draft?: boolean } | undefined
    let store: TestStore
    let tea: number
    beforeAll(async () => {
      store = await openVersionedStore(kind, versions, {
        orderHooks: {
          beforeOperation: [
            ({ args, operation }) =>
              operation === 'create' && made !== undefined
                ? { ...args, ...made, data: { ...(args as { data: Document }).data, ...made.data } }
                : args,
          ],
        },
      })
      tea = await createProduct(store.payload, { inventory: 1000 })
    })
    afterAll(() => store.close())

    async function buy(how: NonNullable<typeof made> = { data: {} }): Promise<SavedOrder> {
      const data = { items: [{ product: tea, quantity: 1 }], currency: 'USD' }
      const cart = (await store.payload.create({ collection: 'carts', data })) as unknown as {
        id: number
        secret: string
      }
      const purchase = {
        cartID: cart.id,
        secret: cart.secret,
        customerEmail: 'ada@example.com',
        billingAddress: anAddress(),
        shippingAddress: anAddress(),
      }
      made = { ...how, data: { shippingAddress: anAddress(), ...how.data } }
      let answer: Document = {}
      for (const step of ['initiate', 'confirm-order']) {
        const response = await store.aBrowser().apiPost(`/payments/demo/${step}`, purchase)
        expect(response.status, await response.clone().text()).toBe(200)
        answer = (await response.json()) as Document
      }
      made = undefined
      return read(Number(answer.orderID))
    }
    const read = async (id: number | string) =>
      (await store.payload.findByID({
        collection: 'orders',
        id,
        depth: 0,
      })) as unknown as SavedOrder & Document
    const exported = async ({ reference }: SavedOrder) =>
      (await readExport(await store.handle(exportRequest()))).references.includes(reference)
    const ship = ({ reference }: SavedOrder) =>
      store.handle(
        noticeRequest({ order_number: reference, carrier: 'UPS', tracking_number: '1Z' }),
      )
    const eventsOf = (order: SavedOrder) => orderEvents(store.payload, order)

    it('is published, exported and reported', async () => {
      const order = await buy()
      expect(await read(order.id)).toMatchObject({ _status: 'published', status: 'processing' })
      expect(await exported(order)).toBe(true)
      expect(await eventsOf(order)).toEqual(['Placed Order'])
      expect((await ship(order)).status).toBe(200)
      expect(await eventsOf(order)).toEqual(['Placed Order', 'Shipped Order'])
    })

    it.each([
      ['the payment method says so', { data: { _status: 'draft' } }],
      ['the payment method saves it as one', { data: {}, draft: true }],
    ])('is an order although it is a draft, as %s', async (_why, how) => {
      const order = await buy(how)
      expect(await read(order.id)).toMatchObject({ _status: 'draft' })
      expect(await exported(order)).toBe(true)
      expect(await eventsOf(order)).toEqual(['Placed Order'])
      // A draft of it changes nothing.
      await store.payload.update({
        collection: 'orders',
        id: order.id,
        data: { status: 'completed' },
        draft: true,
      })
      expect(await eventsOf(order)).toEqual(['Placed Order'])
      expect((await ship(order)).status).toBe(200)
      expect(await read(order.id)).toMatchObject({ status: 'shipped', _status: 'draft' })
      expect(await eventsOf(order)).toEqual(['Placed Order', 'Shipped Order'])
      await store.payload.update({
        collection: 'orders',
        id: order.id,
        data: { status: 'completed' },
      })
      expect(await eventsOf(order)).toEqual(['Placed Order', 'Shipped Order', 'Completed Order'])
      await store.payload.update({
        collection: 'orders',
        id: order.id,
        data: { _status: 'published' },
      })
      expect(await eventsOf(order)).toEqual(['Placed Order', 'Shipped Order', 'Completed Order'])
    })

    it('is exported also when an older edition has left it as a draft', async () => {
      const order = await buy({ data: { _status: 'draft' } })
      await sqlDatabase(store.payload).run(
        sql`update orders set status_changes = null where id = ${order.id}`,
      )
      expect(await exported(order)).toBe(true)
      expect((await ship(order)).status).toBe(200)
      expect(await eventsOf(order)).toEqual(['Shipped Order'])
    })

    it('stays an order while the store’s own code changes its status beside a draft that waits', async () => {
      const order = await buy()
      const change = (data: Document, draft = false) =>
        store.payload.update({ collection: 'orders', id: order.id, data, draft, depth: 0 })
      await change({ internalNotes: 'Ask' }, true)
      await change({ status: 'completed' })
      expect(await exported(order)).toBe(true)
      expect(await eventsOf(order)).toEqual(['Placed Order', 'Completed Order'])
      const [newest] = (
        await store.payload.find({
          collection: 'orders',
          where: { id: { equals: order.id } },
          draft: true,
        })
      ).docs
      expect(newest).toMatchObject({ status: 'completed' })
    })

    it('is found by a notice, unlike a draft that nobody has paid and that was never exported', async () => {
      const draft = await saveOrder(store.payload, anOrder({ _status: 'draft' }))
      const publish = (stage: string) =>
        store.payload.update({ collection: 'orders', id: draft.id, data: { _status: stage } })
      expect((await ship(draft)).status).toBe(404)
      expect(await read(draft.id)).toMatchObject({ status: 'processing' })
      await publish('published')
      expect(await exported(draft)).toBe(true)
      await publish('draft')
      expect((await ship(draft)).status).toBe(200)
      expect(await read(draft.id)).toMatchObject({ status: 'shipped' })
    })

    it('is not what an admin drafts, nor a copy of a paid order', async () => {
      const draft = await saveOrder(store.payload, anOrder({ _status: 'draft' }))
      expect(await exported(draft)).toBe(false)
      const paid = await buy()
      const copy = (await store.payload.duplicate({
        collection: 'orders',
        id: paid.id,
        draft: true,
      })) as unknown as SavedOrder
      expect(copy.number).not.toBe(paid.number)
      expect(await exported(copy)).toBe(false)
      expect(await eventsOf(draft)).toEqual([])
      expect(await eventsOf(copy)).toEqual([])
      // It is placed once it is published, with the status that it has then.
      const data = { _status: 'published', status: 'completed' }
      await store.payload.update({ collection: 'orders', id: copy.id, data })
      expect(await eventsOf(copy)).toEqual(['Placed Order'])
    })
  },
)
