import type { Field } from 'payload'
import { optionalColumn, type PayloadTable, type Row } from '../database/database.js'
import { addressParts } from '../orders/order-values.js'
import { fieldPaths } from '../payload/field-search.js'

/** Types of fields that hold what a person has written. A choice from a list names nobody. */
const writtenTypes = new Set([
  'text',
  'textarea',
  'email',
  'code',
  'json',
  'richText',
  'point',
  'date',
  'number',
])

/**
 * The values that empty these fields, and everything in them when they are groups: null, or blank where the
 * column must have a value. The country of an address stays, because taxes are counted by it.
 */
export function emptied(
  table: PayloadTable,
  fields: readonly Field[],
  paths: readonly string[],
): Row {
  const isWithin = (path: string) => (group: string) =>
    path === group || path.startsWith(`${group}.`)
  const columns = fieldPaths(fields).flatMap(({ path, field }) => {
    const of = optionalColumn(table, path)
    const isNamed = paths.includes(path)
    const isWritten = writtenTypes.has(field.type) && field.name !== addressParts.country
    if (of === undefined || !paths.some(isWithin(path)) || !(isNamed || isWritten)) return []
    return [[path.replaceAll('.', '_'), of.notNull ? '' : null]]
  })
  return Object.fromEntries(columns) as Row
}
