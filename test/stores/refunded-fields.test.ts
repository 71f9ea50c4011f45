import type { Field, Plugin } from 'payload'
import { describe, expect, it } from 'vitest'
import { replaceField } from '../../src/core/payload/field-search.js'
import type { StoreConnectOptions } from '../../src/types.js'
import { itemsOf, readExport, textAt } from '../support/exported-orders.js'
import { reportedOf } from '../support/order-events.js'
import { aLine, anOrder, changeOrder, overwriteOrder, saveOrder } from '../support/orders.js'
import { exportRequest } from '../support/shipping-requests.js'
import { besideDrafts } from '../support/store-config.js'
import { partsOf } from '../support/parts.js'
import { withLineFields } from '../support/store-shapes.js'
import { shared } from '../support/shared-store.js'
import { anyKind, databaseKinds, openShapedStore } from '../support/store.js'
import { packagesConfig } from './known-packages-config.js'

const count: Field = { name: 'count', type: 'number' }
const value: Field = { name: 'value', type: 'number' }
const returned: Field = { name: 'returned', type: 'group', fields: [count, value] }

/** A store that keeps refunds in fields of its own, of the lines and of the orders. */
const withRefundFields =
  ({ ofLines = [], ofOrders = [] }: { ofLines?: Field[]; ofOrders?: Field[] }): Plugin =>
  ({ collections = [], ...config }) => ({
    ...config,
    collections: collections.map((collection) => {
      if (collection.slug !== 'orders') return collection
      const own = withLineFields(collection.fields, ofLines)
      const fields = [...replaceField(own, 'status', (status) => besideDrafts(status)), ...ofOrders]
      return { ...collection, versions: { drafts: true }, fields }
    }),
  })

const fields = { refundedQuantity: 'returned.count', refundedAmount: 'returned.value' }

describe.each(databaseKinds)('Refunds in fields of the store, with drafts (%s)', (kind) => {
  const store = shared(() =>
    openShapedStore(kind, (_, url) =>
      packagesConfig({
        kind,
        url,
        options: { fields },
        plugins: [withRefundFields({ ofLines: [returned], ofOrders: [returned] })],
      }),
    ),
  )
  const exported = async (parameters: Record<string, string> = {}) =>
    (await readExport(await store.handle(exportRequest(parameters)))).orders

  it('are read from the published order, and a change of them alone is a change of the order', async () => {
    const { payload } = store
    const order = await saveOrder(payload, anOrder({ _status: 'published', items: [aLine()] }))
    await overwriteOrder(payload, order.id, { updatedAt: '2026-03-10T12:00:00.000Z' })
    const window = { start_date: '03/11/2026 00:00', end_date: '01/01/2100 00:00' }
    expect(await exported(window)).toEqual([])
    const items = [{ ...aLine(), ...order.items[0], returned: { count: 1, value: 1000 } }]
    await payload.update({ collection: 'orders', id: order.id, data: { items }, draft: true })
    expect(await exported(window)).toEqual([])
    await changeOrder(payload, order.id, { items, _status: 'published' })
    const [changed] = await exported(window)
    expect(textAt(changed, 'OrderID')).toBe(String(order.id))
    expect(itemsOf(changed)).toMatchObject([{ Quantity: '1' }])
  })

  it('are listed in the admin', () => {
    expect(partsOf(store.payload).overview.valueSources).toEqual([
      { value: 'refundedQuantity', from: 'returned.count' },
    ])
  })

  it('are in the event of the refund, with what the order says was given back', async () => {
    const { payload } = store
    const order = await saveOrder(payload, anOrder({ _status: 'published', items: [aLine()] }))
    const items = [{ ...aLine(), ...order.items[0], returned: { count: 2 } }]
    const refunded = { status: 'refunded', returned: { value: 4000 } }
    await changeOrder(payload, order.id, { items, ...refunded, _status: 'published' })
    expect((await reportedOf(payload, order)).at(-1)).toMatchObject({
      name: 'Refunded Order',
      properties: { RefundedQuantity: 2, RefundedValue: 40, Items: [{ RefundedQuantity: 2 }] },
    })
  })
})

describe('A field of refunds', () => {
  const start = (given: NonNullable<StoreConnectOptions['fields']>, ...ofLines: Field[]) =>
    packagesConfig({
      kind: anyKind,
      url: ':memory:',
      options: { fields: given },
      plugins: [withRefundFields({ ofLines })],
    })

  it.each([
    ['that the lines lack', { refundedQuantity: 'back' }, 'which does not exist'],
    ['of another type', { refundedQuantity: 'note' }, 'which is a field of type text'],
    ['with several values', { refundedQuantity: 'counts' }, 'which holds several values'],
    ['of an amount that nobody has', { refundedAmount: 'back' }, 'which does not exist'],
  ])('%s is refused at the start', async (_, named, problem) => {
    const note: Field = { name: 'note', type: 'text' }
    const counts: Field = { name: 'counts', type: 'number', hasMany: true }
    await expect(start(named, note, counts)).rejects.toThrow(problem)
  })

  it('that has the default name and another type is left alone', async () => {
    await expect(start({}, { name: 'refundedQuantity', type: 'text' })).resolves.toBeDefined()
  })
})
