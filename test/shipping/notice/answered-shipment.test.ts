import { fieldSchemasToFormState } from '@payloadcms/ui/forms/fieldSchemasToFormState'
import { createLocalReq, type TypedUser } from 'payload'
import { reduceFieldsToValues } from 'payload/shared'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anOrder, saveOrder, type SavedOrder } from '../../support/orders.js'
import { noticeRequest } from '../../support/shipping-requests.js'
import { databaseKinds, joinStore, openStore, type TestStore } from '../../support/store.js'
import { createPause } from './paused-save.js'

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
  let admin: string
  let order: SavedOrder

  beforeAll(async () => {
    store = await openStore(kind, { orderHooks: { beforeChange: [pause.hook] }, options })
    other = await joinStore(kind, store.url, { options })
    const account = { email: 'admin@example.com', password: 'a long password' }
    await store.payload.create({ collection: 'users', data: { ...account, roles: ['admin'] } })
    const { token } = await store.payload.login({ collection: 'users', data: account })
    admin = `JWT ${String(token)}`
  })
  afterAll(async () => {
    await other.close()
    await store.close()
  })
  beforeEach(async () => {
    order = await saveOrder(store.payload)
  })

  const read = async (): Promise<Document> =>
    store.payload.findByID({ collection: 'orders', id: order.id, depth: 0 })
  const notify = async (by: TestStore) => {
    const parcel = { carrier: 'UPS', service: 'Ground', tracking_number: '1Z' }
    const request = noticeRequest({ order_number: order.reference, ...parcel })
    expect((await by.handle(request)).status).toBe(200)
  }
  /** As the admin's form does. */
  const api = async (method: string, query: string, data?: Document): Promise<Document> => {
    const response = await store.api(
      new Request(`https://shop.example/api/orders${query}`, {
        method,
        headers: { authorization: admin, 'content-type': 'application/json' },
        ...(data && { body: JSON.stringify(data) }),
      }),
    )
    expect(response.status).toBe(200)
    return (await response.json()) as Document
  }
  const patch = (data: Document, query = `/${order.id}?depth=0`) => api('PATCH', query, data)
  const shipped: Document = {
    status: 'shipped',
    [matrixField]: [{ carrier: 'UPS', service: 'Ground', trackingNumber: '1Z' }],
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
          () => notify(by()),
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
      await pause.during(save, () => notify(by()))
      expect(await read()).toMatchObject({ ...saved, ...shipped })
    })

    it('outlasts a bulk edit', async () => {
      const second = await saveOrder(store.payload)
      const where = `?depth=0&where[id][in]=${order.id},${second.id}`
      await pause.during(
        () => patch({ internalNotes: 'Both' }, where),
        () => notify(by()),
      )
      expect(await read()).toMatchObject({ internalNotes: 'Both', ...shipped })
    })
  })

  it('gives way to a save that changes the status itself', async () => {
    await pause.during(
      () => patch({ status: 'cancelled' }),
      () => notify(store),
    )
    expect(await read()).toMatchObject({ status: 'cancelled', [matrixField]: shipped[matrixField] })
  })

  describe('in a form that was loaded before', () => {
    const load = (): Promise<Document> => api('GET', `/${order.id}?depth=0`)

    it('outlasts one whose empty rows are posted as the number 0, and is what the merchant sees then', async () => {
      const form = await load()
      await notify(store)
      const posted = { ...form, tracking: 0, parcels: 0, internalNotes: 'Call first' }
      const { doc } = (await patch(posted)) as { doc: Document }
      expect(await read()).toMatchObject({ internalNotes: 'Call first', ...shipped })
      expect(doc).toMatchObject({ status: 'shipped', [matrixField]: shipped[matrixField] })
      await patch({ ...doc, status: 'processing', [matrixField]: [] })
      expect(await read()).toMatchObject({ status: 'processing', [matrixField]: [] })
    })

    it("outlasts one that the admin's own form posts", async () => {
      const { payload } = store
      const { docs } = await payload.find({ collection: 'users', depth: 0 })
      const user = { ...docs[0], collection: 'users' } as unknown as TypedUser
      const state = await fieldSchemasToFormState({
        collectionSlug: 'orders',
        data: await load(),
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
      await notify(store)
      const form = reduceFieldsToValues(state, true)
      await patch({ ...form, internalNotes: 'Call first' })
      expect(await read()).toMatchObject({ internalNotes: 'Call first', ...shipped })
    })

    it('gives way to what the merchant has changed there', async () => {
      const form = await load()
      await notify(store)
      const byHand = { carrier: 'DHL', service: '', trackingNumber: 'by hand' }
      const rows = [entryType === '' ? byHand : { blockType: entryType, ...byHand }]
      await patch({ ...form, status: 'cancelled', [matrixField]: rows })
      expect(await read()).toMatchObject({ status: 'cancelled', [matrixField]: rows })
    })
  })

  it('outlasts a copy, which begins anew', async () => {
    await notify(store)
    const { doc } = (await api('POST', `/${order.id}/duplicate?depth=0`, {})) as { doc: Document }
    expect(doc.reference).not.toBe(order.reference)
    expect(await read()).toMatchObject(shipped)
  })

  it('of an order without items outlasts one that gives it some', async () => {
    order = await saveOrder(store.payload, anOrder({ items: [] }))
    await pause.during(
      () => patch({ items: [{ name: 'Tea', quantity: 1 }] }),
      () => notify(store),
    )
    expect(await read()).toMatchObject({ items: [{ name: 'Tea' }], ...shipped })
  })
})
