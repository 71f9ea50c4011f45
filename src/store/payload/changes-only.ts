import type { BasePayload, Config, FieldHook } from 'payload'
import { changesOf, type Changes } from './changed-fields.js'
import { databaseRefusal } from './database-refusal.js'
import { sqlDatabase } from './database.js'
import { isCutOff, savingSinceField, writeMarked } from './save-mark.js'

type Document = Record<string, unknown>
type Adapter = ReturnType<Config['db']['init']>
type Creation = Parameters<Adapter['create']>[0]
type Update = Parameters<Adapter['updateOne']>[0]
type Write = (data: Document) => Promise<Document | null>
type UpdateOne = (this: Adapter, update: Update) => Promise<Document | null>

/** What a save has read goes with what it writes, down to the adapter. */
const readDocument = Symbol('the document as the save has read it')

/**
 * Has a save write nothing but what it changes. A version that is restored is written whole, and so is a
 * draft that is published: what the save has read is not what stands in the database.
 */
export const rememberRead: FieldHook = ({
  context,
  operation,
  siblingData,
  siblingDocWithLocales: read,
  value,
}): unknown => {
  const isOther = context.isRestoringVersion === true || read?._status === 'draft'
  if (operation === 'update' && !isOther) Object.assign(siblingData, { [readDocument]: read })
  return value
}

/**
 * Payload writes every field of a document as it has read it, and so undoes what somebody else has
 * written since. From here on a save of a document with the hook above writes what differs from what it
 * has read, and an order that takes several statements is marked while it is written.
 */
export function withChangesOnly(db: Config['db'], ordersSlug: string): Config['db'] {
  return {
    ...db,
    init(args) {
      const adapter = db.init(args)
      if (databaseRefusal({ db: adapter }) !== undefined) return adapter
      const updateOne: UpdateOne = adapter.updateOne
      const create: (this: Adapter, creation: Creation) => Promise<Document | null> = adapter.create
      const fieldsOf = (slug: string) =>
        args.payload.collections[slug]?.config.flattenedFields ?? []

      adapter.create = async (creation): Promise<Document | null> => {
        const { collection, data, req, returning } = creation
        if (collection !== ordersSlug) return create.call(adapter, creation)
        const write: Write = (marked) =>
          create.call(adapter, { ...creation, data: marked, returning: true })
        const database = sqlDatabase(args.payload)
        const created = await writeMarked(database, ordersSlug, { id: undefined, data, req, write })
        return returning === false ? null : created
      }

      adapter.updateOne = async (update): Promise<Document | null> => {
        const { id, collection, data, req } = update
        const read = (data as { [readDocument]?: Document })[readDocument]
        const isOrder = collection === ordersSlug
        if (id === undefined || (read === undefined && !isOrder)) {
          return updateOne.call(adapter, update)
        }
        // After a save that was cut off, nothing is known to stand there.
        const base = read === undefined || isCutOff(read[savingSinceField]) ? {} : read
        const changes = changesOf(fieldsOf(collection), data, base)
        const write: Write =
          read === undefined
            ? (whole) => updateOne.call(adapter, { ...update, data: whole })
            : () => writeChanges({ adapter, updateOne, update }, changes)
        if (!isOrder || changes.below.fields.length === 0) return write(data)
        return writeMarked(sqlDatabase(args.payload), ordersSlug, { id, data, req, write })
      }
      return adapter
    },
  }
}

/** What lies in other tables, and then the row; the document is read behind both. */
async function writeChanges(
  { adapter, updateOne, update }: { adapter: Adapter; updateOne: UpdateOne; update: Update },
  { row, below }: Changes,
): Promise<Document | null> {
  if (below.fields.length > 0) {
    const seen = withFields(adapter, update.collection, below.fields)
    await updateOne.call(seen, { ...update, data: below.data, returning: false })
  }
  // The mark is written for itself.
  const data = Object.fromEntries(Object.entries(row).filter(([name]) => name !== savingSinceField))
  return updateOne.call(adapter, { ...update, data })
}

/** The adapter, to which the collection has these fields alone: it empties what it gets no data of. */
function withFields(
  adapter: Adapter,
  slug: string,
  flattenedFields: Changes['below']['fields'],
): Adapter {
  const { payload } = adapter
  const collection = payload.collections[slug]
  if (collection === undefined) return adapter
  const config = { ...collection.config, flattenedFields }
  const collections = { ...payload.collections, [slug]: { ...collection, config } }
  const seen = Object.create(payload, { collections: { value: collections } }) as BasePayload
  return Object.create(adapter, { payload: { value: seen } }) as Adapter
}
