import { sql, type SQL } from 'drizzle-orm'
import type { DocumentId } from '../../core/database/document-id.js'
import { column } from '../../core/database/database.js'
import { orderCondition } from '../../shop/orders/order-reader.js'
import type { Shop } from '../../core/shop.js'
import { createFixList } from './fix-list.js'
import { largestLimit, listKey, listLifetimeMs, listTable } from './list-table.js'
import type { OrderSelection } from './select-orders.js'
import { createStoredPulls, type AnsweredOrders, type OpenPull } from './stored-pulls.js'

/** One slice of the ordered list of ids that page 1 fixed. */
interface ListedPage {
  pages: number
  ids: DocumentId[]
  /** Stores that the page is answered. Until then, the pull is not listed, or the page is not in it. */
  answered: (orders: AnsweredOrders) => Promise<void>
}

/**
 * The ordered list of the ids of a pull. Page 1 fixes it with one statement, and later pages are slices of it, so
 * that orders which change between two pages are neither lost nor doubled (`docs/decisions/0001-export.md`).
 */
export function createOrderList(shop: Shop) {
  const { database, options, log } = shop
  const table = listTable(shop)
  const { at, ago } = table
  const fix = createFixList(shop, table)
  const pulls = createStoredPulls(shop, table)
  const orders = database.table(options.collections.orders)
  const id = column(orders, 'id')
  const updatedAt = column(orders, 'updatedAt')

  /** The ids of page 1, and one more if there is a page 2. */
  const readFirst = async (selection: OrderSelection): Promise<DocumentId[]> => {
    const most = Math.min(selection.pageSize, largestLimit) + 1
    const rows = await database.rows(sql`select ${id} as "id" from ${orders}
      where ${orderCondition(shop, selection)} order by ${updatedAt}, ${id} limit ${most}`)
    return rows.map((row) => row.id as DocumentId)
  }

  /** ShipStation gets its page also where that cannot be stored. */
  const stored = async (page: number, store: () => Promise<void>): Promise<void> => {
    try {
      await store()
      if (page === 1) await pulls.prune()
    } catch (error) {
      // A second pull may be mistaken for this one.
      log.warn({ err: error, page }, 'How far a pull has read could not be noted')
    }
  }

  /** The page for each pull that may have requested it; undefined when there is no such pull. */
  const readPage = async (
    condition: SQL,
    selection: OrderSelection,
    page: number,
  ): Promise<ListedPage | undefined> => {
    const open = await pulls.read(condition, selection, page)
    const possible = pullsOfPage(open, page)
    if (possible.length === 0) return undefined
    const found = { open: open.length, possible: possible.length }
    const ids = [...new Set(possible.flatMap((pull) => pull.ids))]
    return {
      pages: Math.max(...possible.map(({ pages }) => pages)),
      ids: id.dataType === 'string' ? ids : ids.map(Number),
      answered: (orders) =>
        stored(page, async () => {
          for (const pull of possible)
            await pulls.storeAnswer(pull, { selection, page, found, orders })
        }),
    }
  }

  return {
    async page(selection: OrderSelection, page: number): Promise<ListedPage> {
      const key = listKey(selection)
      const alive = sql`${at.key} = ${key} and ${at.createdAt} >= ${ago(listLifetimeMs)}`
      const found = page > 1 ? await readPage(alive, selection, page) : undefined
      if (found) return found

      const ids = await readFirst(selection)
      if (ids.length <= selection.pageSize) {
        // A later page of a window that has only one is none.
        const answered = (orders: AnsweredOrders) =>
          page === 1
            ? stored(page, () => pulls.storeSingle(selection, ids, orders))
            : Promise.resolve()
        return { pages: ids.length > 0 ? 1 : 0, ids: page === 1 ? ids : [], answered }
      }
      const own = await fix(selection, key, page)
      const none = { pages: 0, ids: [], answered: () => Promise.resolve() }
      return (await readPage(own, selection, page)) ?? none
    },
  }
}

/**
 * The pulls that a request for a page may belong to. A pull that reads its pages in order asks for the next one or
 * its last one again, one that does not for any page, and any pull for a page past its end.
 */
function pullsOfPage(open: OpenPull[], page: number): OpenPull[] {
  const possible = open.filter(({ pages, answered, certainPage }) => {
    const isNext = certainPage < page && (certainPage === page - 1 || answered.has(page - 1))
    const isAny = certainPage === 0 || !answered.isInOrder || page > pages
    return isAny || page === certainPage || isNext
  })
  return possible.length > 0 ? possible : open
}
