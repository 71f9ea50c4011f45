import { mergeListSearchAndWhere } from 'payload/shared'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anAddress, anOrder, saveOrder } from '../../support/orders.js'
import { anyKind, databaseKinds, openStore, type TestStore } from '../../support/store.js'

/** What the page of the list asks Payload for. */
async function searched({ payload }: TestStore, search: string): Promise<string[]> {
  const collectionConfig = payload.config.collections.find(({ slug }) => slug === 'orders')
  if (collectionConfig === undefined) throw new Error('The store has no orders.')
  const where = mergeListSearchAndWhere({ collectionConfig, search })
  const { docs } = await payload.find({ collection: 'orders', where, depth: 0 })
  return docs.map((order) => String((order as { reference?: string }).reference))
}

describe.each(databaseKinds)('A search in the list of orders (%s)', (kind) => {
  let store: TestStore
  const references: Record<string, string> = {}

  beforeAll(async () => {
    store = await openStore(kind)
    const { payload } = store
    const { id } = await payload.create({
      collection: 'users',
      data: { email: 'grace@example.com', password: 'a password', roles: [] },
    })
    const grace = anAddress({ firstName: 'Grace', lastName: 'Hopper', company: '' })
    const orders = {
      ada: await saveOrder(payload, anOrder()),
      grace: await saveOrder(
        payload,
        anOrder({ customer: id, customerEmail: null, shippingAddress: grace }),
      ),
    }
    for (const [name, { reference }] of Object.entries(orders)) references[name] = reference
    await payload.create({
      collection: 'shipping-notices',
      data: { order: orders.ada.id, carrier: 'UPS', trackingNumber: '1Z999AA10123456784' },
    })
  })
  afterAll(() => store.close())

  const found = (search: string) => searched(store, search)

  it('finds an order by its number, email, name and tracking number', async () => {
    for (const search of [
      references.ada ?? '',
      'ada@example.com',
      'Lovelace',
      'ada lovelace',
      ' Lovelace  Ada ',
      '1Z999AA1',
      'Engines',
    ]) {
      expect([search, await found(search)]).toEqual([search, [references.ada]])
    }
    for (const search of ['grace@example.com', 'Grace Hopper']) {
      expect([search, await found(search)]).toEqual([search, [references.grace]])
    }
  })

  it('finds nothing where a word is of another order', async () => {
    expect(await found('Grace Lovelace')).toEqual([])
  })
})

it('leaves out what a shop of another shape has not, as Payload would refuse the whole search', async () => {
  const store = await openStore(anyKind, {
    orders: { fields: [{ name: 'shipments', type: 'textarea', virtual: true }] },
  })
  try {
    const { reference } = await saveOrder(store.payload, anOrder())
    expect(await searched(store, 'lovelace')).toEqual([reference])
  } finally {
    await store.close()
  }
})
