import { sql } from 'drizzle-orm'
import { bareName, column, columnType, nameBelow } from '../core/database/database.js'
import type { DocumentId } from '../core/database/document-id.js'
import { documentTables } from '../core/database/document-tables.js'
import { jsonRows } from '../core/database/json-rows.js'
import type { Order } from '../shop/orders/order.js'
import { exportedAsField } from '../shop/orders/order-fields.js'
import { isTextColumn } from '../shop/orders/stored-value.js'
import type { Shop } from '../core/shop.js'
import { lengths, saidBack } from './xml-text.js'

/** The number that ShipStation has of an order, as a notice brings it back. */
export const exportedNumber = (reference: string): string => saidBack(reference, lengths.number)

/** The number of an order that is not its reference in the database; null takes an earlier one away. */
export interface ExportedNumber {
  id: DocumentId
  exportedAs: string | null
}

/** The tables and columns of a statement that compares an order (`own`) with the others. */
function numberColumns({ database, options: { collections, fields } }: Shop) {
  const orders = database.table(collections.orders)
  const names = { id: 'id', reference: fields.reference, exportedAs: exportedAsField }
  const of = (alias: 'own' | 'other', name: keyof typeof names) =>
    nameBelow(alias, column(orders, names[name]))
  return { orders, of, idType: columnType(column(orders, 'id')), names }
}

/**
 * Compares the numbers that the export would write with those of all orders. A number that is not the stored
 * reference is noted with its order, so that a notice finds it by an index.
 */
export async function compareNumbers(
  shop: Shop,
  exported: readonly Pick<Order, 'id' | 'reference'>[],
): Promise<{
  taken: ReadonlySet<DocumentId>
  unstored: readonly ExportedNumber[]
}> {
  const { database } = shop
  const { orders, of, idType, names } = numberColumns(shop)
  const numbers = exported.map(({ id, reference }) => ({ id, number: exportedNumber(reference) }))
  const wanted = jsonRows(database, { id: idType, number: 'text' }, numbers)
  const number = sql`"wanted"."number"`
  const reference = sql`cast(${of('own', 'reference')} as text)`
  const isOdd = sql`${reference} is distinct from ${number}`
  const note = sql`case when coalesce(nullif(${reference}, ''), cast(${of('own', 'id')} as text)) <> ${number}
    then ${number} end`
  const isNoted = sql`${of('own', 'exportedAs')} is not distinct from ${number}`
  const other = sql`select 1 from ${orders} as "other" where ${of('other', 'id')} <> ${of('own', 'id')}`
  // Written so that no index is used for it: nearly all orders share the null.
  const isPlain = sql`(${of('other', 'exportedAs')} is null) is true`
  // A number or a choice from a list is no text that could be written in another way.
  const hasTexts = isTextColumn(column(orders, names.reference))
  const isOfOther = hasTexts
    ? sql`exists (${other} and ${of('other', 'reference')} = ${number} and ${isPlain})`
    : sql`false`
  const rows = await database.rows(sql`select "id", "note", "isTaken" from (
      select ${of('own', 'id')} as "id", ${of('own', 'exportedAs')} as "noted", ${note} as "note",
        case when exists (${other} and ${of('other', 'exportedAs')} = ${number}
            and (not (${isNoted}) or ${of('other', 'id')} < ${of('own', 'id')})) then 1
          when ${isOdd} and not (${isNoted}) and ${isOfOther} then 1 else 0 end as "isTaken"
      from ${wanted} as "wanted" join ${orders} as "own" on ${of('own', 'id')} = "wanted"."id") as "compared"
    where "isTaken" = 1 or "noted" is distinct from "note"`)
  const taken = new Set(
    rows.flatMap(({ id, isTaken }) => (Number(isTaken) === 1 ? [id as DocumentId] : [])),
  )
  // Of orders of one page, the first one has a number that none has yet.
  const given = new Set<string>()
  for (const { id, number: own } of numbers.filter(({ id }) => !taken.has(id))) {
    if (given.has(own)) taken.add(id)
    given.add(own)
  }
  const unstored = rows.map(({ id, note: text }) => ({
    id: id as DocumentId,
    exportedAs: typeof text === 'string' ? text : null,
  }))
  return { taken, unstored: unstored.filter(({ id }) => !taken.has(id)) }
}

/** Stores numbers before they are exported. It is no change of the order: `updatedAt` stays. */
export async function storeNumbers(shop: Shop, notes: readonly ExportedNumber[]): Promise<void> {
  if (notes.length === 0) return
  const { database } = shop
  const { idType, names } = numberColumns(shop)
  const rows = jsonRows(
    database,
    { id: idType, exportedAs: 'text' },
    notes.map((note) => ({ ...note })),
  )
  for (const { table, id, prefix } of documentTables(database, shop.options.collections.orders)) {
    await database.run(sql`update ${table}
      set ${bareName(column(table, `${prefix}${names.exportedAs}`))} = "notes"."exportedAs"
      from ${rows} as "notes" where ${column(table, id)} = "notes"."id"`)
  }
}
