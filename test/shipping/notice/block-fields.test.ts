import type { BlocksField, Field, CollectionConfig } from 'payload'
import { hasLocalizeStatusEnabled } from 'payload/shared'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { setAt, valueAt } from '../../../src/core/payload/document-value.js'
import { beforeStatements } from '../../support/before-statements.js'
import { anOrder, saveOrder, type SavedOrder } from '../../support/orders.js'
import { emptyDatabase, type OwnDatabase } from '../../support/own-database.js'
import { pushSchema } from '../../support/push-schema.js'
import { storeConfig, type StoreSetup } from '../../support/store-config.js'
import { anyKind, joinStore, type TestStore } from '../../support/store.js'
import { createPause } from './paused-save.js'
import {
  adminOf,
  entry as storedEntry,
  notify,
  parcel,
  readEntries,
  readOrder,
} from './stored-shipment.js'

type Document = Record<string, unknown>

const note = { name: 'note', type: 'text' } as const

/** A parcel with a link that is computed and never stored. */
const shipment: Field[] = [
  { name: 'carrier', type: 'text' },
  { name: 'service', type: 'text' },
  { name: 'trackingNumber', type: 'text' },
  {
    name: 'link',
    type: 'text',
    virtual: true,
    hooks: {
      afterRead: [
        ({ siblingData }) => `https://parcels.example/${String(siblingData.trackingNumber)}`,
      ],
    },
  },
]

const parcels = (name: string): BlocksField => ({
  name,
  type: 'blocks',
  blocks: [
    { slug: 'shipment', fields: shipment },
    { slug: 'remark', fields: [{ name: 'text', type: 'text' }] },
    {
      slug: 'crate',
      fields: [note, { name: 'seals', type: 'blocks', blocks: [{ slug: 'seal', fields: [note] }] }],
    },
  ],
})

/** A store that keeps blocks of the same types at many places of an order, in two languages. */
const blockStore = (
  versions: NonNullable<CollectionConfig['versions']>,
): Pick<StoreSetup, 'config' | 'orders'> => ({
  config: { localization: { locales: ['en', 'de'], defaultLocale: 'en' } },
  orders: {
    versions,
    fields: [
      parcels('boxes'),
      { name: 'greeting', type: 'text', localized: true },
      { name: 'depot', type: 'group', fields: [note, parcels('boxes')] },
      {
        type: 'tabs',
        tabs: [
          { name: 'dispatch', fields: [note, parcels('boxes')] },
          { label: 'Returns', fields: [parcels('returns')] },
        ],
      },
      {
        name: 'abroad',
        type: 'blocks',
        localized: true,
        blocks: [
          { slug: 'posting', fields: shipment },
          { slug: 'customs', fields: [note] },
        ],
      },
      { name: 'labels', type: 'array', localized: true, fields: shipment },
      { name: 'legs', type: 'array', fields: [note, parcels('boxes')] },
    ],
  },
})

/** Its blocks field without rows is read as undefined by Payload, and saved as an empty list. */
const crate = { blockType: 'crate', note: 'Top', seals: [] }

const remark = (text: string) => ({ blockType: 'remark', text })

/** The saves that another may have begun before a shipment. */
const saves: [string, Document][] = [
  ['another field', { internalNotes: 'Call first' }],
  ['blocks of the same types elsewhere', { parcels: [remark('Fragile')] }],
  ['a field beside the blocks', { depot: { note: 'Gate 2' }, dispatch: { note: 'Gate 3' } }],
  ['a translation', { greeting: 'Hello' }],
  ['blocks within rows', { legs: [{ note: 'Second', boxes: [remark('On the way')] }] }],
]
const fewSaves = saves.slice(0, 2)

/** Where an order has blocks, which of them is the tracking entry, and a block that is there before. */
const places = [
  { field: 'boxes', entryType: 'shipment', block: crate, saves },
  { field: 'depot.boxes', entryType: 'shipment', block: crate, saves: fewSaves },
  { field: 'dispatch.boxes', entryType: 'shipment', block: crate, saves: fewSaves },
  { field: 'returns', entryType: 'shipment', block: crate, saves: fewSaves },
  { field: 'abroad', entryType: 'posting', block: { blockType: 'customs', note: 'Gift' }, saves },
]
const entry = { ...storedEntry, link: `https://parcels.example/${storedEntry.trackingNumber}` }

/** The statements among these that are no reads. */
const writesOf = (asked: unknown): string[] =>
  [asked].flat().flatMap((statement) => {
    const { sql, text } = Object(statement) as { sql?: string; text?: string }
    const written = sql ?? text ?? String(statement)
    return written.trimStart().startsWith('select') ? [] : [written]
  })

describe.each([
  { shape: 'versions', versions: true },
  { shape: 'drafts', versions: { drafts: true } },
])('A shipment in one of several blocks fields ($shape)', ({ versions }) => {
  const shape = blockStore(versions)
  let database: OwnDatabase

  beforeAll(async () => {
    database = await emptyDatabase(anyKind)
    await pushSchema(await storeConfig({ ...shape, kind: anyKind, url: database.url }))
  })
  afterAll(() => database.remove())

  describe.each(places)('$field', ({ field: matrixField, entryType, saves: own }) => {
    const pause = createPause()
    let store: TestStore
    let api: ReturnType<typeof adminOf>
    let order: SavedOrder

    beforeAll(async () => {
      store = await joinStore(anyKind, database.url, {
        ...shape,
        orderHooks: { beforeChange: [pause.hook] },
        options: { shipping: { settings: { matrixField, entryType } } },
      })
      api = adminOf(store)
    })
    afterAll(() => store.close())
    beforeEach(async () => {
      const data = anOrder({
        _status: 'published',
        legs: [{ note: 'First', boxes: [remark('On the leg')] }],
      })
      for (const { field, block } of places) setAt(data, field, [block])
      order = await saveOrder(store.payload, data)
    })

    const read = () => readOrder(store.payload, order.id)
    const saveByApi = (data: Document, options?: { disableTransaction: boolean }) =>
      store.payload.update({
        ...options,
        collection: 'orders',
        id: order.id,
        data,
        depth: 0,
        req: { payloadAPI: 'REST' },
      })

    it.each(own)('outlasts a save of %s that had read the order before', async (_what, data) => {
      await pause.during(
        () => saveByApi(data),
        () => notify(store, { order_number: order.reference, ...parcel }),
      )
      const saved = await read()
      expect(saved).toMatchObject({ status: 'shipped', ...data })
      for (const { field, block } of places) {
        const blocks = valueAt(saved, field)
        expect(blocks).toHaveLength(field === matrixField ? 2 : 1)
        expect(blocks).toContainEqual(expect.objectContaining(block))
      }
      expect(valueAt(saved, matrixField)).toContainEqual(
        expect.objectContaining({ blockType: entryType, ...entry }),
      )
    })

    it('outlasts a form that was loaded before the first shipment, and before the second', async () => {
      for (const carrier of ['DHL', parcel.carrier]) {
        const form = await api('GET', `/${order.id}?depth=0`)
        await notify(store, { order_number: order.reference, ...parcel, carrier })
        await api('PATCH', `/${order.id}?depth=0`, { ...form, internalNotes: carrier })
        const saved = await read()
        expect(saved).toMatchObject({ status: 'shipped', internalNotes: carrier })
        expect(valueAt(saved, matrixField)).toContainEqual(
          expect.objectContaining({ blockType: entryType, ...entry, carrier }),
        )
      }
    })

    it('is in a version that keeps the blocks of other types', async () => {
      await notify(store, { order_number: order.reference, ...parcel })
      const { docs } = await store.payload.findVersions({
        collection: 'orders',
        where: { parent: { equals: order.id } },
        sort: '-updatedAt',
        limit: 1,
        depth: 0,
      })
      for (const { field, block } of places) {
        expect(valueAt(docs[0]?.version, field)).toContainEqual(expect.objectContaining(block))
      }
    })

    it('is written by no save of a field without rows', async ({ skip }) => {
      // Payload 4 makes the document that it saves in one language of what it has read again.
      const { config } = store.payload.collections.orders ?? {}
      skip(config !== undefined && hasLocalizeStatusEnabled(config))
      await notify(store, { order_number: order.reference, ...parcel })
      const written: string[] = []
      const end = beforeStatements(store.payload, (asked) => {
        written.push(...writesOf(asked))
      })
      // A transaction of PostgreSQL has a connection of its own, which is not watched.
      await saveByApi({ internalNotes: 'Call first' }, { disableTransaction: true })
      end()
      expect(written.filter((text) => text.includes('internal_notes'))).not.toEqual([])
      expect(written.filter((text) => text.includes('orders_blocks'))).toEqual([])
    })
  })

  it('is kept in an array with a list for each language too', async () => {
    const settings = { matrixField: 'labels' }
    const store = await joinStore(anyKind, database.url, {
      ...shape,
      options: { shipping: { settings } },
    })
    onTestFinished(() => store.close())
    const { id, reference } = await saveOrder(store.payload, anOrder({ _status: 'published' }))
    for (const carrier of ['DHL', parcel.carrier]) {
      await notify(store, { order_number: reference, ...parcel, carrier })
    }
    expect(await readEntries(store.payload, id, 'labels')).toEqual([entry])
  })
})
