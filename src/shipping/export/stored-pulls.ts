import { sql, type Column, type SQL } from 'drizzle-orm'
import type { DocumentId } from '../../database/document-id.js'
import { bareName, columnType, type Row } from '../../database/database.js'
import type { Shop } from '../../shop.js'
import { firstMoment, lastMoment, listKey, type ListTable } from './list-table.js'
import type { OrderSelection } from './select-orders.js'

/** How many orders of a page were sent, and how many were skipped. */
export interface PageCounts {
  orders: number
  skipped: number
}

/** How far the pull of a list has read. A pull requests a page, the same page again, or the next one. */
export interface Pull {
  list: string
  pages: number
  /**
   * The page that it has read for certain. Beyond the last page: the pull is over. 0: several pulls that
   * began with the same orders share the list.
   */
  certainPage: number
  /** The highest page that it may have read. */
  highestPage: number
  /** Whether a page of it was answered, so that the admin lists it. */
  isListed: boolean
  lastRequestAt: Date
  /** The ids of the requested page. */
  ids: string[]
}

/** A page that a pull was answered. */
interface Answered {
  selection: OrderSelection
  page: number
  certainPage: number
  counts: PageCounts
}

/** How long pulls and their orders stay. */
export const pullLifetimeMs = 30 * 24 * 60 * 60 * 1000

/** A page that is asked for again within this time is not stored again. */
const notedAgainAfterMs = 60 * 1000

const pruneEveryMs = 60 * 60 * 1000

/** Reads and stores the pulls that are under way, and those of the last 30 days, for the admin. */
export function createStoredPulls({ database, effects }: Shop, table: ListTable) {
  const { now } = effects
  const { lists, at, ago, newId, rowsWhere, inOrder } = table
  let prunedAt = 0

  /** The pulls whose lists meet a condition, oldest first, each with its slice for this page. */
  const read = async (
    condition: SQL,
    { pageSize }: OrderSelection,
    page: number,
  ): Promise<Pull[]> => {
    const first = (page - 1) * pageSize
    const rows = await database.rows(sql`select ${at.list} as "list", ${at.pages} as "pages",
        ${at.certainPage} as "certainPage", ${at.highestPage} as "highestPage",
        ${at.start} as "start", ${at.ids} as "ids", ${at.state} as "state",
        ${at.updatedAt} as "updatedAt"
      from ${lists} where ${at.list} in (select ${at.list} from ${lists} where ${condition}) and (${at.pages} is not null
        or (${at.start} < ${first + pageSize} and ${at.start} + ${at.size} > ${first}))
      order by ${at.createdAt}, ${at.list}, ${at.start}`)
    return rows
      .filter(({ pages }) => pages !== null)
      .map(({ list, pages, certainPage, highestPage, state, updatedAt }) => {
        const parts = rows.filter((row) => row.list === list && row.ids !== null)
        const ids = parts.flatMap((part) => String(part.ids).split(','))
        return {
          list: String(list),
          pages: Number(pages),
          certainPage: Number(certainPage),
          highestPage: Number(highestPage),
          isListed: state !== null,
          lastRequestAt: new Date(String(updatedAt)),
          ids: ids.slice(first - Number(parts[0]?.start ?? first)).slice(0, pageSize),
        }
      })
  }

  /** What a pull asks for, as the admin shows it. */
  const askedOf = ({ asked, window, store, pageSize }: OrderSelection): Row => ({
    asked,
    windowStart: window?.after.toISOString(),
    windowEnd: window?.before.toISOString(),
    store: store?.value,
    pageSize,
  })

  /** Notes how far a pull has read, and what it got. Another process may do so at the same moment. */
  const note = async (pull: Pull, { selection, page, certainPage, counts }: Answered) => {
    const isKnown = pull.isListed && certainPage === pull.certainPage && page <= pull.highestPage
    const silentMs = Math.abs(now().getTime() - pull.lastRequestAt.getTime())
    // A shared list shows when it was read last, as its other pulls may be over.
    if (isKnown && certainPage > 0 && silentMs < notedAgainAfterMs) return
    const isNew = sql`${at.state} is null or ${at.highestPage} < ${page}`
    const added = (to: Column, count: number) =>
      sql`coalesce(${to}, 0) + case when ${isNew} then ${count} else 0 end`
    const state = sql`case when ${page} >= ${at.pages} or ${at.highestPage} >= ${at.pages}
      then 'complete' else 'under-way' end`
    await database.update(
      lists,
      {
        ...(!pull.isListed && { ...askedOf(selection), timesBegun: 1 }),
        state: database.isSqlite ? state : sql`(${state})::${sql.raw(columnType(at.state))}`,
        // Another pull may have joined the list since this one has read it.
        certainPage: sql`case when ${at.certainPage} = 0 then 0 else ${certainPage} end`,
        highestPage: sql`case when ${at.highestPage} < ${page} then ${page} else ${at.highestPage} end`,
        orders: added(at.orders, counts.orders),
        skipped: added(at.skipped, counts.skipped),
        updatedAt: now().toISOString(),
      },
      sql`${at.list} = ${pull.list} and ${at.pages} is not null`,
    )
  }

  /** Stores a pull of one page. It needs no list, and a single part has its orders. */
  const storeSingle = async (
    selection: OrderSelection,
    ids: readonly DocumentId[],
    { orders, skipped }: PageCounts,
  ): Promise<void> => {
    const [list, madeAt] = [newId(), now().toISOString()]
    const pages = ids.length > 0 ? 1 : 0
    const times = { createdAt: madeAt, updatedAt: madeAt }
    const reached = { pages, highestPage: pages, certainPage: pages + 1, state: 'complete' }
    const counts = { orders, skipped, timesBegun: 1 }
    const changes = {
      changedFrom: selection.window?.after.toISOString() ?? firstMoment,
      changedTo: selection.window?.before.toISOString() ?? lastMoment,
    }
    const part = { list, start: 0, size: ids.length, ids: ids.join(','), ...changes, ...times }
    await inOrder([
      // Lists of this window that were read to their end serve no later page of this pull.
      database.run(
        sql`update ${lists} set ${bareName(at.key)} = null where ${rowsWhere(
          sql`${at.key} = ${listKey(selection)} and ${at.certainPage} > ${at.pages}`,
        )}`,
      ),
      database.insertIgnoring(lists, [
        { list, ...askedOf(selection), ...reached, ...counts, ...times },
        ...(pages > 0 ? [part] : []),
      ]),
    ])
  }

  /** Deletes what is too old, once an hour. */
  const prune = async (): Promise<void> => {
    const nowMs = now().getTime()
    // The clock may have been set back since.
    if (Math.abs(nowMs - prunedAt) < pruneEveryMs) return
    prunedAt = nowMs
    const isOld = sql`${at.createdAt} < ${ago(pullLifetimeMs)}`
    await database.run(sql`delete from ${lists} where ${rowsWhere(isOld)}`)
  }

  return { read, note, storeSingle, prune }
}
