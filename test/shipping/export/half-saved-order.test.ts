import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  clearStore,
  itemsOf,
  optionsOf,
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
import { exportRequest } from '../../support/shipping-requests.js'
import { joinStore, openStore, type TestStore } from '../../support/store.js'

interface Client {
  execute(statement: string | { sql: string }): Promise<unknown>
}

const two = [
  aLine({ sku: 'TEA-1', quantity: 1, options: [{ name: 'Size', value: 'S' }] }),
  aLine({ sku: 'CUP-1', quantity: 1, options: [{ name: 'Colour', value: 'Red' }] }),
]
const other = [
  aLine({ sku: 'TEA-2', quantity: 3, options: [{ name: 'Size', value: 'L' }] }),
  aLine({ sku: 'POT-1', quantity: 3, options: [{ name: 'Colour', value: 'Blue' }] }),
]

/** On PostgreSQL, others see a transaction only after it has ended. */
describe('An order that is being saved by another process (sqlite)', () => {
  let writer: TestStore
  let reader: TestStore
  /** Called before each statement that writes an order. */
  let beforeWrite: (() => Promise<void>) | undefined

  beforeAll(async () => {
    writer = await openStore('sqlite')
    reader = await joinStore('sqlite', writer.url)
    const { client } = writer.payload.db as unknown as { client: Client }
    const execute = client.execute.bind(client)
    client.execute = async (statement) => {
      const text = typeof statement === 'string' ? statement : statement.sql
      if (/^\s*(?:insert into|update|delete from) "orders/.test(text)) await beforeWrite?.()
      return execute(statement)
    }
  })
  afterAll(async () => {
    await reader.close()
    await writer.close()
  })
  beforeEach(async () => {
    beforeWrite = undefined
    await clearStore(writer.payload)
  })

  const exported = async (dates: Record<string, string> = {}) => {
    const { orders } = await readExport(await reader.handle(exportRequest(dates)))
    return orders.map((order) => ({
      total: textAt(order, 'OrderTotal'),
      items: itemsOf(order).map((item) => [
        textAt(item, 'SKU'),
        textAt(item, 'Quantity'),
        ...optionsOf(item),
      ]),
    }))
  }
  /** The results of exports that ran between the statements of a save. */
  async function seenDuring(save: () => Promise<unknown>) {
    const seen: Awaited<ReturnType<typeof exported>>[] = []
    beforeWrite = async () => {
      seen.push(await exported())
    }
    await save()
    beforeWrite = undefined
    return seen
  }
  const before = {
    total: '42.50',
    items: [
      ['TEA-1', '1', 'Size: S'],
      ['CUP-1', '1', 'Colour: Red'],
    ],
  }
  const after = {
    total: '99.00',
    items: [
      ['TEA-2', '3', 'Size: L'],
      ['POT-1', '3', 'Colour: Blue'],
    ],
  }
  const skipped = () => skippedOrders(reader.payload)

  const read = async (id: number | string) =>
    (await writer.payload.findByID({ collection: 'orders', id })) as unknown as SavedOrder

  it('is exported when it is there, and not before', async () => {
    const seen = await seenDuring(() => saveOrder(writer.payload, anOrder({ items: two })))
    expect(seen.length).toBeGreaterThan(3)
    expect(seen.flat()).toEqual([])
    const reasons = (await skipped()).map(({ reasons }) => reasons)
    expect(reasons).toEqual([expect.stringContaining('being saved')])
    expect(await exported()).toEqual([before])
    expect(await skipped()).toEqual([])
  })

  it('is exported as it was or as it is, and never in part', async () => {
    const { id } = await saveOrder(writer.payload, anOrder({ items: two }))
    const data = { amount: 9900, items: other }
    const seen = await seenDuring(() => changeOrder(writer.payload, id, data))
    expect(seen.length).toBeGreaterThan(3)
    for (const order of seen.flat()) expect(order).toEqual(before)
    expect(await exported()).toEqual([after])
  })

  it('is whole too where a store writes past the hooks', async () => {
    const { id } = await saveOrder(writer.payload, anOrder({ items: two }))
    const data = {
      amount: 9900,
      items: other.map((line, index) => ({ ...line, id: `${index}`.repeat(24), options: [] })),
    }
    const seen = await seenDuring(() => overwriteOrder(writer.payload, id, data))
    for (const order of seen.flat()) expect(order).toEqual(before)
    const [order] = await exported()
    expect(order?.items).toEqual([
      ['TEA-2', '3'],
      ['POT-1', '3'],
    ])
  })

  it('has changed after every export that left it out', async () => {
    const pulls: number[] = []
    beforeWrite = async () => {
      if ((await exported()).length === 0) pulls.push(Date.now())
    }
    const { id } = await saveOrder(writer.payload, anOrder({ items: two }))
    beforeWrite = undefined
    const { updatedAt } = await read(id)
    expect(new Date(updatedAt).getTime()).toBeGreaterThanOrEqual(Math.max(...pulls))
  })

  it('keeps the moment that an import gave it', async () => {
    const updatedAt = '2020-01-01T00:00:00.000Z'
    // The adapter does not create ids for rows.
    const data = anOrder({ items: [], updatedAt })
    const created: unknown = await writer.payload.db.create({ collection: 'orders', data })
    expect((await read((created as SavedOrder).id)).updatedAt).toBe(updatedAt)
  })

  it('is left out with a reason when the save was cut off, until it is saved again', async () => {
    const { id } = await saveOrder(writer.payload, anOrder({ items: two }))
    let left = 3
    beforeWrite = () => {
      left -= 1
      return left > 0 ? Promise.resolve() : Promise.reject(new Error('The process is gone'))
    }
    const data = { amount: 9900, items: other }
    const save = () => changeOrder(writer.payload, id, data)
    await expect(save()).rejects.toThrow()
    beforeWrite = undefined

    await expect.poll(async () => (await exported()).length + (await skipped()).length).toBe(1)
    await expect
      .poll(async () => {
        await exported()
        return (await skipped())[0]?.reasons
      })
      .toContain('cut off')
    await save()
    expect(await exported()).toEqual([after])
    expect(await skipped()).toEqual([])
  })

  it('is saved by two at once, one after the other', async () => {
    const { id } = await saveOrder(writer.payload, anOrder({ items: two }))
    const save = ({ payload }: TestStore, items: typeof two) => changeOrder(payload, id, { items })
    await Promise.all([save(writer, other), save(reader, other), save(writer, two)])
    const [order] = await exported()
    expect([before.items, after.items]).toContainEqual(order?.items)
  })

  it('can be saved after a save that was cut off, though the clock was set back by an hour', async () => {
    const { id } = await saveOrder(writer.payload, anOrder({ items: two }))
    const hour = 3_600_000
    const savingSince = new Date(Date.now() + hour).toISOString()
    await overwriteOrder(writer.payload, id, { savingSince })
    const data = { amount: 9900, items: other }
    await changeOrder(reader.payload, id, data)
    expect(await exported()).toEqual([after])
  })
})
