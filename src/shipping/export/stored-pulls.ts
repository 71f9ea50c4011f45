import { sql, type SQL } from 'drizzle-orm'
import type { DocumentId } from '../../core/database/document-id.js'
import { column, bareName, type Row } from '../../core/database/database.js'
import type { Shop } from '../../core/shop.js'
import { answeredPagesOf, type AnsweredPages } from '../pull-collection.js'
import { pullLifetimeMs } from '../pulls.js'
import { firstMoment, lastMoment, listKey, type ListTable } from './list-table.js'
import type { OrderSelection } from './select-orders.js'

export interface AnsweredOrders {
  sent: readonly DocumentId[]
  skipped: readonly DocumentId[]
}

export interface OpenPull {
  list: string
  pages: number
  answered: AnsweredPages
  /** The page that it was answered last; beyond its last page, the pull is over. 0: nobody knows. */
  certainPage: number
  /** Whether a page of it was answered, so that the admin lists it. */
  isListed: boolean
  lastRequestAt: Date
  ids: string[]
}

/** A page that a pull was answered, or one of several pulls. */
interface Answered {
  selection: OrderSelection
  page: number
  /** How many pulls are open, and how many of them may have asked. */
  found: { open: number; possible: number }
  orders: AnsweredOrders
}

/** A page that is asked for again within this time is not stored again. */
const storedAgainAfterMs = 60 * 1000

const pruneEveryMs = 60 * 60 * 1000

/** Reads and stores the pulls that are under way, and those of the last 30 days, for the admin. */
export function createStoredPulls({ database, effects }: Shop, table: ListTable) {
  const { now } = effects
  const { lists, at, ago, newId, rowsWhere, withoutKey, inOrder } = table
  let prunedAt = 0

  /** The pulls whose lists meet a condition, oldest first, each with its slice for this page. */
  const read = async (
    condition: SQL,
    { pageSize }: OrderSelection,
    page: number,
  ): Promise<OpenPull[]> => {
    const first = (page - 1) * pageSize
    const rows = await database.rows(sql`select ${at.list} as "list", ${at.pages} as "pages",
        ${at.certainPage} as "certainPage", ${at.highestPage} as "highestPage", ${at.answered} as "answered",
        ${at.start} as "start", ${at.ids} as "ids", ${at.state} as "state",
        ${at.updatedAt} as "updatedAt"
      from ${lists} where ${at.list} in (select ${at.list} from ${lists} where ${condition}) and (${at.pages} is not null
        or (${at.start} < ${first + pageSize} and ${at.start} + ${at.size} > ${first}))
      order by ${at.createdAt}, ${at.list}, ${at.start}`)
    return rows
      .filter(({ pages }) => pages !== null)
      .map((pull) => {
        const { list, pages, certainPage, state, updatedAt } = pull
        const parts = rows.filter((row) => row.list === list && row.ids !== null)
        const ids = parts.flatMap((part) => String(part.ids).split(','))
        return {
          list: String(list),
          pages: Number(pages),
          certainPage: Number(certainPage),
          answered: answeredPagesOf(pull),
          isListed: state !== null,
          lastRequestAt: new Date(String(updatedAt)),
          ids: ids.slice(first - Number(parts[0]?.start ?? first)).slice(0, pageSize),
        }
      })
  }

  const askedOf = ({ asked, window, store, pageSize }: OrderSelection): Row => ({
    asked,
    windowStart: window?.after.toISOString(),
    windowEnd: window?.before.toISOString(),
    store: store?.value,
    pageSize,
  })

  /** Stores a page that a pull was answered. False: another process has stored one since the pull was read. */
  const storeAsRead = async (pull: OpenPull, { selection, page, found, orders }: Answered) => {
    const isNew = !pull.answered.has(page)
    const answered = isNew ? pull.answered.withPage(page) : pull.answered
    const certainPage = certainAfter({ ...pull, answered }, page, found)
    const isKnown = pull.isListed && !isNew && certainPage === pull.certainPage
    const silentMs = Math.abs(now().getTime() - pull.lastRequestAt.getTime())
    // A shared list shows when it was read last, as its other pulls may be over.
    if (isKnown && certainPage > 0 && silentMs < storedAgainAfterMs) return true
    const count = (ids: readonly DocumentId[]) =>
      isNew ? ids.filter((id) => pull.ids.includes(String(id))).length : 0
    const begun = page === 1 || !pull.isListed ? 1 : 0
    const changes: Row = {
      ...(!pull.isListed && askedOf(selection)),
      state: answered.count >= pull.pages ? 'complete' : 'under-way',
      answered: answered.text,
      // Another pull may have joined the list since this one has read it.
      certainPage: sql`case when ${at.certainPage} = 0 then 0 else ${certainPage} end`,
      highestPage: sql`case when ${at.highestPage} < ${page} then ${page} else ${at.highestPage} end`,
      orders: sql`coalesce(${at.orders}, 0) + ${count(orders.sent)}`,
      skipped: sql`coalesce(${at.skipped}, 0) + ${count(orders.skipped)}`,
      timesBegun: sql`coalesce(${at.timesBegun}, 0) + ${begun}`,
      updatedAt: now().toISOString(),
    }
    const set = Object.entries(changes).map(
      ([name, value]) => sql`${bareName(column(lists, name))} = ${value ?? null}`,
    )
    const isAsRead = pull.isListed
      ? sql`coalesce(${at.answered}, '') in ('', ${pull.answered.text})`
      : sql`${at.state} is null`
    const rows = await database.rows(sql`update ${lists} set ${sql.join(set, sql`, `)}
      where ${at.list} = ${pull.list} and ${at.pages} is not null and ${isAsRead}
      returning ${at.list}`)
    return rows.length > 0
  }

  /** Stores how far a pull has read, and what it got. Another process may do so at the same moment. */
  const storeAnswer = async (pull: OpenPull, answered: Answered): Promise<void> => {
    const { selection, page } = answered
    if (page > pull.pages || (await storeAsRead(pull, answered))) return
    const [newer] = await read(sql`${at.list} = ${pull.list}`, selection, page)
    if (newer) await storeAnswer(newer, answered)
  }

  /** Stores a pull of one page. It needs no list, and a single part has its orders. */
  const storeSingle = async (
    selection: OrderSelection,
    ids: readonly DocumentId[],
    { sent, skipped }: AnsweredOrders,
  ): Promise<void> => {
    const [list, madeAt] = [newId(), now().toISOString()]
    const pages = ids.length > 0 ? 1 : 0
    const times = { createdAt: madeAt, updatedAt: madeAt }
    const answered = pages > 0 ? '1' : ''
    const reached = {
      pages,
      answered,
      highestPage: pages,
      certainPage: pages + 1,
      state: 'complete',
    }
    const counts = { orders: sent.length, skipped: skipped.length, timesBegun: 1 }
    const changes = {
      changedFrom: selection.window?.after.toISOString() ?? firstMoment,
      changedTo: selection.window?.before.toISOString() ?? lastMoment,
    }
    const part = { list, start: 0, size: ids.length, ids: ids.join(','), ...changes, ...times }
    await inOrder([
      // Lists of this window that were read to their end serve no later page of this pull.
      database.run(
        withoutKey(sql`${at.key} = ${listKey(selection)} and ${at.certainPage} > ${at.pages}`),
      ),
      database.insertIgnoring(lists, [
        { list, ...askedOf(selection), ...reached, ...counts, ...times },
        ...(pages > 0 ? [part] : []),
      ]),
    ])
  }

  const prune = async (): Promise<void> => {
    const nowMs = now().getTime()
    // The clock may have been set back since.
    if (Math.abs(nowMs - prunedAt) < pruneEveryMs) return
    prunedAt = nowMs
    const isOld = sql`${at.createdAt} < ${ago(pullLifetimeMs)}`
    await database.run(sql`delete from ${lists} where ${rowsWhere(isOld)}`)
  }

  return { read, storeAnswer, storeSingle, prune }
}

/** The page that a pull was answered last, after this page went to it or to one of several pulls. */
function certainAfter(
  { certainPage, pages, answered }: OpenPull,
  page: number,
  { open, possible }: Answered['found'],
): number {
  if (possible > 1 || certainPage === 0) return 0
  const isReadToItsEnd = answered.count === pages - answered.first + 1
  // While another pull is open, this one is not over: its last page may be requested again.
  return isReadToItsEnd && open === 1 ? pages + 1 : page
}
