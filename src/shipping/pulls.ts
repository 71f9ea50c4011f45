import { sql, type SQL } from 'drizzle-orm'
import { column, nameBelow, selected, type Row } from '../core/database/database.js'
import type { DocumentId } from '../core/database/document-id.js'
import { textOf } from '../core/payload/document-value.js'
import type { Shop } from '../core/shop.js'
import type { Order } from '../shop/orders/order.js'
import { answeredPagesOf, pullsSlug, type PullProgress } from './pull-collection.js'

export interface Pull extends PullProgress {
  pages: number
  pagesAnswered: number
  /** The last page before the first one that was not answered. */
  answeredTo: number
  /** When page 1 was asked for. */
  at: Date
  orders: number
  skipped: number
  /** The dates as they were sent; undefined when all orders were asked for. */
  asked: string | undefined
  /** The store whose orders were asked for; undefined when it was all. */
  store: string | undefined
}

/** An order's place in a pull. */
export interface PullOfOrder {
  pull: DocumentId
  at: Date
  asked: string | undefined
  page: number
  pages: number
  isAnswered: boolean
}

const fieldsOfPull = [
  'id',
  'list',
  'asked',
  'store',
  'state',
  'pages',
  'answered',
  'highestPage',
  'pageSize',
  'orders',
  'skipped',
  'createdAt',
  'updatedAt',
] as const

export function pullOf(row: Row): Pull {
  const answered = answeredPagesOf(row)
  return {
    at: new Date(String(row.createdAt)),
    lastRequestAt: new Date(String(row.updatedAt)),
    isComplete: row.state === 'complete',
    pages: Number(row.pages),
    pagesAnswered: answered.count,
    answeredTo: answered.answeredTo,
    orders: Number(row.orders),
    skipped: Number(row.skipped),
    asked: textOf(row.asked),
    store: textOf(row.store),
  }
}

/** The table of the pulls, and what a statement selects of a pull. */
export function pullTable({ database }: Pick<Shop, 'database'>) {
  const table = database.table(pullsSlug)
  const of = (alias: string, field: string): SQL => nameBelow(alias, column(table, field))
  const ofPull = selected(Object.fromEntries(fieldsOfPull.map((name) => [name, of('pull', name)])))
  return { table, of, selected: ofPull }
}

/** The newest pull; undefined when there is none. One of a clock that was ahead does not count yet. */
export async function readLastPull(
  shop: Pick<Shop, 'database' | 'effects'>,
): Promise<Pull | undefined> {
  const { table, of, selected: columns } = pullTable(shop)
  const [row] = await shop.database.rows(sql`select ${columns} from ${table} as "pull"
    where ${of('pull', 'state')} is not null
      and ${of('pull', 'createdAt')} <= ${shop.effects.now().toISOString()}
    order by ${of('pull', 'createdAt')} desc limit 1`)
  return row && pullOf(row)
}

export const pullLifetimeMs = 30 * 24 * 60 * 60 * 1000

/** Whether ShipStation got an order, as it was before a moment. */
export async function wasExported(
  order: Pick<Order, 'id' | 'createdAt' | 'updatedAt'>,
  shop: Pick<Shop, 'database' | 'effects' | 'options'>,
  before = shop.effects.now(),
): Promise<boolean> {
  // Nobody knows any more which pulls an older order was in.
  if (shop.effects.now().getTime() - order.createdAt.getTime() > pullLifetimeMs) return true
  const pulls = await pullsOfOrder(shop, order)
  return pulls.some(({ at, isAnswered }) => isAnswered && at < before)
}

const foundAtMost = 100

type PulledOrder = Pick<Order, 'id' | 'createdAt' | 'updatedAt'>

/** The pulls of the last 30 days that had an order, the newest first. */
export async function pullsOfOrder(
  shop: Pick<Shop, 'database' | 'options'>,
  order: PulledOrder,
): Promise<PullOfOrder[]> {
  const rows = await readPulls(shop, [order], sql`true`)
  return rows.map((row) => {
    const { at, asked, pages } = pullOf(row)
    return { pull: row.id as DocumentId, at, asked, pages, ...pageOf(row) }
  })
}

/** When each of these orders was last in a pull whose page was answered. */
export async function lastPulls(
  shop: Pick<Shop, 'database' | 'options'>,
  orders: readonly PulledOrder[],
): Promise<(Date | undefined)[]> {
  const { of } = pullTable(shop)
  const highest = sql`${of('pull', 'highestPage')} * ${of('pull', 'pageSize')}`
  // Of a whole pull, and after its highest page, the order's own page need not be known.
  const isNear = sql`${of('pull', 'state')} <> 'complete' and ${of('part', 'start')} < ${highest}`
  const rows = await readPulls(shop, orders, isNear)
  return orders.map((_, place) => {
    const pulls = rows.filter((row) => Number(row.place) === place)
    const last = pulls.find(
      (row) => row.state === 'complete' || (row.before !== null && pageOf(row).isAnswered),
    )
    return last && pullOf(last).at
  })
}

function pageOf(row: Row): Pick<PullOfOrder, 'page' | 'isAnswered'> {
  const inList = Number(row.start) + (String(row.before).match(/,/g)?.length ?? 0)
  const page = Math.floor(inList / Number(row.pageSize)) + 1
  return { page, isAnswered: answeredPagesOf(row).has(page) }
}

/**
 * The newest pulls of each of these orders, with one statement. Only lists since the order was made are read, as SQLite
 * reuses the ids of deleted orders, and only parts that may have it. A row has the ids before the order's in its part,
 * where they are wanted: they can be a long text.
 */
async function readPulls(
  { database }: Pick<Shop, 'database'>,
  orders: readonly PulledOrder[],
  wantsBefore: SQL,
): Promise<Row[]> {
  if (orders.length === 0) return []
  const { table, of, selected: columns } = pullTable({ database })
  const ids = of('part', 'ids')
  const [from, to] = [of('part', 'changedFrom'), of('part', 'changedTo')]
  const find = sql.raw(database.isSqlite ? 'instr' : 'strpos')

  const pullsOf = ({ id, createdAt, updatedAt }: PulledOrder, place: number): SQL => {
    // An import may have set the last change to before the moment at which it made the order.
    const since = (createdAt < updatedAt ? createdAt : updatedAt).toISOString()
    const found = sql`${find}(',' || ${ids} || ',', ${`,${id},`})`
    const before = sql`substr(${ids}, 1, ${found} - 1)`
    // Written so that no other index is used: SQLite would choose the one of the lists' own time.
    const isLater = sql`(${of('part', 'createdAt')} >= ${createdAt.toISOString()}) is true`
    return sql`select * from (
      select ${columns}, ${of('part', 'start')} as "start",
        case when ${wantsBefore} then ${before} end as "before", ${sql.raw(`${place}`)} as "place"
      from ${table} as "part" join ${table} as "pull" on ${of('pull', 'list')} = ${of('part', 'list')}
      where ${to} >= ${since} and ${from} <= ${updatedAt.toISOString()} and ${isLater} and ${found} > 0
        and ${of('pull', 'state')} is not null
      order by ${of('pull', 'createdAt')} desc, ${of('pull', 'id')} limit ${foundAtMost}) as "found"`
  }

  return database.rows(sql.join(orders.map(pullsOf), sql` union all `))
}
