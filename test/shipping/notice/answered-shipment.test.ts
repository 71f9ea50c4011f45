import { fieldSchemasToFormState } from '@payloadcms/ui/forms/fieldSchemasToFormState'
import { createLocalReq, type TypedUser } from 'payload'
import { reduceFieldsToValues } from 'payload/shared'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anOrder, saveOrder, type SavedOrder } from '../../support/orders.js'
import { databaseKinds, joinStore, openStore, type TestStore } from '../../support/store.js'
import { createPause } from './paused-save.js'
import {
  adminOf,
  entry,
  notify,
  parcel,
  readEntries,
  readHistory,
  readOrder,
} from './stored-shipment.js'

type Document = Record<string, unknown>

const stores = databaseKinds.flatMap((kind) => [
  {
    kind,
    matrixField: 'tracking',
    entryType: '',
    otherField: 'parcels',
    otherRows: [{ blockType: 'remark', text: 'Fragile' }],
  },
  {
    kind,
    matrixField: 'parcels',
    entryType: 'shipment',
    otherField: 'tracking',
    otherRows: [{ carrier: 'DHL', service: '', trackingNumber: 'by hand' }],
  },
])

describe.each(stores)('A shipment that was answered ($kind, $matrixField)', (tested) => {
  const { kind, matrixField, entryType, otherField, otherRows } = tested
  const options = { shipping: { settings: { matrixField, entryType } } }
  const pause = createPause()
  let store: TestStore
  let other: TestStore
  let api: ReturnType<typeof adminOf>
  let order: SavedOrder

  beforeAll(async () => {
    store = await openStore(kind, { orderHooks: { beforeChange: [pause.hook] }, options })
    other = await joinStore(kind, store.url, { options })
    api = adminOf(store)
  })
  afterAll(async () => {
    await other.close()
    await store.close()
  })
  beforeEach(async () => {
    order = await saveOrder(store.payload)
  })

  const read = () => readOrder(store.payload, order.id)
  const notifyBy = (by: TestStore) => notify(by, { order_number: order.reference, ...parcel })
  const patch = (data: Document, query = `/${order.id}?depth=0`) => api('PATCH', query, data)
  const shipped: Document = {
    status: 'shipped',
    [matrixField]: [entry],
    statusChanges: [{ status: 'processing' }, { status: 'shipped' }],
  }

  describe.each([
    ['one process', () => store],
    ['two processes', () => other],
  ])('in %s', (_where, by) => {
    it('outlasts a save of another field that had read the order before, each time', async () => {
      for (let run = 0; run < 3; run += 1) {
        await pause.during(
          () => patch({ internalNotes: 'Call first' }),
          () => notifyBy(by()),
        )
        expect(await read()).toMatchObject({ internalNotes: 'Call first', ...shipped })
        order = await saveOrder(store.payload)
      }
    })

    it.each<[string, () => Promise<unknown>, Document]>([
      [
        'its lines',
        () => patch({ items: [{ name: 'Tea', quantity: 9 }] }),
        { items: [{ name: 'Tea', quantity: 9 }] },
      ],
      [
        'a part of its address',
        () => patch({ shippingAddress: { city: 'Bath' } }),
        { shippingAddress: { city: 'Bath', postalCode: 'SW1Y 4JH' } },
      ],
      [
        'the other field that could hold it',
        () => patch({ [otherField]: otherRows }),
        { [otherField]: otherRows },
      ],
    ])('outlasts a save of %s that had read the order before', async (_what, save, saved) => {
      await pause.during(save, () => notifyBy(by()))
      expect(await read()).toMatchObject({ ...saved, ...shipped })
    })

    it('outlasts a bulk edit', async () => {
      const second = await saveOrder(store.payload)
      const where = `?depth=0&where[id][in]=${order.id},${second.id}`
      await pause.during(
        () => patch({ internalNotes: 'Both' }, where),
        () => notifyBy(by()),
      )
      expect(await read()).toMatchObject({ internalNotes: 'Both', ...shipped })
    })
  })

  it('gives way to a save that changes the status itself', async () => {
    await pause.during(
      () => patch({ status: 'cancelled' }),
      () => notifyBy(store),
    )
    expect(await read()).toMatchObject({ status: 'cancelled', [matrixField]: shipped[matrixField] })
  })

  describe('in a form that was loaded before', () => {
    const load = (): Promise<Document> => api('GET', `/${order.id}?depth=0`)

    it('outlasts one whose empty rows are posted as the number 0, and is what the merchant sees then', async () => {
      const form = await load()
      await notifyBy(store)
      const posted = { ...form, tracking: 0, parcels: 0, internalNotes: 'Call first' }
      const { doc } = (await patch(posted)) as { doc: Document }
      expect(await read()).toMatchObject({ internalNotes: 'Call first', ...shipped })
      expect(doc).toMatchObject({ status: 'shipped', [matrixField]: shipped[matrixField] })
      await patch({ ...doc, status: 'processing', [matrixField]: [] })
      expect(await read()).toMatchObject({ status: 'processing', [matrixField]: [] })
    })

    it("outlasts one that the admin's own form posts", async () => {
      const { payload } = store
      const data = await load()
      const { docs } = await payload.find({ collection: 'users', depth: 0 })
      const user = { ...docs[0], collection: 'users' } as unknown as TypedUser
      const state = await fieldSchemasToFormState({
        collectionSlug: 'orders',
        data,
        fields: payload.collections.orders?.config.fields,
        fieldSchemaMap: new Map(),
        id: order.id,
        operation: 'update',
        permissions: true,
        preferences: { fields: {} },
        renderAllFields: false,
        req: await createLocalReq({ user }, payload),
        schemaPath: 'orders',
        skipValidation: true,
      })
      await notifyBy(store)
      const form = reduceFieldsToValues(state, true)
      await patch({ ...form, internalNotes: 'Call first' })
      expect(await read()).toMatchObject({ internalNotes: 'Call first', ...shipped })
    })

    it('gives way to what the merchant has changed there', async () => {
      const form = await load()
      await notifyBy(store)
      const byHand = { carrier: 'DHL', service: '', trackingNumber: 'by hand' }
      const rows = [entryType === '' ? byHand : { blockType: entryType, ...byHand }]
      await patch({ ...form, status: 'cancelled', [matrixField]: rows })
      expect(await read()).toMatchObject({ status: 'cancelled', [matrixField]: rows })
    })
  })

  it('outlasts a copy, which begins anew', async () => {
    await notifyBy(store)
    const { doc } = (await api('POST', `/${order.id}/duplicate?depth=0`, {})) as { doc: SavedOrder }
    expect(doc.reference).not.toBe(order.reference)
    expect(await readEntries(store.payload, doc.id, matrixField)).toEqual([])
    expect(await readHistory(store.payload, doc.id)).toEqual([])
    expect(await read()).toMatchObject(shipped)
    expect(await readEntries(store.payload, order.id, matrixField)).toHaveLength(1)
  })

  it('of an order without items outlasts one that gives it some', async () => {
    order = await saveOrder(store.payload, anOrder({ items: [] }))
    await pause.during(
      () => patch({ items: [{ name: 'Tea', quantity: 1 }] }),
      () => notifyBy(store),
    )
    expect(await read()).toMatchObject({ items: [{ name: 'Tea' }], ...shipped })
  })
})
