import { sql } from 'drizzle-orm'
import type { Connection } from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { countedAtMost } from '../../core/matter.js'
import type { KlaviyoError } from '../klaviyo/call-answer.js'
import type { EntryState } from './catalog-collection.js'
import { digestOfWish, keyOf, type WantedEntry } from './catalog-entries.js'
import { jobEntriesAtMost, type CatalogRows, type StoredEntry } from './catalog-rows.js'

export interface Counts {
  wanted: number
  done: number
  refused: number
}

/** A statement that writes more rows holds up the shoppers of a shop on SQLite. */
const rowsAtOnce = 250

/** How `seen` begins when the product is to be read again. It is behind all moments. */
const again = 'again'

/**
 * What the shop wants Klaviyo to have. Any process writes it; who holds the lease writes the other columns
 * (`catalog-work.ts`). The state is decided by the statements themselves.
 */
export function catalogTable({ database, table, of, given, isIn, ...rows }: CatalogRows) {
  const isNews = sql`(coalesce(${of.wished}, '') <> coalesce(${given('wished')}, '')
    or ${of.product} <> ${given('product')})`
  const ifNews = (value: unknown, otherwise: unknown) =>
    sql`case when ${isNews} then ${value} else ${otherwise} end`
  const isAsBefore = sql`(coalesce(${of.seen}, '') = coalesce(${given('before')}, '')
    or ${of.product} <> ${given('product')})`

  async function want(wanted: readonly WantedEntry[], { before, seen }: Reading): Promise<boolean> {
    const stored = new Map(before.map((entry) => [entry.id, entry]))
    const all = wanted.map(({ wish, ...entry }) => ({
      ...entry,
      id: keyOf(entry),
      wish: wish && JSON.stringify(wish),
      wished: wish && digestOfWish(entry.kind, wish),
      before: stored.get(keyOf(entry))?.seen,
      // A product that was deleted during its first reading had no row to mark, so what is new is read once more.
      seen: stored.has(keyOf(entry)) ? seen : again,
    }))
    const unknown = all.filter(({ id }) => !stored.has(id))
    await rows.add(
      unknown.map((row) =>
        row.kind === 'category'
          ? { ...row, seen: null, state: 'due' }
          : { ...row, seen: null, wish: null, wished: null, state: 'ask' },
      ),
    )
    // A category is as it was ever since: its id is made of its name.
    const others = all.filter(({ kind }) => kind !== 'category')
    const values = {
      product: given('product'),
      wish: given('wish'),
      wished: given('wished'),
      seen: given('seen'),
      state: sql`case when ${isNews} and ${isIn('done', 'refused')} then 'due' else ${of.state} end`,
      tries: ifNews(sql`0`, of.tries),
      size: ifNews(sql`${jobEntriesAtMost}`, of.size),
      error: ifNews(sql`null`, of.error),
    }
    return (await rows.change(values, isAsBefore, others)).length === others.length
  }

  return {
    /**
     * Writes what is wanted. What is wanted already stays as it is. Resolves to false when somebody else has written some
     * of it since the reading began: that stays too.
     */
    async want(wanted: readonly WantedEntry[], reading: Reading): Promise<boolean> {
      let isWhole = true
      for (let first = 0; first < wanted.length; first += rowsAtOnce)
        isWhole = (await want(wanted.slice(first, first + rowsAtOnce), reading)) && isWhole
      return isWhole
    },

    ofProducts: (products: readonly string[]): Promise<StoredEntry[]> =>
      rows.read(database.isOneOf(of.product, products)),

    /** Has products be read again. `mark` is another one each time, so that no reading under way takes it away. */
    readAgain: (
      products: readonly DocumentId[],
      { mark, connection = database }: { mark: string; connection?: Connection },
    ) =>
      connection.update(
        table,
        { seen: `${again} ${mark}` },
        database.isOneOf(of.product, products.map(String)),
      ),

    /** The same of those that were not read since. */
    notSeenSince: (begun: string) =>
      rows.update({ seen: again }, sql`${of.seen} < ${begun} and ${of.product} <> ''`),

    /** The products that are to be read again. */
    async stale(atMost: number): Promise<string[]> {
      const stale = await database.rows(sql`select distinct ${of.product} as "id" from ${table}
        where ${of.product} <> '' and (${of.seen} is null or ${of.seen} >= ${again}) limit ${atMost}`)
      return stale.map(({ id }) => String(id))
    },

    async counts(): Promise<Counts> {
      const counted = await database.rows(sql`select ${of.state} as "state", count(*) as "count"
        from ${table} where ${of.kind} <> 'category' and ${of.wish} is not null group by ${of.state}`)
      const countOf = (wanted: EntryState) =>
        Number(counted.find(({ state }) => state === wanted)?.count ?? 0)
      const wanted = counted.reduce((sum, { count }) => sum + Number(count), 0)
      return { wanted, done: countOf('done'), refused: countOf('refused') }
    },

    /** What Klaviyo refuses: how many, and one of them. */
    async refused(): Promise<
      { count: number; entry: StoredEntry; error: KlaviyoError } | undefined
    > {
      const [entry] = await rows.read(sql`${isIn('refused')} order by ${of.id} limit 1`)
      if (entry === undefined) return undefined
      const count = await database.count(sql`${table} where ${isIn('refused')}`, countedAtMost)
      return { count, entry, error: entry.error as KlaviyoError }
    },
  }
}

/** `before`: the rows of the products as they were before these were read. `seen` names the reading. */
interface Reading {
  before: readonly StoredEntry[]
  seen: string
}

export type CatalogTable = ReturnType<typeof catalogTable>
