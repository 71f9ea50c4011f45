import { describe, expect, it } from 'vitest'
import { orderEvents } from '../../support/order-events.js'
import { anOrder } from '../../support/orders.js'
import { shared } from '../../support/shared-store.js'
import { databaseKinds, openShapedStore } from '../../support/store.js'
import { typedConfig } from '../../merchant/erasure/typed-config.js'

interface Saved {
  id: number
  number: string
}

describe.each(databaseKinds)('An order that was a draft (%s)', (kind) => {
  const store = shared(() => openShapedStore(kind, typedConfig))

  const create = async (stage: 'draft' | 'published') =>
    (await store.payload.create({
      collection: 'orders',
      data: { ...anOrder({ items: [] }), _status: stage },
      draft: stage === 'draft',
      depth: 0,
    })) as unknown as Saved
  const save = ({ id }: Saved, stage: 'draft' | 'published', data: Record<string, unknown> = {}) =>
    store.payload.update({
      collection: 'orders',
      id,
      data: { ...data, _status: stage },
      draft: stage === 'draft',
      depth: 0,
    })
  const sentFor = (order: Saved) => orderEvents(store.payload, order)

  it('is Placed Order when it is published, and not before or again', async () => {
    const order = await create('draft')
    await save(order, 'draft', { internalNotes: 'Ask for the address' })
    expect(await sentFor(order)).toEqual([])
    await save(order, 'published')
    expect(await sentFor(order)).toEqual(['Placed Order'])
    await save(order, 'published', { internalNotes: 'Asked' })
    expect(await sentFor(order)).toEqual(['Placed Order'])
  })

  it('has a change of status sent once, when that is published', async () => {
    const order = await create('published')
    await save(order, 'draft', { status: 'completed' })
    expect(await sentFor(order)).toEqual(['Placed Order'])
    await save(order, 'published')
    await save(order, 'published', { internalNotes: 'Done' })
    expect(await sentFor(order)).toEqual(['Placed Order', 'Completed Order'])
    const other = await create('published')
    await save(other, 'published', { status: 'completed' })
    expect(await sentFor(other)).toEqual(['Placed Order', 'Completed Order'])
  })
})
