import { sql } from 'drizzle-orm'
import { column, type Connection, type Database, type Row } from '../../core/database/database.js'
import { lengths, saidBack } from '../xml-text.js'
import {
  noticeFingerprint,
  noticesSlug,
  type OrderedLine,
  type ParcelLine,
  type NoticeEffect,
  type Shipment,
} from './notice-collection.js'

/** Reads the other notices of the order, to tell what this one changes. */
export async function effectOf(
  database: Database,
  connection: Connection,
  shipment: Shipment,
): Promise<NoticeEffect> {
  const { ordered, notice, order, status, waitsForAllItems } = shipment
  const isWhole = notice.lines.length === 0 || (ordered && itemsLeft(ordered, notice.lines) === 0)
  if (isWhole) return { status, itemsLeft: undefined, isStillSo: sql`true` }
  const notices = database.table(noticesSlug)
  const lines = database.table(noticesSlug, 'lines')
  const part = (name: string) => column(lines, name)
  const isOther = sql`${column(notices, 'order')} = ${order.id}
    and ${column(notices, 'fingerprint')} <> ${noticeFingerprint(shipment)}`
  const rows = await connection.rows(sql`select ${column(notices, 'id')} as "id",
      ${part('lineItemId')} as "lineItemId", ${part('sku')} as "sku", ${part('name')} as "name",
      ${part('quantity')} as "quantity"
    from ${notices} left join ${lines} on ${part('_parentID')} = ${column(notices, 'id')}
    where ${isOther}`)
  const othersCount = new Set(rows.map(({ id }) => id)).size
  const isStillSo = sql`(select count(*) from ${notices} where ${isOther}) = ${othersCount}`
  // A notice that names no lines may be about all of them.
  if (rows.some((row) => row.quantity === null)) return { status, itemsLeft: undefined, isStillSo }
  const left = ordered && itemsLeft(ordered, [...rows.map(parcelLine), ...notice.lines])
  return { status: waitsForAllItems && left !== 0 ? undefined : status, itemsLeft: left, isStillSo }
}

const parcelLine = ({ lineItemId, sku, name, quantity }: Row): ParcelLine => ({
  ...(typeof lineItemId === 'string' && { lineItemId }),
  sku: String(sku ?? ''),
  name: String(name ?? ''),
  quantity: Number(quantity),
})

/**
 * How many items of an order were not shipped. A shipped line belongs to the order's lines of its id, else
 * to those of its SKU, or of its name when it has no SKU.
 */
function itemsLeft(ordered: readonly OrderedLine[], shipped: readonly ParcelLine[]): number {
  const places = ordered.map(({ id, ...line }) => ({ ...said(line), id: saidId(id) }))
  const lines = shipped.map(({ lineItemId, ...line }) => ({
    ...said(line),
    id: saidId(lineItemId),
  }))
  const ids = new Set(places.map(({ id }) => id))
  const isNamed = ({ id }: SaidLine) => id !== undefined && ids.has(id)
  const take = (line: SaidLine, isMeant: (place: SaidLine) => boolean) => {
    let { quantity } = line
    for (const place of places.filter(isMeant)) {
      const taken = Math.max(0, Math.min(place.quantity, quantity))
      place.quantity -= taken
      quantity -= taken
    }
  }
  for (const line of lines.filter(isNamed)) take(line, ({ id }) => id === line.id)
  for (const line of lines.filter((each) => !isNamed(each))) {
    take(line, (place) => isSameProduct(place, line))
  }
  return places.reduce((sum, { quantity }) => sum + quantity, 0)
}

/** A line as a notice says it, for the order's lines too. */
interface SaidLine {
  id: string | undefined
  sku: string
  name: string
  quantity: number
}

const said = ({ sku, name, quantity }: Pick<SaidLine, 'sku' | 'name' | 'quantity'>) => ({
  sku: saidBack(sku, lengths.sku),
  name: saidBack(name, lengths.name),
  quantity,
})

const saidId = (id = '') => saidBack(id, lengths.lineId) || undefined

const isSameProduct = (place: SaidLine, line: SaidLine): boolean =>
  place.sku === line.sku && (line.sku !== '' || place.name === line.name)
