import { sql } from 'drizzle-orm'
import type { BasePayload } from 'payload'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqlDatabase } from '../../src/database/database.js'
import { partsOf } from '../../src/installation.js'
import { draftConfig } from '../feeds/draft-config.js'
import { catchUpFeeds } from '../support/catch-up-feeds.js'
import { anAddress, anOrder } from '../support/orders.js'
import { databaseKinds, openShapedStore, type TestStore } from '../support/store.js'
import { formsOf, wholeDatabase } from '../support/whole-database.js'

type Data = Record<string, unknown>

describe.each(databaseKinds)('In a store with drafts and versions (%s), an erasure', (kind) => {
  let store: TestStore
  let payload: BasePayload

  beforeAll(async () => {
    store = await openShapedStore(kind, draftConfig)
    payload = store.payload
  })
  afterAll(() => store.close())

  const create = async (collection: string, data: Data) =>
    (await payload.create({ collection, data, depth: 0 })) as unknown as { id: number }
  /** A customer with an order that has an older version and a newer draft. */
  async function aCustomer(name: string) {
    const email = `${name}@quux.example`
    const street = `12 ${name} Square`
    const address = anAddress({ addressLine1: street, lastName: name, phone: name })
    const { id: customer } = await create('shoppers', { email, password: 'correct horse battery' })
    const { id } = await create('addresses', { ...address, customer })
    const collection = 'addresses'
    await payload.update({ collection, id, data: { company: street } })
    const own = { customer, customerEmail: email, customerNotes: street, shippingAddress: address }
    const order = await create('orders', {
      ...anOrder({ ...own, items: [] }),
      _status: 'published',
    })
    for (const draft of [false, true]) {
      const data = { internalNotes: `${street} ${draft}`, _status: draft ? 'draft' : 'published' }
      await payload.update({ collection: 'orders', id: order.id, data, draft })
    }
    return { ...order, email }
  }
  const versionsOf = async (id: number) => {
    const where = { parent: { equals: id } }
    return (await payload.findVersions({ collection: 'orders', where, sort: '-id' })).docs
  }
  const reported = async (email: string) => {
    await catchUpFeeds(payload)
    const where = { profile: { equals: `email:${email}` }, kind: { not_equals: 'erase' } }
    return (await payload.count({ collection: 'marketing-sends', where })).totalDocs
  }

  it('leaves nothing of the person in any version, and every version there', async () => {
    const { id, email } = await aCustomer('adalgisa')
    const before = (await versionsOf(id)).length
    expect(before).toBeGreaterThan(2)
    await partsOf(payload).erasures.erase(email, { orders: 'anonymise', door: 'command' })
    const found = [...(await wholeDatabase({ payload }))].filter(([, rows]) =>
      formsOf('adalgisa').some((text) => rows.includes(text)),
    )
    // The shop has no key, and what is open is noted as done in a minute.
    expect(found.map(([table]) => table)).toEqual(['marketing_erasures'])
    expect(await versionsOf(id)).toHaveLength(before)
    // The list of the admin shows the newest version of each order.
    const listed = await payload.find({
      collection: 'orders',
      where: { id: { equals: id } },
      draft: true,
    })
    expect(listed.docs).toMatchObject([{ id, amount: 4250, shippingAddress: { country: 'GB' } }])
  })

  it('is not forgotten when a draft is published, or an older version restored', async () => {
    const { id, email } = await aCustomer('grimhild')
    await partsOf(payload).erasures.erase(email, { orders: 'keep', door: 'command' })
    await payload.update({ collection: 'orders', id, data: { _status: 'published' } })
    const [oldest] = (await versionsOf(id)).slice(-1)
    await payload.restoreVersion({ collection: 'orders', id: oldest?.id ?? '' })
    await payload.update({
      collection: 'orders',
      id,
      data: { status: 'completed', customerEmail: email, _status: 'published' },
    })
    expect(await reported(email)).toBe(0)
    const mark = sql`select person_erased as "mark" from orders where id = ${id}`
    const stored = await sqlDatabase(payload).rows(mark)
    expect(stored).toEqual([{ mark: 'kept' }])
  })
})
