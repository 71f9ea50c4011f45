import { sql, type SQL } from 'drizzle-orm'
import {
  bareName,
  column,
  columnType,
  type Connection,
  type Database,
  type Row,
} from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { jsonRows } from '../../core/database/json-rows.js'
import { countedAtMost } from '../../core/matter.js'
import type { KlaviyoError } from '../klaviyo/call-answer.js'
import type { CatalogKind, CatalogTask, CatalogVerb, CatalogWish } from '../klaviyo/catalog.js'
import { catalogSlug, type EntryState } from './catalog-collection.js'
import { digestOfWish, keyOf, type WantedEntry } from './catalog-entries.js'
import type { EntryOutcome, JobEntry } from './job-outcomes.js'

const names = [
  ...['id', 'kind', 'entryId', 'product', 'wish', 'wished', 'sent', 'known'],
  ...['state', 'job', 'verb', 'tries', 'error', 'size', 'seen'],
] as const

/** The most entries that a job may have. */
const jobEntriesAtMost = 100

/** What every new entry begins with. Categories cannot be asked for. */
const firstState = (kind: CatalogKind): EntryState => (kind === 'category' ? 'due' : 'ask')

export interface StoredEntry extends JobEntry {
  entryId: string
  product: string
  wish: CatalogWish | null
  wished: string | null
}

export interface Counts {
  wanted: number
  done: number
  refused: number
}

/**
 * The rows of the catalog. Who reads the shop writes what is wanted, and who holds the lease what Klaviyo has of it: no
 * two write the same columns, but for the state, which the statements themselves decide.
 *
 * @throws {TypeError} when the database lacks the collection.
 */
export function catalogTable(database: Database) {
  const table = database.table(catalogSlug)
  const of = Object.fromEntries(names.map((name) => [name, column(table, name)])) as Record<
    (typeof names)[number],
    ReturnType<typeof column>
  >
  const shape = Object.fromEntries(names.map((name) => [name, columnType(of[name])]))
  const isOneOfStates = (...states: EntryState[]) =>
    sql`${of.state} in (${sql.join(
      states.map((state) => sql.raw(`'${state}'`)),
      sql`, `,
    )})`
  const same = (one: SQL, other: SQL) => sql`coalesce(${one}, '') = coalesce(${other}, '')`
  const set = (values: Readonly<Record<string, unknown>>) =>
    sql.join(
      Object.entries(values).map(
        ([name, value]) => sql`${bareName(column(table, name))} = ${value}`,
      ),
      sql`, `,
    )
  const unsure = sql`case when ${of.kind} = 'category' then 'due' else 'ask' end`
  const afresh = { tries: 0, size: jobEntriesAtMost, error: null }
  const columns = sql`${of.id} as "id", ${of.kind} as "kind", ${of.entryId} as "entryId",
    ${of.product} as "product", ${of.wish} as "wish", ${of.wished} as "wished",
    ${of.tries} as "tries", ${of.size} as "size"`

  const update = (values: Readonly<Record<string, unknown>>, condition: SQL) =>
    database.run(sql`update ${table} set ${set(values)} where ${condition}`)

  const ids = async (query: SQL): Promise<string[]> =>
    (await database.rows(query)).map(({ id }) => String(id))

  return {
    /** Writes what is wanted. What is wanted already stays as it is. */
    async want(entries: readonly WantedEntry[], seen: string): Promise<void> {
      const rows = entries.map(({ wish, ...entry }) => ({
        ...entry,
        id: keyOf(entry),
        wish: wish && JSON.stringify(wish),
        wished: wish && digestOfWish(entry.kind, wish),
        state: firstState(entry.kind),
        tries: 0,
        size: jobEntriesAtMost,
        seen,
      }))
      if (rows.length === 0) return
      const written = [
        'id',
        'kind',
        'entryId',
        'product',
        'wish',
        'wished',
        'state',
        'tries',
        'size',
        'seen',
      ] as const
      const target = sql.join(
        written.map((name) => bareName(of[name])),
        sql`, `,
      )
      const values = sql.join(
        written.map((name) => sql`${sql.identifier(name)}`),
        sql`, `,
      )
      const added = Object.fromEntries(written.map((name) => [name, shape[name] ?? 'text']))
      const isNews = sql`coalesce(${of.wished}, '') <> coalesce(excluded.${bareName(of.wished)}, '')`
      const ifNews = (value: SQL, otherwise: SQL) =>
        sql`case when ${isNews} then ${value} else ${otherwise} end`
      const kept = (name: 'product' | 'wish' | 'wished' | 'seen') =>
        sql`excluded.${bareName(of[name])}`
      // Rows are written in the order of their ids, so that two processes cannot deadlock.
      await database.run(sql`insert into ${table} (${target})
        select ${values} from ${jsonRows(database, added, rows)} as "added" where true order by "id"
        on conflict (${bareName(of.id)}) do update set ${set({
          product: kept('product'),
          wish: kept('wish'),
          seen: kept('seen'),
          state: sql`case when ${isNews} and ${isOneOfStates('done', 'refused')} then 'due' else ${of.state} end`,
          tries: ifNews(sql`0`, sql`${of.tries}`),
          size: ifNews(sql`${jobEntriesAtMost}`, sql`${of.size}`),
          error: ifNews(sql`null`, sql`${of.error}`),
          wished: kept('wished'),
        })}`)
    },

    /** Removes what is wanted gone, and is. */
    removeGone: (isLeaseHeld: SQL) =>
      database.delete(
        table,
        sql`${isOneOfStates('due')} and ${of.wish} is null and ${of.known} is null and ${isLeaseHeld}`,
      ),

    /** The entries of these products. */
    async ofProducts(products: readonly string[]): Promise<StoredEntry[]> {
      const rows = await database.rows(
        sql`select ${columns} from ${table} where ${database.isOneOf(of.product, products)}`,
      )
      return rows.map(storedEntry)
    },

    /** Has a product be read again, within the transaction that deletes something of it. */
    readAgain: (connection: Connection, product: DocumentId) =>
      connection.update(table, { seen: null }, sql`${of.product} = ${String(product)}`),

    /** The products that are to be read again. */
    async stale(atMost: number): Promise<string[]> {
      return ids(sql`select distinct ${of.product} as "id" from ${table}
        where ${of.seen} is null and ${of.product} <> '' limit ${atMost}`)
    },

    /** The products that were not read since are to be read again. */
    notSeenSince: (begun: string, isLeaseHeld: SQL) =>
      update({ seen: null }, sql`${of.seen} < ${begun} and ${of.product} <> '' and ${isLeaseHeld}`),

    /** Klaviyo is asked what it has of everything, and what it refused goes again. */
    doubtAll: (isLeaseHeld: SQL) =>
      update(
        { state: unsure, ...afresh },
        sql`${isLeaseHeld} and (${isOneOfStates('refused')} or (${isOneOfStates('done')} and ${of.kind} <> 'category'))`,
      ),

    /** Another account has nothing that is known. */
    forget: (isLeaseHeld: SQL) =>
      update({ known: null, job: null, sent: null, state: unsure, ...afresh }, isLeaseHeld),

    /** A process that died does not know whether Klaviyo got its job. */
    doubtLost: (isLeaseHeld: SQL) =>
      update({ state: unsure, job: null }, sql`${isOneOfStates('sending')} and ${isLeaseHeld}`),

    /** Whether anything waits for a call, or a product to be read again. */
    async hasWork(): Promise<boolean> {
      const rows =
        await database.rows(sql`select 1 from ${table} where ${isOneOfStates('ask', 'due')}
        union all select 1 from ${table} where ${of.seen} is null and ${of.product} <> '' limit 1`)
      return rows.length > 0
    },

    async toAsk(kind: CatalogKind, atMost: number): Promise<StoredEntry[]> {
      const rows = await database.rows(sql`select ${columns} from ${table}
        where ${isOneOfStates('ask')} and ${of.kind} = ${kind} order by ${of.id} limit ${atMost}`)
      return rows.map(storedEntry)
    },

    /** What Klaviyo has. */
    async noteKnown(
      found: readonly { id: string; known: string | null }[],
      isLeaseHeld: SQL,
    ): Promise<void> {
      const rows = jsonRows(
        database,
        { id: shape.id ?? 'text', known: shape.known ?? 'text' },
        found,
      )
      await database.run(sql`update ${table} set ${set({
        known: sql`"found"."known"`,
        state: sql`case when ${of.wished} = "found"."known" then 'done' else 'due' end`,
      })} from ${rows} as "found"
        where ${of.id} = "found"."id" and ${isOneOfStates('ask')} and ${isLeaseHeld}`)
    },

    /** Takes what is next for a task into a job of ours. None: there is nothing, or it has to wait. */
    async take(task: CatalogTask, job: string, isLeaseHeld: SQL): Promise<StoredEntry[]> {
      const candidates = await database.rows(sql`select ${of.id} as "id", ${of.size} as "size"
        from ${table} where ${isOneOfStates('due')} and ${of.kind} = ${task.kind} and ${mayGo(task)}
        order by ${of.size} desc, ${of.id} limit ${jobEntriesAtMost}`)
      const size = Number(candidates[0]?.size ?? 0)
      const chosen = candidates
        .filter((each) => Number(each.size) === size)
        .slice(0, size)
        .map(({ id }) => String(id))
      if (chosen.length === 0) return []
      const rows = await database.rows(sql`update ${table} set ${set({
        state: 'sending',
        job,
        verb: task.verb,
        sent: sql`${of.wished}`,
      })} where ${database.isOneOf(of.id, chosen)} and ${isOneOfStates('due')} and ${isLeaseHeld}
        returning ${columns}`)
      return inOrder(rows.map(storedEntry))
    },

    /** Klaviyo has taken the job. */
    noteJob: (own: string, job: string, isLeaseHeld: SQL) =>
      update(
        { state: 'job', job },
        sql`${of.job} = ${own} and ${isOneOfStates('sending')} and ${isLeaseHeld}`,
      ),

    /** A job was not posted. */
    noteUnsent: (own: string, isLeaseHeld: SQL) =>
      update({ state: 'due', job: null }, sql`${of.job} = ${own} and ${isLeaseHeld}`),

    /** Nobody knows what became of a job. */
    noteLost: (job: string, isLeaseHeld: SQL) =>
      update(
        { state: unsure, job: null },
        sql`${of.job} = ${job} and ${isOneOfStates('sending', 'job')} and ${isLeaseHeld}`,
      ),

    /** The jobs that Klaviyo works on. */
    async openJobs(): Promise<(CatalogTask & { job: string })[]> {
      const rows = await database.rows(sql`select distinct ${of.job} as "job", ${of.kind} as "kind",
        ${of.verb} as "verb" from ${table} where ${isOneOfStates('job')}`)
      return rows.map(({ job, kind, verb }) => ({
        job: String(job),
        kind: kind as CatalogKind,
        verb: verb as CatalogVerb,
      }))
    },

    /** The entries of a job, in their order in it. */
    async ofJob(job: string): Promise<StoredEntry[]> {
      const rows = await database.rows(sql`select ${columns} from ${table}
        where ${of.job} = ${job} and ${isOneOfStates('sending', 'job')}`)
      return inOrder(rows.map(storedEntry))
    },

    /** What became of the entries of a job. What is wanted may have changed since the job was made. */
    async settle(
      job: string,
      { entries, outcomes }: { entries: readonly StoredEntry[]; outcomes: readonly EntryOutcome[] },
      isLeaseHeld: SQL,
    ): Promise<void> {
      const others = entries.flatMap(({ id, size }, place) => {
        const outcome = outcomes[place]
        if (outcome === undefined || outcome.is === 'done') return []
        const error = outcome.is === 'refused' ? JSON.stringify(outcome.error) : null
        return [{ id, size, error, ...outcome }].map(({ id, tries, size, error }) => ({
          id,
          tries,
          size,
          error,
        }))
      })
      if (others.length > 0) {
        const rows = jsonRows(
          database,
          { id: 'text', tries: 'integer', size: 'integer', error: 'text' },
          others,
        )
        const isStill = same(sql`${of.wished}`, sql`${of.sent}`)
        await database.run(sql`update ${table} set ${set({
          job: null,
          tries: sql`"others"."tries"`,
          size: sql`"others"."size"`,
          error: sql`"others"."error"`,
          state: sql`case when "others"."error" is not null and ${isStill} then 'refused' else ${unsure} end`,
        })} from ${rows} as "others"
          where ${of.id} = "others"."id" and ${of.job} = ${job} and ${isLeaseHeld}`)
      }
      await update(
        {
          known: sql`${of.sent}`,
          job: null,
          ...afresh,
          state: sql`case when ${of.wished} = ${of.sent} then 'done' else 'due' end`,
        },
        sql`${of.job} = ${job} and ${isOneOfStates('job')} and ${isLeaseHeld}`,
      )
    },

    /** Those of these categories that Klaviyo has. */
    async categoriesThere(wanted: readonly string[]): Promise<ReadonlySet<string>> {
      const there = await ids(sql`select ${of.entryId} as "id" from ${table}
        where ${of.kind} = 'category' and ${of.known} is not null
          and ${database.isOneOf(of.entryId, wanted)}`)
      return new Set(there)
    },

    /** Takes in what Klaviyo has of ours and the shop does not know. */
    adopt: async (kind: CatalogKind, found: readonly string[]): Promise<void> => {
      if (found.length === 0) return
      await database.insertIgnoring(
        table,
        found.map((entryId) => ({
          id: keyOf({ kind, entryId }),
          kind,
          entryId,
          product: '',
          state: 'ask',
          tries: 0,
          size: jobEntriesAtMost,
        })),
      )
    },

    async counts(): Promise<Counts> {
      const rows = await database.rows(sql`select ${of.state} as "state", count(*) as "count"
        from ${table} where ${of.kind} <> 'category' and ${of.wish} is not null group by ${of.state}`)
      const countOf = (wanted: EntryState) =>
        Number(rows.find(({ state }) => state === wanted)?.count ?? 0)
      const wanted = rows.reduce((sum, { count }) => sum + Number(count), 0)
      return { wanted, done: countOf('done'), refused: countOf('refused') }
    },

    /** What Klaviyo refuses: how many, and one of them. */
    async refused(): Promise<
      { count: number; entry: StoredEntry; error: KlaviyoError } | undefined
    > {
      const condition = sql`${table} where ${isOneOfStates('refused')}`
      const [row] = await database.rows(
        sql`select ${columns}, ${of.error} as "error" from ${condition} order by ${of.id} limit 1`,
      )
      if (row === undefined) return undefined
      const count = await database.count(condition, countedAtMost)
      const error = JSON.parse(String(row.error)) as KlaviyoError
      return { count, entry: storedEntry(row), error }
    },
  }

  /** An item comes after its categories and before its variants, and goes after them. */
  function mayGo({ kind, verb }: CatalogTask): SQL {
    const isVerb = {
      create: sql`${of.known} is null and ${of.wish} is not null`,
      update: sql`${of.known} is not null and ${of.wish} is not null`,
      delete: sql`${of.known} is not null and ${of.wish} is null`,
    }[verb]
    const other = (condition: SQL) =>
      sql`exists (select 1 from ${table} as "other" where ${condition})`
    const o = (name: (typeof names)[number]) => sql`"other".${bareName(of[name])}`
    const ofSameProduct = (kindOfOther: CatalogKind) =>
      sql`${o('product')} = ${of.product} and ${of.product} <> '' and ${o('kind')} = ${kindOfOther}
        and ${o('known')} is not null`
    if (kind === 'item' && verb !== 'delete') {
      return sql`${isVerb} and not ${other(sql`${o('kind')} = 'category' and ${o('state')} in ('due', 'sending', 'job')`)}`
    }
    if (kind === 'item') return sql`${isVerb} and not ${other(ofSameProduct('variant'))}`
    if (kind === 'variant' && verb === 'create')
      return sql`${isVerb} and ${other(ofSameProduct('item'))}`
    return isVerb
  }
}

export type CatalogTable = ReturnType<typeof catalogTable>

function storedEntry(row: Row): StoredEntry {
  const { id, kind, entryId, product, wish, wished, tries, size } = row
  return {
    id: String(id),
    kind: kind as CatalogKind,
    entryId: String(entryId),
    product: String(product),
    wish: typeof wish === 'string' ? (JSON.parse(wish) as CatalogWish) : null,
    wished: typeof wished === 'string' ? wished : null,
    tries: Number(tries),
    size: Number(size),
  }
}

/** A job has its entries in the order of their ids, so that Klaviyo's errors can be told by their places. */
const inOrder = (entries: StoredEntry[]): StoredEntry[] =>
  entries.sort((one, other) => (one.id < other.id ? -1 : 1))
