import { sql, type Column, type SQL } from 'drizzle-orm'
import type { BasePayload, Config, FieldHook, FlattenedField } from 'payload'
import { sqlDatabase, type PayloadTable } from '../../core/database/database.js'
import { refusalIn } from '../../core/database/refusal.js'
import type { Effects } from '../../core/effects.js'
import { statusesOf } from '../../core/payload/statuses-of.js'
import { isCutOff, savingSinceField, writeMarked } from './save-mark.js'
import {
  type Document,
  differs,
  hasRows,
  isData,
  isGroup,
  isLocalized,
  type Group,
} from './stored-difference.js'

type Adapter = ReturnType<Config['db']['init']>
type Creation = Parameters<Adapter['create']>[0]
type Update = Parameters<Adapter['updateOne']>[0]
type Write = (data: Document) => Promise<Document | null>
type UpdateOne = (this: Adapter, update: Update) => Promise<Document | null>

/** The key under which the document that a save has read travels with its data to the adapter. */
const readDocument = Symbol('the document as the save has read it')

/**
 * Hands the document that a save has read to the adapter. A restored version and a published draft are written whole,
 * because what the save has read is not what the database has.
 */
export const rememberRead: FieldHook = ({
  context,
  operation,
  siblingData,
  siblingDocWithLocales: read,
  value,
}): unknown => {
  const isOther = context.isRestoringVersion === true || statusesOf(read ?? {}).includes('draft')
  if (operation === 'update' && !isOther) Object.assign(siblingData, { [readDocument]: read })
  return value
}

/**
 * Changes the database adapter, so that a save writes only the fields that differ from the document it has read.
 * Payload writes every field, and so undoes what another save has written since.
 */
export function withChangesOnly(
  db: Config['db'],
  ordersSlug: string,
  effects: Effects,
): Config['db'] {
  return {
    ...db,
    init(args) {
      const adapter = db.init(args)
      if (refusalIn({ db: adapter }) !== undefined) return adapter
      const updateOne: UpdateOne = adapter.updateOne
      const create: (this: Adapter, creation: Creation) => Promise<Document | null> = adapter.create
      const markedOrders = () => {
        const database = sqlDatabase(args.payload)
        return { database, orders: database.table(ordersSlug), effects }
      }

      adapter.create = async (creation): Promise<Document | null> => {
        const { collection, data, req, returning } = creation
        if (collection !== ordersSlug) return create.call(adapter, creation)
        const write: Write = (marked) =>
          create.call(adapter, { ...creation, data: marked, returning: true })
        const created = await writeMarked(markedOrders(), { id: undefined, data, req, write })
        return returning === false ? null : created
      }

      adapter.updateOne = async (update): Promise<Document | null> => {
        const { id, collection, data, req } = update
        const read = (data as { [readDocument]?: Document })[readDocument]
        const isOrder = collection === ordersSlug
        if (id === undefined || (read === undefined && !isOrder)) {
          return updateOne.call(adapter, update)
        }
        const fields = args.payload.collections[collection]?.config.flattenedFields ?? []
        // After a save that was cut off, the stored values are unknown.
        const isKnown = read !== undefined && !isCutOff(read[savingSinceField], effects.now())
        const changes = changesOf(args.payload, fields, { data, read: isKnown ? read : undefined })
        const write: Write =
          read === undefined
            ? (whole) => updateOne.call(adapter, { ...update, data: whole })
            : () => writeChanges({ adapter, updateOne, update }, changes)
        if (!isOrder || changes.otherTables.fields.length === 0) return write(data)
        return writeMarked(markedOrders(), { id, data, req, write })
      }
      return adapter
    },
  }
}

/** Writes the other tables first: the write of the row returns the document, which must have both. */
async function writeChanges(
  { adapter, updateOne, update }: { adapter: Adapter; updateOne: UpdateOne; update: Update },
  { row, otherTables }: Changes,
): Promise<Document | null> {
  if (otherTables.fields.length > 0) {
    const narrowed = withFields(adapter, update.collection, otherTables)
    await updateOne.call(narrowed, { ...update, data: otherTables.data, returning: false })
  }
  // `writeMarked` sets the mark itself.
  const data = Object.fromEntries(Object.entries(row).filter(([name]) => name !== savingSinceField))
  return updateOne.call(adapter, { ...update, data })
}

/** What the adapters of both databases have, without a type: they delete the rows before they insert new ones. */
interface DrizzleAdapter {
  deleteWhere: (deletion: { db: unknown; tableName: string; where: SQL }) => Promise<void>
  tables: Record<string, PayloadTable>
}

/**
 * The adapter with only these fields in the collection: it would empty others, and delete the blocks of other fields
 * that share a table with theirs.
 */
function withFields(
  adapter: Adapter,
  slug: string,
  { fields, paths }: Changes['otherTables'],
): Adapter {
  const { payload } = adapter
  const collection = payload.collections[slug]
  if (collection === undefined) return adapter
  const config = { ...collection.config, flattenedFields: fields }
  const collections = { ...payload.collections, [slug]: { ...collection, config } }
  const narrowed = Object.create(payload, { collections: { value: collections } }) as BasePayload
  const drizzle = adapter as unknown as DrizzleAdapter
  const deleteOwn: DrizzleAdapter['deleteWhere'] = ({ where, ...deletion }) => {
    const path = drizzle.tables[deletion.tableName]?._path
    const own = path ? sql`${where} and (${isBelow(path, paths)})` : where
    return drizzle.deleteWhere({ ...deletion, where: own })
  }
  return Object.create(adapter, {
    payload: { value: narrowed },
    deleteWhere: { value: deleteOwn },
  }) as Adapter
}

const isBelow = (path: Column, fields: readonly string[]): SQL =>
  sql.join(
    fields.map(
      (name) => sql`${path} = ${name} or substr(${path}, 1, ${name.length + 1}) = ${`${name}.`}`,
    ),
    sql` or `,
  )

interface Changes {
  row: Document
  /** Fields in other tables: arrays, blocks, and fields with several values or languages. */
  otherTables: { data: Document; fields: FlattenedField[]; paths: string[] }
}

/** What a save has, and what it has read, of a document or of a group in it. */
interface Saved {
  data: Document
  read: Document
}

type Differs = (field: FlattenedField, saved: Saved) => boolean

/** The fields that differ from the document that the save has read; every field when that is unknown. */
function changesOf(
  payload: BasePayload,
  fields: readonly FlattenedField[],
  { data, read }: { data: Document; read: Document | undefined },
): Changes {
  const saved = { data, read: read ?? {} }
  const isChanged: Differs = (field, within) =>
    read === undefined ||
    differs(payload, field, [within.data[field.name], within.read[field.name]])
  const isWritten: Differs = changesTranslation(fields, saved, isChanged)
    ? (field, within) => isTranslation(field) || isChanged(field, within)
    : isChanged
  return collect(fields, saved, isWritten)
}

/** The adapter deletes all translations of a document in a language before it writes one, so all are written. */
const changesTranslation = (
  fields: readonly FlattenedField[],
  saved: Saved,
  isChanged: Differs,
): boolean =>
  fields.some((field) =>
    isPlainGroup(field)
      ? changesTranslation(field.flattenedFields, savedWithin(saved, field), isChanged)
      : isTranslation(field) && isChanged(field, saved),
  )

function collect(fields: readonly FlattenedField[], saved: Saved, isWritten: Differs): Changes {
  const row: Document = {}
  const otherTables: Changes['otherTables'] = { data: {}, fields: [], paths: [] }
  for (const field of fields) {
    const { name } = field
    const value = saved.data[name]
    if (value === undefined || field.type === 'join') continue
    if (isPlainGroup(field) && isData(value)) {
      const inner = collect(field.flattenedFields, savedWithin(saved, field), isWritten)
      if (Object.keys(inner.row).length > 0) row[name] = inner.row
      if (inner.otherTables.fields.length > 0) {
        otherTables.data[name] = inner.otherTables.data
        otherTables.fields.push({ ...field, flattenedFields: inner.otherTables.fields })
        otherTables.paths.push(...inner.otherTables.paths.map((path) => `${name}.${path}`))
      }
    } else if (!isWritten(field, saved)) {
      continue
    } else if (hasRows(field) || isLocalized(field)) {
      otherTables.data[name] = value
      otherTables.fields.push(field)
      otherTables.paths.push(name)
    } else {
      row[name] = value
    }
  }
  return { row, otherTables }
}

function savedWithin({ data, read }: Saved, { name }: FlattenedField): Saved {
  const within = (document: Document) => (isData(document[name]) ? document[name] : {})
  return { data: within(data), read: within(read) }
}

const isPlainGroup = (field: FlattenedField): field is Group =>
  isGroup(field) && !isLocalized(field)

const isTranslation = (field: FlattenedField) => isLocalized(field) && !hasRows(field)
