import type { FlattenedField } from 'payload'
import { canonical } from './canonical.js'

type Data = Record<string, unknown>

/** What a save changes of a document, by where the database keeps it. */
export interface Changes {
  /** In the document's own row. */
  row: Data
  /** In other tables: arrays, blocks, and whatever has several values or languages. */
  below: { data: Data; fields: FlattenedField[] }
}

/** What differs from the document that the save has read. */
export function changesOf(
  fields: readonly FlattenedField[],
  data: Data,
  read: Data | undefined,
): Changes {
  const isChanged = (field: FlattenedField) => differs(field, data, read)
  const together = [hasBlocks, isTranslated].filter((shares) =>
    fields.some((field) => shares(field) && isChanged(field)),
  )
  return collect(fields, { data, read }, together)
}

type Shares = (field: FlattenedField) => boolean

/**
 * The adapter empties a table of an order before it writes there, and keeps all blocks of a kind in one,
 * and all translations: what shares a table is written together.
 */
function collect(
  fields: readonly FlattenedField[],
  { data, read }: { data: Data; read: Data | undefined },
  together: readonly Shares[],
): Changes {
  const row: Data = {}
  const below: Changes['below'] = { data: {}, fields: [] }
  for (const field of fields) {
    const { name } = field
    const value = data[name]
    const isWritten = differs(field, data, read) || together.some((shares) => shares(field))
    if (value === undefined || !isWritten || field.type === 'join') continue
    if (isGroup(field) && isData(value)) {
      const known = asData(read?.[name])
      const inner = collect(field.flattenedFields, { data: value, read: known }, together)
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

const differs = ({ name }: FlattenedField, data: Data, read: Data | undefined): boolean =>
  canonical(data[name]) !== canonical(read?.[name])

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

const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const asData = (value: unknown): Data | undefined => (isData(value) ? value : undefined)
