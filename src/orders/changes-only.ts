import type { BasePayload, Config, FieldHook, FlattenedField } from 'payload'
import { databaseRefusal, sqlDatabase } from '../database/database.js'
import { isCutOff, savingSinceField, writeMarked } from './save-mark.js'
import { canonical } from './loaded-state.js'

type Document = Record<string, unknown>
type Adapter = ReturnType<Config['db']['init']>
type Creation = Parameters<Adapter['create']>[0]
type Update = Parameters<Adapter['updateOne']>[0]
type Write = (data: Document) => Promise<Document | null>
type UpdateOne = (this: Adapter, update: Update) => Promise<Document | null>

/** The key under which the document that a save has read travels with its data to the adapter. */
const readDocument = Symbol('the document as the save has read it')

/**
 * Hands the document that a save has read to the adapter, so that only changed fields are written. A
 * restored version and a published draft are written whole, because the document that the save has read
 * is not the one in the database.
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
 * Changes the database adapter. Payload writes every field of a document as it has read it, and so undoes
 * what another save has written since. With the hook above, a save writes only the fields that differ from
 * the document it has read. An order that takes several statements is marked while it is written.
 */
export function withChangesOnly(db: Config['db'], ordersSlug: string): Config['db'] {
  return {
    ...db,
    init(args) {
      const adapter = db.init(args)
      if (databaseRefusal({ db: adapter }) !== undefined) return adapter
      const updateOne: UpdateOne = adapter.updateOne
      const create: (this: Adapter, creation: Creation) => Promise<Document | null> = adapter.create

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
        // After a save that was cut off, the stored values are unknown, so every field is written.
        const base = read === undefined || isCutOff(read[savingSinceField]) ? {} : read
        const fields = args.payload.collections[collection]?.config.flattenedFields ?? []
        const changes = changesOf(fields, data, base)
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

/** Writes the other tables first: the write of the row returns the document, which must have both. */
async function writeChanges(
  { adapter, updateOne, update }: { adapter: Adapter; updateOne: UpdateOne; update: Update },
  { row, below }: Changes,
): Promise<Document | null> {
  if (below.fields.length > 0) {
    const seen = withFields(adapter, update.collection, below.fields)
    await updateOne.call(seen, { ...update, data: below.data, returning: false })
  }
  // `writeMarked` sets the mark itself.
  const data = Object.fromEntries(Object.entries(row).filter(([name]) => name !== savingSinceField))
  return updateOne.call(adapter, { ...update, data })
}

/** The adapter with only these fields in the collection: it would empty others that come without data. */
function withFields(adapter: Adapter, slug: string, flattenedFields: FlattenedField[]): Adapter {
  const { payload } = adapter
  const collection = payload.collections[slug]
  if (collection === undefined) return adapter
  const config = { ...collection.config, flattenedFields }
  const collections = { ...payload.collections, [slug]: { ...collection, config } }
  const seen = Object.create(payload, { collections: { value: collections } }) as BasePayload
  return Object.create(adapter, { payload: { value: seen } }) as Adapter
}

/** The fields that a save changes, by the table that stores them. */
interface Changes {
  row: Document
  /** Fields in other tables: arrays, blocks, and fields with several values or languages. */
  below: { data: Document; fields: FlattenedField[] }
}

/** The fields that differ from the document that the save has read. */
function changesOf(fields: readonly FlattenedField[], data: Document, read: Document): Changes {
  const isChanged = (field: FlattenedField) => differs(field, data, read)
  const together = [hasBlocks, isTranslated].filter((shares) =>
    fields.some((field) => shares(field) && isChanged(field)),
  )
  return collect(fields, { data, read }, together)
}

type Shares = (field: FlattenedField) => boolean

/**
 * Before the adapter writes to one of these tables, it deletes the document's rows there. All blocks of a
 * type share a table, and so do all translations, so fields that share a table are written together.
 */
function collect(
  fields: readonly FlattenedField[],
  { data, read }: { data: Document; read: Document },
  together: readonly Shares[],
): Changes {
  const row: Document = {}
  const below: Changes['below'] = { data: {}, fields: [] }
  for (const field of fields) {
    const { name } = field
    const value = data[name]
    const isWritten = differs(field, data, read) || together.some((shares) => shares(field))
    if (value === undefined || !isWritten || field.type === 'join') continue
    if (isGroup(field) && isData(value)) {
      const before = isData(read[name]) ? read[name] : {}
      const inner = collect(field.flattenedFields, { data: value, read: before }, together)
      if (Object.keys(inner.row).length > 0) row[name] = inner.row
      if (inner.below.fields.length > 0) {
        below.data[name] = inner.below.data
        below.fields.push({ ...field, flattenedFields: inner.below.fields })
      }
    } else if (isInRow(field)) {
      row[name] = value
    } else {
      below.data[name] = value
      below.fields.push(field)
    }
  }
  return { row, below }
}

const differs = ({ name }: FlattenedField, data: Document, read: Document): boolean =>
  canonical(data[name]) !== canonical(read[name])

type Group = Extract<FlattenedField, { type: 'group' | 'tab' }>

const isGroup = (field: FlattenedField): field is Group =>
  (field.type === 'group' || field.type === 'tab') && field.localized !== true

const isInRow = (field: FlattenedField): boolean =>
  field.type !== 'array' &&
  field.type !== 'blocks' &&
  !('hasMany' in field && field.hasMany === true) &&
  !('relationTo' in field && Array.isArray(field.relationTo)) &&
  !isTranslated(field)

const hasBlocks: Shares = (field) =>
  field.type === 'blocks' ||
  ('flattenedFields' in field && field.flattenedFields.some((inner) => hasBlocks(inner)))

const isTranslated: Shares = (field) =>
  ('localized' in field && field.localized === true) ||
  (isGroup(field) && field.flattenedFields.some((inner) => isTranslated(inner)))

const isData = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
