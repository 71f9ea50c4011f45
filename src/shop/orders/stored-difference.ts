import type { BasePayload, FlattenedField } from 'payload'
import { fieldShouldBeLocalized } from 'payload/shared'
import { ownBlock } from '../../core/payload/field-search.js'

export type Document = Record<string, unknown>

/** The same text for equal values: the order of keys, null and undefined do not count. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value ?? null, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(
          Object.entries(part)
            .filter(([, inner]) => inner !== null && inner !== undefined)
            .sort(([one], [other]) => (one < other ? -1 : 1)),
        )
      : part,
  )

type Blocks = Pick<BasePayload, 'blocks'>

export const differs = (
  payload: Blocks,
  field: FlattenedField,
  [one, other]: readonly [unknown, unknown],
): boolean => {
  const place = { payload, parentIsLocalized: false }
  return canonical(asStored(place, field, one)) !== canonical(asStored(place, field, other))
}

interface Place {
  payload: Blocks
  parentIsLocalized: boolean
}

/** Null in place of what has no rows: Payload reads such a blocks field as undefined, but saves an empty list. */
function asStored(place: Place, field: FlattenedField, value: unknown): unknown {
  const { payload, parentIsLocalized } = place
  const within = { payload, parentIsLocalized: parentIsLocalized || isLocalized(field) }
  if (isData(value) && fieldShouldBeLocalized({ field, parentIsLocalized })) {
    return orNull(
      Object.entries(value).map(([locale, part]) => [locale, asStored(within, field, part)]),
    )
  }
  const partsOf = (fields: readonly FlattenedField[], data: Document) =>
    orNull(
      fields
        .filter((inner) => !isVirtual(inner))
        .map((inner) => [inner.name, asStored(within, inner, data[inner.name])]),
    )

  if (isData(value) && isGroup(field)) return partsOf(field.flattenedFields, value)
  if (!Array.isArray(value) || !hasRows(field)) return value
  if (value.length === 0) return null
  return value.map((row: unknown) => {
    const fields = fieldsOfRow(payload, field, row)
    return fields && isData(row) ? [row.blockType, partsOf(fields, row)] : row
  })
}

const orNull = (parts: [string, unknown][]): Document | null =>
  parts.some(([, part]) => (part ?? null) !== null) ? Object.fromEntries(parts) : null

/** The fields of an array's or a block's row; undefined for a value without fields. */
function fieldsOfRow(
  { blocks }: Blocks,
  field: FlattenedField,
  row: unknown,
): readonly FlattenedField[] | undefined {
  if (field.type === 'array') return field.flattenedFields
  if (field.type !== 'blocks' || !isData(row)) return undefined
  const slug = String(row.blockType)
  return (ownBlock(field, slug) ?? blocks[slug])?.flattenedFields
}

/** Whether the values of a field are rows of a table in which no other field has rows of the same path. */
export const hasRows = (field: FlattenedField): boolean =>
  field.type === 'array' ||
  field.type === 'blocks' ||
  ('hasMany' in field && field.hasMany === true) ||
  ('relationTo' in field && Array.isArray(field.relationTo))

export type Group = Extract<FlattenedField, { type: 'group' | 'tab' }>

export const isGroup = (field: FlattenedField): field is Group =>
  field.type === 'group' || field.type === 'tab'

export const isLocalized = (field: FlattenedField): boolean =>
  'localized' in field && field.localized === true

/** Whether a field is computed when it is read: a save has its value, but the database has none. */
const isVirtual = (field: FlattenedField): boolean => 'virtual' in field && Boolean(field.virtual)

export const isData = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
