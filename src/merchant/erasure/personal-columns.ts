import type { Field } from 'payload'
import type { PayloadTable, Row } from '../../core/database/database.js'
import { addressParts } from '../../shop/orders/order-values.js'
import { fieldPaths, writtenFieldTypes } from '../../core/payload/field-search.js'

/** What a column gets that must have a value; the others get an empty text. */
const blanks: Partial<Record<Field['type'], unknown>> = {
  number: 0,
  date: new Date(0).toISOString(),
  json: {},
  richText: {},
}

/**
 * The values that empty these fields, and everything in them when they are groups: null, or blank where the
 * column must have a value. The country of an address stays, because taxes are counted by it. Columns of
 * versions begin with a `prefix`.
 */
export function emptied(
  table: PayloadTable,
  fields: readonly Field[],
  { paths, prefix }: { paths: readonly string[]; prefix: string },
): Row {
  const isWithin = (path: string) => (group: string) =>
    path === group || path.startsWith(`${group}.`)
  const columns = fieldPaths(fields).flatMap(({ path, field }) => {
    const name = `${prefix}${path.replaceAll('.', '_')}`
    const of = table[name]
    const isNamed = paths.includes(path)
    const isWritten = writtenFieldTypes.has(field.type) && field.name !== addressParts.country
    if (of === undefined || !paths.some(isWithin(path)) || !(isNamed || isWritten)) return []
    return [[name, of.notNull ? (blanks[field.type] ?? '') : null]]
  })
  return Object.fromEntries(columns) as Row
}
