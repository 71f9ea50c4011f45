import { sql, type SQL } from 'drizzle-orm'
import { column, type Database, type PayloadTable } from '../../core/database/database.js'
import type { OrderFilter } from '../../shop/orders/order-reader.js'

/** How many orders are sampled to find out how the orders spread over time. */
const probeCount = 256

/**
 * Moments that cut the orders into parts of about the same size, found in a sample spread over the ids.
 * Any moments would be right: they decide how long a part is, never what is in the list.
 */
export async function listBounds(database: Database, orders: PayloadTable): Promise<string[]> {
  const id = column(orders, 'id')
  const updatedAt = column(orders, 'updatedAt')
  const probes = id.dataType === 'string' ? uuidProbes() : await numberProbes(database, orders)
  if (probes.length === 0) return []
  const values = sql.join(
    probes.map((probe) => sql`(${probe})`),
    sql`, `,
  )
  // Without the cast, PostgreSQL reads the parameters as text.
  const idType = id.dataType === 'string' ? id.getSQLType() : 'integer'
  const probe = database.isSqlite ? sql`column1` : sql`column1::${sql.raw(idType)}`
  const rows = await database.rows(sql`select
      (select ${updatedAt} from ${orders} where ${id} >= ${probe} order by ${id} limit 1) as "moment"
    from (values ${values}) as "probes"`)
  const moments = rows.flatMap(({ moment }) =>
    typeof moment === 'string' || moment instanceof Date ? new Date(moment).toISOString() : [],
  )
  return [...new Set(moments)].sort()
}

async function numberProbes(database: Database, orders: PayloadTable): Promise<number[]> {
  const id = column(orders, 'id')
  // SQLite answers each of two selects from the index, but scans the table for one with both.
  const [row] = await database.rows(sql`select
    (select min(${id}) from ${orders}) as "first", (select max(${id}) from ${orders}) as "last"`)
  const [first, last] = [Number(row?.first ?? 0), Number(row?.last ?? 0)]
  const step = Math.max(1, (last - first + 1) / probeCount)
  const count = Math.min(probeCount, last - first + 1)
  return Array.from({ length: count }, (_, index) => Math.floor(first + index * step))
}

/** Ids are random: their first byte spreads them evenly. */
const uuidProbes = (): string[] =>
  Array.from(
    { length: probeCount },
    (_, byte) => `${byte.toString(16).padStart(2, '0')}000000-0000-0000-0000-000000000000`,
  )

/**
 * Where the parts begin and end; the first and last edge are the window's own bounds. A part includes its
 * beginning, so the exclusive bound becomes the next millisecond, which is the databases' precision.
 */
export function boundRows(window: OrderFilter['window'], bounds: string[], isSqlite: boolean): SQL {
  const [first, last] = isSqlite ? ['', '~'] : ['-infinity', 'infinity']
  const from = window ? new Date(window.after.getTime() + 1).toISOString() : first
  const to = window ? window.before.toISOString() : last
  const within = window ? bounds.filter((bound) => bound > from && bound < to) : bounds
  const edges = [from, ...within]
  const rows = edges.map(
    (edge, index) => sql`(${sql.raw(String(index))}, ${edge}, ${edges[index + 1] ?? to})`,
  )
  return sql.join(rows, sql`, `)
}
