import { createHash } from 'node:crypto'
import { sql, type Column, type SQL } from 'drizzle-orm'
import { bareName, column, type Statement } from '../../core/database/database.js'
import type { Shop } from '../../core/shop.js'
import { pullsSlug } from '../pull-collection.js'
import type { OrderSelection } from './select-orders.js'

export const listLifetimeMs = 24 * 60 * 60 * 1000

/** Where a window is open. */
export const firstMoment = '0001-01-01T00:00:00.000Z'
export const lastMoment = '9999-12-31T23:59:59.999Z'

/** More orders than any table has; the databases refuse a LIMIT of more than 64 bits. */
export const largestLimit = 2 ** 40

/** What requests of one pull have in common. */
export const listKey = ({ window, askedWindow, store, pageSize }: OrderSelection): string =>
  createHash('sha256')
    .update(JSON.stringify([askedWindow ?? window, store?.field, store?.value, pageSize]))
    .digest('hex')

export type ListTable = ReturnType<typeof listTable>

const columnNames = [
  ...(['id', 'key', 'list', 'pages', 'answered', 'certainPage', 'highestPage'] as const),
  ...(['start', 'size', 'ids', 'changedFrom', 'changedTo', 'state', 'pageSize'] as const),
  ...(['orders', 'skipped', 'timesBegun', 'createdAt', 'updatedAt'] as const),
]

/** The table of the pulls and their lists, and what its statements share. */
export function listTable({ database, effects }: Shop) {
  const { now, randomBytes } = effects
  const lists = database.table(pullsSlug)
  const at = Object.fromEntries(columnNames.map((name) => [name, column(lists, name)])) as Record<
    (typeof columnNames)[number],
    Column
  >
  /** The rows that meet a condition. They are locked in the order of their ids: pulls that begin together cannot deadlock. */
  const rowsWhere = (condition: SQL): SQL => {
    const locked = database.isSqlite ? sql`` : sql`order by ${at.id} for update`
    return sql`${at.id} in (select ${at.id} from ${lists} where ${condition} ${locked})`
  }
  return {
    lists,
    at,
    rowsWhere,

    /** Lists without a key serve no more pages. */
    withoutKey: (condition: SQL): SQL =>
      sql`update ${lists} set ${bareName(at.key)} = null where ${rowsWhere(condition)}`,

    ago: (ms: number): string => new Date(now().getTime() - ms).toISOString(),

    newId: (): string => Buffer.from(randomBytes(8)).toString('hex'),

    async inOrder(this: void, statements: readonly Statement[]): Promise<void> {
      if (database.isSqlite) await database.batch(statements)
      else for (const statement of statements) await statement
    },
  }
}
