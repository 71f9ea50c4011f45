import { describe, expect, it } from 'vitest'
import { endLease } from '../../support/end-lease.js'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { createProduct } from '../../support/products.js'
import { databaseKinds } from '../../support/store.js'
import { catalogShop, image } from './catalog-shop.js'

describe.each(databaseKinds)('Jobs of the catalog (%s)', (kind) => {
  const shop = catalogShop(kind)
  const fill = async (count: number, data: (place: number) => object = () => ({})) => {
    const ids: number[] = []
    for (let place = 0; place < count; place++)
      ids.push(await createProduct(shop.payload, { image, title: `Tea ${place}`, ...data(place) }))
    return ids
  }
  const items = () =>
    shop
      .entries('item')
      .map(({ externalId }) => Number(externalId))
      .sort((one, other) => one - other)
  const isWhole = (ids: readonly number[]) => {
    expect(items()).toEqual(ids)
    expect(shop.entries('variant')).toHaveLength(ids.length)
  }

  it.each([
    ['the connection breaks before Klaviyo has a job', { kind: 'reset' }],
    ['the connection breaks after Klaviyo has a job', { kind: 'reset', isProcessed: true }],
    ['Klaviyo is out of order', { kind: 'error', status: 503 }],
    [
      'Klaviyo is out of order and takes the job',
      { kind: 'error', status: 503, isProcessed: true },
    ],
    ['the answer breaks off', { kind: 'truncate' }],
  ] as const)('go on when %s, and nothing is twice', async (_, fault) => {
    shop.standIn.faults.add({ ...fault, calls: ['create-items', 'create-variants'], times: 2 })
    const ids = await fill(3)
    await shop.settle(60_000)
    isWhole(ids)
    expect(await shop.counts('refused')).toBe(0)
  })

  it('are followed by the process that takes over, whenever the one before died', async () => {
    const ids = await fill(2)
    for (let steps = 0; steps < 12; steps++) {
      // A process does one thing, and is gone: another one has the lease.
      await shop.oneStep()
      await shop.parts.deliverer.giveBack()
      await endLease(sqlDatabase(shop.payload))
      shop.move(2_000)
    }
    await shop.settle(60_000)
    isWhole(ids)
  })

  it('that nobody knows to have been posted are looked up at Klaviyo, not posted again', async () => {
    const [id = 0] = await fill(1)
    await shop.settle()
    await shop.update('products', id, { title: 'Oolong' })
    await shop.payload.db.updateMany({
      collection: 'marketing-catalog',
      where: {},
      data: { state: 'sending', job: 'of a process that died' },
    })
    await shop.parts.deliverer.giveBack()
    const since = shop.now()
    await shop.settle()
    expect(shop.entry('item', id)?.attributes).toMatchObject({ title: 'Oolong' })
    expect(shop.catalogCalls(since)).toContain('catalog-items')
    expect(shop.entry('item', id)?.arrivals).toBe(2)
  })

  it('wait for Klaviyo, which takes minutes', async () => {
    shop.account({ catalogSeconds: 120 })
    const ids = await fill(2)
    await shop.settle(60_000)
    expect(shop.entries('item')).toEqual([])
    await shop.settle(300_000)
    isWhole(ids)
    const looks = shop.catalogCalls().filter((name) => name === 'created-items').length
    expect(looks).toBeLessThan(30)
  })

  it('that were cancelled, or that Klaviyo forgot, are made again', async () => {
    shop.account({ catalogSeconds: 20 })
    const ids = await fill(1)
    await shop.settle(5_000)
    shop.standIn.state.catalog.jobs.clear()
    await shop.settle(120_000)
    isWhole(ids)
  })

  it('that delete an item are waited for when its variants come back meanwhile', async () => {
    const [id = 0] = await fill(1)
    await shop.settle()
    shop.standIn.faults.add({ kind: 'error', status: 503, calls: ['deleted-items'], times: 5 })
    await shop.update('products', id, { deletedAt: new Date(shop.now()).toISOString() })
    await expect
      .poll(() => shop.settle(1_000).then(() => shop.catalogCalls()))
      .toContain('delete-items')
    await shop.update('products', id, { deletedAt: null })
    await shop.settle(300_000)
    isWhole([id])
    expect(await shop.counts('refused')).toBe(0)
  })

  it('lose only the entry that Klaviyo refuses late, and the merchant reads why', async () => {
    shop.standIn.faults.add({ kind: 'late-poison', marker: 'Tea 1' })
    const [first = 0, bad = 0, last = 0] = await fill(3)
    await shop.settle(60_000)
    expect(items()).toEqual([first, last])
    expect(await shop.counts('refused')).toBe(1)
    // The next change is a new try.
    await shop.update('products', bad, { title: 'Oolong' })
    await shop.settle(60_000)
    expect(shop.entry('item', bad)).toBeDefined()
    expect(shop.entry('variant', `product-${bad}`)).toBeDefined()
    expect(await shop.counts('refused')).toBe(0)
  })

  it.each(['item', 'data'] as const)(
    'that Klaviyo refuses at once lose only the bad entry, also when it says no more than %s',
    async (says) => {
      shop.standIn.faults.add({
        kind: 'poison',
        marker: 'Tea 11',
        says,
        calls: ['create-items', 'create-variants'],
      })
      const ids = await fill(13)
      await shop.settle(60_000)
      expect(shop.entries('item')).toHaveLength(12)
      expect(shop.entry('item', ids[11])).toBeUndefined()
      expect(await shop.counts('refused')).toBe(1)
    },
  )

  it('that Klaviyo never ends are lost after six hours, though no process lives for long', async () => {
    const stuck = new Set<string>()
    shop.network = async (request, ask) => {
      const isNew =
        request.method === 'POST' && request.url.endsWith('/catalog-item-bulk-create-jobs')
      const answer = await ask(request)
      const { data } = (await answer.clone().json()) as { data: { id: string; attributes: object } }
      if (isNew && stuck.size === 0) {
        stuck.add(data.id)
      }
      if (!stuck.has(data.id)) return answer
      const attributes = { ...data.attributes, status: 'processing' }
      return Response.json({ data: { ...data, attributes } }, answer)
    }
    const ids = await fill(2)
    for (let hour = 0; hour < 6; hour++) {
      await shop.settle(30_000)
      expect(await shop.counts('job')).toBe(2)
      await shop.parts.deliverer.giveBack()
      shop.move(3_600_000)
    }
    await shop.settle(60_000)
    expect(await shop.counts('done')).toBe(4)
    isWhole(ids)
  })

  it('are not needed for an id that Klaviyo does not even answer for, and the others go on', async () => {
    const ids = await fill(12)
    shop.network = async (request, ask) => {
      const isAbout = new URL(request.url).searchParams.get('filter')?.includes(`:${ids[3]}"`)
      if (request.method !== 'GET' || isAbout !== true) return ask(request)
      const errors = [{ code: 'invalid', title: 'No.', detail: 'This id is not valid.' }]
      return Response.json({ errors }, { status: 400 })
    }
    await shop.settle(60_000)
    expect(shop.entries('item')).toHaveLength(11)
    expect(await shop.counts('refused')).toBe(1)
    expect(await shop.parts.catalogRefused()).toMatchObject({
      title: 'Tea 3',
      error: { detail: 'This id is not valid.' },
    })
  })

  it('for categories that Klaviyo has and refuses at once do not hold up their products', async () => {
    shop.network = (request, ask) => {
      if (!request.url.endsWith('/catalog-category-bulk-create-jobs')) return ask(request)
      const pointer = '/data/attributes/categories/data/0/attributes/external_id'
      const detail = 'A category with this external_id already exists.'
      const errors = [{ code: 'duplicate_object', title: 'No.', detail, source: { pointer } }]
      return Promise.resolve(Response.json({ errors }, { status: 409 }))
    }
    shop.standIn.state.catalog.put('category', '017979e8299034d8c481af1f', { name: 'Tea' })
    await createProduct(shop.payload, { image, categories: ['Tea'] })
    await shop.settle()
    expect(shop.entries('item')).toHaveLength(1)
  })

  it('keep a long text of a product from nothing but that product', async () => {
    const ids = await fill(2, (place) => ({ title: place === 0 ? 'x'.repeat(3_000) : 'Tea' }))
    await shop.settle()
    isWhole(ids)
  })
})
