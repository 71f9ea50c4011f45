import { sql, type SQL } from 'drizzle-orm'
import { column, momentOf } from '../core/database/database.js'
import type { DocumentId } from '../core/database/document-id.js'
import type { Shop } from '../core/shop.js'
import { referenceOf } from '../shop/orders/stored-value.js'
import { answeredPagesOf, type AnsweredPages } from './pull-collection.js'
import { pullOf, pullTable, type Pull } from './pulls.js'
import { countedAtMost, ordersNamed, type NamedOrder } from '../core/matter.js'

/** A pull that nobody has finished. */
export interface UnfinishedPull extends Pull {
  list: string
  answered: AnsweredPages
  pageSize: number
  timesBegun: number
  /** Whether a later pull that is still under way asks for the same. */
  isAskedAgain: boolean
}

/** So many beginnings in turn that got no further than page 1 are no accident. */
const firstPagesInTurn = 3

/** Pulls of a store that found nothing: one alone proves nothing. */
const emptyPulls = 2

export function createWatchedPulls({ database, options, effects }: Shop) {
  const { table, of, selected } = pullTable({ database })
  const pull = (field: string) => of('pull', field)
  const isListed = sql`${pull('state')} is not null`
  const from = sql`from ${table} as "pull" where ${isListed}`
  const newestFirst = sql`order by ${pull('createdAt')} desc`

  /** A later pull that asks for all that this one does, and of which something is true. */
  const isCovered = (by: SQL): SQL => {
    const later = (field: string) => of('later', field)
    return sql`exists (select 1 from ${table} as "later"
      where ${later('createdAt')} > ${pull('createdAt')} and ${by}
        and (${later('windowStart')} is null or ${later('windowStart')} <= ${pull('windowStart')})
        and (${later('windowEnd')} is null or ${later('windowEnd')} >= ${pull('windowEnd')})
        and (${later('store')} is null or ${later('store')} = ${pull('store')}))`
  }

  const newest = async (condition: SQL): Promise<Pull | undefined> => {
    const [row] = await database.rows(
      sql`select ${selected} ${from} and ${condition} ${newestFirst} limit 1`,
    )
    return row && pullOf(row)
  }
  const ofStore = (store: string | undefined): SQL =>
    store === undefined ? sql`${pull('store')} is null` : sql`${pull('store')} = ${store}`

  return {
    /**
     * The pulls that were silent since before `until` or begun again and again, without those that a later one has
     * made good.
     */
    async unfinished(until: Date): Promise<UnfinishedPull[]> {
      const at = until.toISOString()
      const isComplete = isCovered(sql`${of('later', 'state')} = 'complete'`)
      const isUnderWay = isCovered(
        sql`${of('later', 'state')} = 'under-way' and ${of('later', 'updatedAt')} > ${at}`,
      )
      const rows =
        await database.rows(sql`select ${selected}, ${pull('timesBegun')} as "timesBegun",
          case when ${isUnderWay} then 1 else 0 end as "isAskedAgain"
        from ${table} as "pull" where ${pull('state')} = 'under-way' and (${pull('updatedAt')} <= ${at}
            or (${pull('highestPage')} = 1 and ${pull('timesBegun')} >= ${firstPagesInTurn}))
          and not ${isComplete}
        ${newestFirst} limit ${countedAtMost}`)
      return rows.map((row) => ({
        ...pullOf(row),
        list: String(row.list),
        answered: answeredPagesOf(row),
        pageSize: Number(row.pageSize),
        timesBegun: Number(row.timesBegun),
        isAskedAgain: Number(row.isAskedAgain) === 1,
      }))
    },

    /** Whether the last pulls of several pages, of those that are unfinished, all got no further than page 1. */
    async isFirstPageOnly(unfinished: readonly UnfinishedPull[]): Promise<boolean> {
      let times = 0
      for (const { at, pagesAnswered, timesBegun } of unfinished) {
        if (pagesAnswered > 1) return false
        times += timesBegun
        if (times < firstPagesInTurn) continue
        const further = await newest(
          sql`${pull('createdAt')} >= ${at.toISOString()} and ${pull('highestPage')} > 1`,
        )
        return further === undefined
      }
      return false
    },

    /** The first orders of the pages that a pull was not answered. */
    async ordersBehind({
      list,
      answered,
      answeredTo,
      pageSize,
    }: UnfinishedPull): Promise<NamedOrder[]> {
      const place = answeredTo * pageSize
      const [start, ids] = [of('part', 'start'), of('part', 'ids')]
      const parts = await database.rows(sql`select ${start} as "start", ${ids} as "ids"
        from ${table} as "part" where ${of('part', 'list')} = ${list}
          and ${start} + ${of('part', 'size')} > ${place} and ${start} < ${place + ordersNamed}
        order by ${start}`)
      const listed = parts.flatMap((part) => {
        const first = Math.max(0, place - Number(part.start))
        return String(part.ids)
          .split(',')
          .slice(first, first + ordersNamed)
          .filter((_, index) => {
            const at = Number(part.start) + first + index
            return !answered.has(Math.floor(at / pageSize) + 1)
          })
      })
      const orders = database.table(options.collections.orders)
      const id = column(orders, 'id')
      const wanted = listed
        .slice(0, ordersNamed)
        .map((each) => (id.dataType === 'string' ? each : Number(each)))
      const rows = await database.rows(sql`select ${id} as "id",
          ${referenceOf(orders, options)} as "number"
        from ${orders} where ${database.isOneOf(id, wanted)}`)
      const numbers = new Map(rows.map((row) => [String(row.id), String(row.number ?? row.id)]))
      return wanted.flatMap((each): { id: DocumentId; number: string }[] => {
        const number = numbers.get(String(each))
        return number === undefined ? [] : [{ id: each, number }]
      })
    },

    /** The stores whose pulls have found nothing since a moment. Undefined: too few pulls were since. */
    async findingNothing(since: Date) {
      const now = effects.now().toISOString()
      const rows = await database.rows(sql`select ${pull('store')} as "store",
          max(${pull('pages')}) as "pages", count(*) as "pulls"
        ${from} and ${pull('createdAt')} > ${since.toISOString()} and ${pull('createdAt')} <= ${now}
        group by ${pull('store')}`)
      const empty = rows.filter(({ pages }) => Number(pages) === 0)
      const proving = empty.filter(({ pulls }) => Number(pulls) >= emptyPulls)
      if (proving.length === 0 && empty.length === rows.length) return undefined
      return Promise.all(
        proving.map(async ({ store }) => {
          const condition = ofStore(typeof store === 'string' ? store : undefined)
          return {
            last: await newest(condition),
            found: await newest(sql`${condition} and ${pull('pages')} > 0`),
          }
        }),
      )
    },

    async firstAt(): Promise<Date | undefined> {
      const [row] = await database.rows(sql`select ${pull('createdAt')} as "at" ${from}
        order by ${pull('createdAt')} limit 1`)
      return momentOf(row?.at)
    },
  }
}
