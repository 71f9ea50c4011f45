import type { CollectionBeforeChangeHook, CollectionConfig, Config } from 'payload'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beforeStatements } from '../../support/before-statements.js'
import { orderEvents } from '../../support/order-events.js'
import { anOrder, saveOrder, type SavedOrder } from '../../support/orders.js'
import { exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import { databaseKinds, type TestStore } from '../../support/store.js'
import { entry, notify, parcel, readOrder, readShipment } from './stored-shipment.js'
import { openVersionedStore } from '../../support/versioned-store.js'

type Document = Record<string, unknown>
type Versions = Exclude<CollectionConfig['versions'], boolean | undefined>

const shapes: { shape: string; versions: Versions; idType?: 'uuid'; config?: Partial<Config> }[] = [
  { shape: 'drafts', versions: { drafts: true } },
  { shape: 'drafts, with uuids', versions: { drafts: true }, idType: 'uuid' },
  { shape: 'autosave', versions: { drafts: { autosave: true } } },
  { shape: 'two versions at most', versions: { drafts: true, maxPerDoc: 2 } },
  { shape: 'one version at most', versions: { drafts: true, maxPerDoc: 1 } },
  {
    shape: 'a status for each language',
    versions: { drafts: { localizeStatus: true } },
    config: { experimental: { localizeStatus: true } },
  },
]

const shipped = {
  status: 'shipped',
  tracking: [entry],
  statusChanges: [{ status: 'processing' }, { status: 'shipped', by: 'shipment' }],
}

const gifts = [
  {
    to: 'Ada',
    colours: ['red', 'blue'],
    tags: ['one', 'two'],
    cards: [{ words: 'first' }, { words: 'second' }],
  },
  { to: 'Grace', colours: ['blue'], tags: [], cards: [{ words: 'third' }] },
]

const published = (data: Document = {}) => anOrder({ gifts, _status: 'published', ...data })

describe.each(databaseKinds.flatMap((kind) => shapes.map((each) => ({ kind, ...each }))))(
  'A shipment of an order with $shape ($kind)',
  ({ kind, shape, versions, idType, config = {} }) => {
    let store: TestStore
    /** What happens while the next save is under way. */
    let meanwhile: (() => Promise<unknown>) | undefined
    beforeAll(async () => {
      const wait: CollectionBeforeChangeHook = async ({ data }) => {
        const happen = meanwhile
        meanwhile = undefined
        await happen?.()
        return data as unknown
      }
      const orderHooks = { beforeChange: [wait] }
      const setup = { orderHooks, config, ...(idType && { idType }) }
      store = await openVersionedStore(kind, versions, setup)
    })
    afterAll(() => store.close())

    const hasAutosave = shape === 'autosave'
    const save = ({ id }: SavedOrder, stage: 'draft' | 'published', data: Document = {}) =>
      store.payload.update({
        collection: 'orders',
        id,
        data: { ...data, _status: stage },
        draft: stage === 'draft',
        ...(hasAutosave && { autosave: stage === 'draft' }),
        depth: 0,
      })
    const versionsOf = async ({ id }: SavedOrder) => {
      const where = { parent: { equals: id } }
      const found = await store.payload.findVersions({
        collection: 'orders',
        where,
        sort: '-updatedAt',
        depth: 0,
      })
      return found.docs as unknown as { latest: boolean; updatedAt: string; version: Document }[]
    }
    /** What the admin's form and its list of orders show. */
    const newest = async ({ id }: SavedOrder) =>
      (
        await store.payload.find({
          collection: 'orders',
          where: { id: { equals: id } },
          draft: true,
          depth: 0,
        })
      ).docs as unknown as Document[]
    const ship = ({ reference }: SavedOrder, trackingNumber = parcel.tracking_number) =>
      notify(store, { order_number: reference, ...parcel, tracking_number: trackingNumber })
    const eventsOf = (order: SavedOrder) => orderEvents(store.payload, order)

    it('is in the order and in its newest version, and is a version of its own', async () => {
      const order = await saveOrder(store.payload, published())
      await store.payload.update({
        collection: 'orders',
        id: order.id,
        locale: 'de',
        data: { motto: 'Eile mit Weile', _status: 'published' },
      })
      const before = await versionsOf(order)
      await ship(order)
      expect(await readOrder(store.payload, order.id)).toMatchObject({ ...shipped, gifts })
      const after = await versionsOf(order)
      const { maxPerDoc = 100 } = versions
      expect(after).toHaveLength(Math.min(before.length + 1, maxPerDoc))
      expect(after.map(({ latest }) => latest)).toEqual([true, ...after.slice(1).map(() => false)])
      expect(after[0]?.version).toMatchObject({ ...shipped, gifts, _status: 'published' })
      if (after[1]) expect(after[1].version).toMatchObject({ status: 'processing', gifts })
      // The form shows the newest version: it is what is stored, in all languages.
      for (const locale of ['en', 'de'] as const) {
        const [whole, draft] = await Promise.all(
          [false, true].map((isDraft) =>
            store.payload.findByID({
              collection: 'orders',
              id: order.id,
              draft: isDraft,
              locale,
              depth: 0,
            }),
          ),
        )
        expect(draft).toEqual(whole)
      }
    })

    it('is in a draft that waits too, which shows it and does not take it back', async () => {
      const order = await saveOrder(store.payload, published())
      await save(order, 'draft', { internalNotes: 'Ask for the address' })
      await ship(order)
      expect(await readOrder(store.payload, order.id)).toMatchObject({
        ...shipped,
        _status: 'published',
        internalNotes: null,
      })
      const waiting = { ...shipped, gifts, _status: 'draft', internalNotes: 'Ask for the address' }
      expect(await newest(order)).toMatchObject([waiting])
      expect(await eventsOf(order)).toEqual(['Placed Order', 'Shipped Order'])

      await save(order, 'published')
      const whole = { ...waiting, _status: 'published' }
      expect(await readOrder(store.payload, order.id)).toMatchObject(whole)
      expect(await newest(order)).toMatchObject([whole])
      expect(await eventsOf(order)).toEqual(['Placed Order', 'Shipped Order'])
    })

    it('is of an order that was published: a draft is not exported, and not found', async () => {
      const order = await saveOrder(store.payload, published({ _status: 'draft' }))
      const notice = () => noticeRequest({ order_number: order.reference, ...parcel })
      const exported = async () => (await store.handle(exportRequest())).text()
      expect(await exported()).not.toContain(order.reference)
      expect((await store.handle(notice())).status).toBe(404)
      expect(await eventsOf(order)).toEqual([])
      await save(order, 'published')
      expect(await exported()).toContain(order.reference)
      expect((await store.handle(notice())).status).toBe(200)
      expect(await eventsOf(order)).toEqual(['Placed Order', 'Shipped Order'])
    })

    it('stays when a draft that was saved at the same moment is published', async () => {
      const order = await saveOrder(store.payload, published())
      // As the save of a draft leaves it that has read the order before the notice.
      const [read] = await newest(order)
      await ship(order, '1Z-OLD')
      await ship(order)
      const [last] = await versionsOf(order)
      const later = new Date(Date.parse(last?.updatedAt ?? '') + 1).toISOString()
      await store.payload.db.createVersion({
        collectionSlug: 'orders',
        parent: order.id,
        versionData: { ...read, _status: 'draft', internalNotes: 'Late' } as never,
        autosave: false,
        createdAt: later,
        updatedAt: later,
      })
      await save(order, 'published')
      expect(await readOrder(store.payload, order.id)).toMatchObject({
        ...shipped,
        internalNotes: 'Late',
        _status: 'published',
      })
      expect(await newest(order)).toMatchObject([shipped])
      expect(await eventsOf(order)).not.toContain('Processing Order')
    })

    it.each(['draft', 'published'] as const)(
      'is in a save that began before it and ends after it (%s)',
      async (stage) => {
        const order = await saveOrder(store.payload, published())
        meanwhile = () => ship(order)
        await save(order, stage, { internalNotes: 'Late' })
        expect(await newest(order)).toMatchObject([
          { status: 'shipped', tracking: [entry], _status: stage, internalNotes: 'Late' },
        ])
        expect(await readOrder(store.payload, order.id)).toMatchObject(shipped)
        await save(order, 'published')
        expect(await readOrder(store.payload, order.id)).toMatchObject({
          ...shipped,
          internalNotes: 'Late',
        })
        expect(await eventsOf(order)).toEqual(['Placed Order', 'Shipped Order'])
      },
    )

    it('stays when a version from before it is restored, as a draft or at once', async () => {
      if ((versions.maxPerDoc ?? 100) < 3) return
      for (const draft of [true, false]) {
        const order = await saveOrder(store.payload, published({ internalNotes: 'At first' }))
        const [first] = await versionsOf(order)
        await ship(order)
        await save(order, 'published', { internalNotes: 'Later' })
        await store.payload.restoreVersion({
          collection: 'orders',
          id: (first as unknown as { id: string }).id,
          draft,
        })
        const restored = { ...shipped, internalNotes: 'At first' }
        expect(await newest(order)).toMatchObject([restored])
        await save(order, 'published')
        expect(await readOrder(store.payload, order.id)).toMatchObject(restored)
        expect(await eventsOf(order)).toEqual(['Placed Order', 'Shipped Order'])
      }
    })

    it('gives way to a status that somebody gives the order afterwards, also in a draft', async () => {
      const order = await saveOrder(store.payload, published())
      await ship(order)
      await save(order, 'draft', { status: 'completed' })
      await save(order, 'published')
      expect(await readOrder(store.payload, order.id)).toMatchObject({
        status: 'completed',
        tracking: [entry],
      })
      expect(await eventsOf(order)).toEqual(['Placed Order', 'Shipped Order', 'Completed Order'])
    })

    it('is nowhere when the process dies before it is written', async () => {
      const order = await saveOrder(store.payload, published())
      await save(order, 'draft', { internalNotes: 'Waits' })
      const [stored, kept] = [await readShipment(store.payload, order.id), await versionsOf(order)]
      // Each statement that writes may be the last.
      for (let statements = 0, isOver = false; !isOver; statements += 1) {
        let left = statements
        const end = beforeStatements(store.payload, (statement) => {
          if (!/^(insert|update|delete|commit)/i.test(textOf(statement))) return
          if (left === 0) throw new Error('The process has died')
          left -= 1
        })
        const { status } = await store.handle(
          noticeRequest({ order_number: order.reference, ...parcel }),
        )
        end()
        isOver = status === 200
        if (isOver || statements > 60) break
        const now = await readShipment(store.payload, order.id)
        if (now.status === 'shipped') {
          // Only what comes after the shipment was lost.
          expect(await newest(order)).toMatchObject([shipped])
          break
        }
        expect(now).toEqual(stored)
        expect(await versionsOf(order)).toEqual(kept)
      }
      await ship(order)
      expect(await readOrder(store.payload, order.id)).toMatchObject(shipped)
      expect(await newest(order)).toMatchObject([{ ...shipped, internalNotes: 'Waits' }])
    })
  },
)

const textOf = (statement: unknown): string =>
  [statement]
    .flat()
    .map((each: unknown) =>
      typeof each === 'string'
        ? each
        : String((each as { sql?: string; text?: string }).sql ?? (each as { text?: string }).text),
    )[0] ?? ''

describe.each(databaseKinds)('A shipment of an order with versions but no drafts (%s)', (kind) => {
  let store: TestStore
  beforeAll(async () => {
    store = await openVersionedStore(kind, true)
  })
  afterAll(() => store.close())

  it('is a version of its own', async () => {
    const order = await saveOrder(store.payload, anOrder({ gifts }))
    await notify(store, { order_number: order.reference, ...parcel })
    const { docs } = await store.payload.findVersions({
      collection: 'orders',
      where: { parent: { equals: order.id } },
      sort: '-updatedAt',
      depth: 0,
    })
    expect(docs).toMatchObject([
      { version: { ...shipped, gifts } },
      { version: { status: 'processing', gifts } },
    ])
  })
})
