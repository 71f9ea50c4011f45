import { sql, type SQL } from 'drizzle-orm'
import type { Field, FlattenedField } from 'payload'
import {
  columnOrNull,
  optionalColumn,
  type Database,
  type PayloadTable,
  type Row,
} from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { documentTables } from '../../core/database/document-tables.js'
import { addressParts } from '../../shop/orders/order-values.js'
import { columnPlace, fieldPaths, writtenFieldTypes } from '../../core/payload/field-search.js'

export interface Place {
  table: PayloadTable
  /** The keys of the columns that hold fields begin with it. */
  prefix: string
  isTheirs: SQL
  /** The columns that hold what somebody may have typed. */
  written: readonly string[]
}

/** Columns of these types hold texts and documents; choices, dates, amounts and relations have others. */
const writtenColumnTypes = new Set(['varchar', 'text', 'jsonb', 'json', 'geometry'])

interface Documents {
  slug: string
  fields: readonly FlattenedField[]
  ids: readonly DocumentId[]
  /** The paths of fields that stay. A path of an array or a block means all in it. */
  kept: readonly string[]
}

/** The tables with the values of documents: of their arrays, blocks and versions too, and of the languages of each. */
export function placesOf(database: Database, { slug, fields, ids, kept }: Documents): Place[] {
  if (ids.length === 0) return []
  return documentTables(database, slug).flatMap(
    ({ table: root, slug: name, id, prefix }): Place[] => {
      const keptColumns = kept.flatMap((path) => {
        const place = columnPlace(fields, path)
        if (place === undefined) return []
        const isTop = place.below.length === 0
        const below =
          prefix === '' || isTop || place.isBlock ? place.below : ['version', ...place.below]
        const table = database.optionalTable(name, ...below)
        return table ? [{ table, key: isTop ? `${prefix}${place.key}` : place.key }] : []
      })
      const isKept = (tables: readonly PayloadTable[], key: string) =>
        keptColumns.some(
          (column) =>
            tables.includes(column.table) &&
            (column.key === '' || column.key === key || key.startsWith(`${column.key}_`)),
        )
      // A table of languages keeps what its own table keeps.
      const descend = (
        { table, isTheirs, prefix: own }: Omit<Place, 'written'>,
        above: readonly PayloadTable[],
      ): Place[] => {
        const tables = [...above, table]
        const written = database
          .storedColumns(table)
          .filter(
            ({ key, type, isRelation }) =>
              writtenColumnTypes.has(type) &&
              !isRelation &&
              key !== 'id' &&
              !key.startsWith('_') &&
              !key.endsWith(`_${addressParts.country}`) &&
              !isKept(tables, key),
          )
          .map(({ key }) => key)
        const children = database.tablesBelow(table).flatMap(({ table: child, isLanguages }) =>
          descend(
            {
              table: child,
              prefix: isLanguages ? own : '',
              isTheirs: sql`${columnOrNull(child, '_parentID')} in
              (select ${columnOrNull(table, 'id')} from ${table} where ${isTheirs})`,
            },
            isLanguages ? tables : [],
          ),
        )
        return [{ table, isTheirs, prefix: own, written }, ...children]
      }
      return descend(
        { table: root, prefix, isTheirs: database.isOneOf(columnOrNull(root, id), ids) },
        [],
      )
    },
  )
}

/** The values that empty columns: null, or blank where the column must have a value. */
export const blankValues = (table: PayloadTable, keys: readonly string[]): Row =>
  Object.fromEntries(
    keys.map((key) => {
      const column = optionalColumn(table, key)
      const blank = column?.dataType === 'json' ? {} : ''
      return [key, column?.notNull ? blank : null]
    }),
  )

/** The groups that hold an address, whoever added them. */
export const addressGroups = (fields: readonly Field[]): string[] => {
  const names: readonly string[] = Object.values(addressParts)
  return fieldPaths(fields).flatMap(({ path, field }) => {
    if (field.type !== 'group') return []
    const own = fieldPaths(field.fields).filter(({ path: name }) => names.includes(name))
    return own.length > 1 ? [path] : []
  })
}

/** The fields whose values are unique: they are references, and name a document. */
export const uniqueFields = (fields: readonly Field[]): string[] =>
  fieldPaths(fields).flatMap(({ path, field }) =>
    'unique' in field && field.unique === true && field.type !== 'email' ? [path] : [],
  )

/** What a column gets that must have a value; the others get an empty text. */
const blanks: Partial<Record<Field['type'], unknown>> = {
  number: 0,
  date: new Date(0).toISOString(),
  json: {},
  richText: {},
}

/**
 * The values that empty these fields, and everything in them when they are groups. The country of an address stays,
 * because taxes are counted by it. Columns of versions begin with a `prefix`.
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
