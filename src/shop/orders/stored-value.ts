import { Column, sql, type SQL } from 'drizzle-orm'
import {
  nameBelow,
  column,
  columnOrNull,
  optionalColumn,
  type PayloadTable,
} from '../../core/database/database.js'
import {
  fieldRoute,
  type FieldRoute,
  type FieldsOf,
  type RouteStep,
} from '../../core/payload/field-route.js'
import type { Shop } from '../../core/shop.js'
import { orderFieldRoute, type NamedIn } from './named-fields.js'
import type { FieldNames, ShopNames } from '../../core/shop-names.js'

type Store = Pick<Shop, 'payload' | 'database'>

/** The rows of a table as a statement has them. */
interface StatementRows {
  table: PayloadTable
  /** The name that the statement gives the rows; undefined for that of the table. */
  alias?: string
  /** The document that has the rows: its collection and its id. */
  document: { slug: string; id: SQL | Column }
  /** The path of the row in the document, with a final dot; blank for the document itself. */
  above: string
}

/** The value behind a name of the options, for a statement that reads orders; null where there is none. */
export function namedValue(
  shop: Store & { options: ShopNames },
  name: keyof FieldNames,
): SQL | Column {
  const { orders } = shop.options.collections
  const route = orderFieldRoute({ slug: orders, name }, shop.options, namedIn(shop))
  return route === undefined ? sql`null` : along(shop, documentsOf(shop, orders), route)
}

/** The value at a path of a collection's documents, for a statement that reads them; null without such a field. */
export function storedValue(shop: Store, slug: string, path: string): SQL | Column {
  const { fieldsOf } = namedIn(shop)
  const route = fieldRoute(fieldsOf(slug) ?? [], path, fieldsOf)
  return 'problem' in route ? sql`null` : along(shop, documentsOf(shop, slug), route)
}

/** The order's reference as a text, whatever kind of field the store keeps it in. */
export function referenceOf(orders: PayloadTable, { fields }: Pick<ShopNames, 'fields'>): SQL {
  const own = columnOrNull(orders, fields.reference)
  const isText = own instanceof Column && isTextColumn(own)
  return isText ? sql`${own}` : sql`cast(${own} as text)`
}

/** The condition that an order has this reference. A number is compared as one, so that its index is used. */
export function hasReference(
  orders: PayloadTable,
  { fields }: Pick<ShopNames, 'fields'>,
  text: string,
): SQL {
  const own = columnOrNull(orders, fields.reference)
  const isNumber = own instanceof Column && /^(?:numeric|real)/.test(own.getSQLType())
  return isNumber && /^[1-9]\d{0,14}$/.test(text)
    ? sql`${own} = ${Number(text)}`
    : sql`${referenceOf(orders, { fields })} = ${text}`
}

/** Whether a column takes any text: a number does not, nor does a choice from a list on PostgreSQL. */
export const isTextColumn = (of: Column): boolean => /^(?:varchar|text)/.test(of.getSQLType())

/** The value of a field in these rows, which have it themselves or in each language. */
export function valueOfRows(shop: Store, rows: StatementRows, path: string): SQL | Column {
  const own = optionalColumn(rows.table, path)
  if (own !== undefined) return at(rows, path)
  const languages = shop.database.languagesOf(rows.table)
  const value = languages && optionalColumn(languages, path)
  if (languages === undefined || value === undefined) return sql`null`
  const inner = { ...rows, table: languages, alias: `${rows.alias ?? ''}l` }
  const of = at(inner, path)
  return sql`(select ${of} from ${languages} as ${sql.identifier(inner.alias)}
    where ${at(inner, '_parentID')} = ${at(rows, 'id')}
      and coalesce(cast(${of} as text), '') <> ''
    order by ${languageRank(shop, at(inner, '_locale'))} limit 1)`
}

export const namedIn = ({ payload }: Pick<Shop, 'payload'>): NamedIn & { fieldsOf: FieldsOf } => ({
  fieldsOf: (slug) => payload.collections[slug]?.config.fields,
  hasLanguages: Boolean(payload.config.localization),
})

function documentsOf({ database }: Store, slug: string): StatementRows {
  const table = database.table(slug)
  return { table, document: { slug, id: column(table, 'id') }, above: '' }
}

function along(
  shop: Store,
  rows: StatementRows,
  { steps: [step, ...steps], path }: Pick<FieldRoute, 'steps' | 'path'>,
): SQL | Column {
  if (step === undefined) return valueOfRows(shop, rows, path)
  const inner = innerRows(shop, rows, step)
  if (inner === undefined) return sql`null`
  const value = along(shop, inner, { steps, path })
  const from = sql`${inner.table} as ${sql.identifier(inner.alias)}`
  if ('row' in step) {
    const locale = optionalColumn(inner.table, '_locale')
    return sql`(select ${value} from ${from}
      where ${at(inner, '_parentID')} = ${at(rows, 'id')} and ${at(inner, '_order')} = ${step.row + 1}
      ${locale ? sql`order by ${languageRank(shop, at(inner, '_locale'))}` : sql``} limit 1)`
  }
  const isRelated = sql`${at(inner, 'id')} = ${relatedId(shop, rows, step)}`
  return sql`(select ${value} from ${from} where ${isRelated})`
}

function innerRows({ database }: Store, rows: StatementRows, step: RouteStep) {
  const alias = `${rows.alias ?? 'of'}_`
  if ('row' in step) {
    const table = database.rowsBelow(rows.table, step.path)
    return table && { ...rows, table, alias, above: `${rows.above}${step.path}.${step.row}.` }
  }
  const table = database.optionalTable(step.to)
  if (table === undefined) return undefined
  const id = nameBelow(alias, column(table, 'id'))
  return { table, alias, document: { slug: step.to, id }, above: '' }
}

/** A relation with several documents is in a table of its own, under the path that it has in the document. */
function relatedId(
  shop: Store,
  rows: StatementRows,
  { path, to, place }: Extract<RouteStep, { to: string }>,
): SQL | Column {
  if (place === undefined) return valueOfRows(shop, rows, path)
  const { slug, id } = rows.document
  const relations = shop.database.optionalTable(slug, 'rels')
  const related = relations && optionalColumn(relations, `${to}ID`)
  if (relations === undefined || related === undefined) return sql`null`
  const alias = `${rows.alias ?? ''}r`
  const of = (key: string) => at({ table: relations, alias }, key)
  const locale = optionalColumn(relations, 'locale')
  return sql`(select ${of(`${to}ID`)} from ${relations} as ${sql.identifier(alias)}
    where ${of('parent')} = ${id} and ${of('path')} = ${`${rows.above}${path}`}
      and ${of(`${to}ID`)} is not null
    order by ${locale ? sql`${languageRank(shop, of('locale'))}, ` : sql``}${of('order')}
    limit 1 offset ${place})`
}

const at = ({ table, alias }: Pick<StatementRows, 'table' | 'alias'>, key: string): SQL | Column =>
  alias === undefined ? column(table, key) : nameBelow(alias, column(table, key))

/** The store's first language comes first, and then the others in its order. */
function languageRank({ payload }: Store, locale: SQL | Column): SQL {
  const { localization } = payload.config
  const codes = localization ? localization.localeCodes : []
  const first = localization ? localization.defaultLocale : ''
  const ranked = [first, ...codes.filter((code) => code !== first)]
  const cases = ranked.map((code, rank) => sql`when ${code} then ${rank}`)
  return sql`case cast(${locale} as text) ${sql.join(cases, sql` `)} end`
}
