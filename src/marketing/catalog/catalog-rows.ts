import { sql, type Column, type SQL } from 'drizzle-orm'
import {
  bareName,
  column,
  columnType,
  selected,
  type Database,
  type Row,
} from '../../core/database/database.js'
import { jsonRows } from '../../core/database/json-rows.js'
import type { CatalogKind, CatalogWish } from '../klaviyo/catalog.js'
import { catalogSlug } from '../klaviyo/known-variants.js'
import type { EntryState } from './catalog-collection.js'

const names = [
  ...['id', 'kind', 'entryId', 'product', 'wish', 'wished', 'sent', 'known', 'heldBy'],
  ...['state', 'job', 'verb', 'tries', 'error', 'size', 'seen'],
] as const

type Name = (typeof names)[number]

type Values = Partial<Record<Name, unknown>>

/** Values for one row. `before` is what its `seen` was when the product was read. */
type GivenRow = Values & { id: string; before?: string | null | undefined }

export interface StoredEntry {
  id: string
  kind: CatalogKind
  entryId: string
  product: string
  wish: CatalogWish | null
  wished: string | null
  tries: number
  size: number
  seen: string | null
  error: unknown
}

/** The most entries that a job may have. */
export const jobEntriesAtMost = 100

/** The rows of the catalog, and the words in which its statements are written. */
export function catalogRows(database: Database) {
  const table = database.table(catalogSlug)
  const of = Object.fromEntries(names.map((name) => [name, column(table, name)])) as Record<
    Name,
    Column
  >
  const types = Object.fromEntries(names.map((name) => [name, columnType(of[name])]))
  const given = (name: Name | 'before') => sql`"given".${sql.identifier(name)}`
  // In the order of their ids, so that two processes do not wait for each other.
  const givenRows = (rows: readonly GivenRow[]) =>
    sql`${jsonRows(database, { ...types, before: 'text' }, [...rows].sort(byId))} as "given"`
  const list = (all: readonly SQL[]) => sql.join([...all], sql`, `)
  const set = (values: Values) =>
    list(
      Object.entries(values).map(([name, value]) => sql`${bareName(of[name as Name])} = ${value}`),
    )

  return {
    database,
    table,
    of,
    given,
    isIn: (...states: EntryState[]) =>
      sql`${of.state} in (${list(states.map((state) => sql.raw(`'${state}'`)))})`,
    /** For an entry of which nobody knows what Klaviyo has. Categories cannot be asked for. */
    unsure: sql`case when ${of.kind} = 'category' then 'due' else 'ask' end`,
    /** The next ones for one job or question: those that must go in smaller ones wait for the others. */
    inTurn: sql`order by ${of.size} desc, ${of.id} limit ${jobEntriesAtMost}`,

    /** The entries that an SQL text after `where` says. */
    read: async (rest: SQL): Promise<StoredEntry[]> =>
      (await database.rows(sql`select ${selected(of)} from ${table} where ${rest}`)).map(
        storedEntry,
      ),

    update: (values: Values, condition: SQL) =>
      database.run(sql`update ${table} set ${set(values)} where ${condition}`),

    /** Resolves to the entries that were changed, in the order of their ids. */
    async change(
      values: Values,
      condition: SQL,
      rows?: readonly GivenRow[],
    ): Promise<StoredEntry[]> {
      const from = rows ? sql`from ${givenRows(rows)}` : sql``
      const isGiven = rows ? sql`${of.id} = ${given('id')} and` : sql``
      const changed = await database.rows(sql`update ${table} set ${set(values)} ${from}
        where ${isGiven} ${condition} returning ${selected(of)}`)
      return changed.map(storedEntry).sort(byId)
    },

    /** Those that are there already stay. */
    async add(rows: readonly GivenRow[]): Promise<void> {
      if (rows.length === 0) return
      const filled = rows.map((row) => ({ tries: 0, size: jobEntriesAtMost, ...row }))
      await database.run(sql`insert into ${table} (${list(names.map((name) => bareName(of[name])))})
        select ${list(names.map(given))} from ${givenRows(filled)} where true order by "id"
        on conflict do nothing`)
    },
  }
}

export type CatalogRows = ReturnType<typeof catalogRows>

/** The order in which a job has its entries: Klaviyo's errors name their places. */
export const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)

function storedEntry(row: Row): StoredEntry {
  const { wish, error, ...rest } = row
  return {
    ...(rest as Omit<StoredEntry, 'wish' | 'error'>),
    wish: typeof wish === 'string' ? (JSON.parse(wish) as CatalogWish) : null,
    error: typeof error === 'string' ? JSON.parse(error) : undefined,
    tries: Number(row.tries),
    size: Number(row.size),
  }
}
