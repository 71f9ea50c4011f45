import { sql, type SQL } from 'drizzle-orm'
import { bareName } from '../../core/database/database.js'
import type { CatalogKind, CatalogTask } from '../klaviyo/catalog.js'
import { keyOf } from './catalog-entries.js'
import { byId, jobEntriesAtMost, type CatalogRows, type StoredEntry } from './catalog-rows.js'
import type { Settled } from './job-outcomes.js'

/** What Klaviyo has, and what it is asked for. Only who holds the lease writes it: for another one nothing changes. */
export function catalogWork(
  { database, table, of, given, isIn, unsure, inTurn, ...rows }: CatalogRows,
  isLeaseHeld: SQL,
) {
  const afresh = { tries: 0, size: jobEntriesAtMost, error: null }
  const isWanted = sql`${of.wish} is not null`
  const isKnown = sql`${of.known} is not null`
  /** Klaviyo has it under another product than the shop. */
  const hasMoved = sql`coalesce(${of.heldBy}, ${of.product}) <> ${of.product}`
  /** A question is about the id alone. */
  const isStillSo = sql`(${of.job} is null or coalesce(${of.wished}, '') = coalesce(${of.sent}, ''))`
  const isFound = sql`(${of.wished} = ${given('known')} and not ${hasMoved})`
  const update = (values: Parameters<typeof rows.update>[0], condition: SQL) =>
    rows.update(values, sql`${condition} and ${isLeaseHeld}`)
  const ofJob = (job: string) => sql`${of.job} = ${job} and ${isIn('sending', 'job')}`

  return {
    /** Klaviyo is asked what it has of everything, and what it refused goes again. */
    doubtAll: () =>
      update(
        { state: unsure, ...afresh },
        sql`(${isIn('refused')} or (${isIn('done')} and ${of.kind} <> 'category'))`,
      ),

    /** Nothing is known of another account. */
    forget: () =>
      update(
        { known: null, heldBy: null, job: null, sent: null, state: unsure, ...afresh },
        sql`true`,
      ),

    /** A process that died does not know whether Klaviyo got its job. */
    doubtLost: () => update({ state: unsure, job: null }, isIn('sending')),

    /** Whether anything waits for a call. */
    async hasWork(): Promise<boolean> {
      const some = await database.rows(
        sql`select 1 from ${table} where ${isIn('ask', 'due')} limit 1`,
      )
      return some.length > 0
    },

    /** Removes what is wanted gone, and is. What was never read is not yet known to be unwanted. */
    removeGone: () =>
      database.delete(
        table,
        sql`${isIn('due')} and ${of.wish} is null and ${of.known} is null
          and (${of.seen} is not null or ${of.product} = '') and ${isLeaseHeld}`,
      ),

    toAsk: async (kind: CatalogKind): Promise<StoredEntry[]> =>
      ofOneSize(await rows.read(sql`${isIn('ask')} and ${of.kind} = ${kind} ${inTurn}`)),

    /** What Klaviyo has. */
    noteKnown: (found: readonly { id: string; known: string | null }[]) =>
      rows.change(
        {
          known: given('known'),
          state: sql`case when ${isFound} then 'done' else 'due' end`,
          tries: sql`case when ${isFound} then 0 else ${of.tries} end`,
        },
        sql`${isIn('ask')} and ${isLeaseHeld}`,
        found,
      ),

    /** Takes what is next for a task into a job of ours. None: there is nothing, or it has to wait. */
    async take(task: CatalogTask, job: string): Promise<StoredEntry[]> {
      const isNext = sql`${isIn('due')} and ${of.kind} = ${task.kind} and ${mayGo(task)}`
      const next = ofOneSize(
        (await database.rows(
          sql`select ${of.id} as "id", ${of.size} as "size" from ${table} where ${isNext} ${inTurn}`,
        )) as { id: string; size: number }[],
      )
      if (next.length === 0) return []
      const values = {
        state: 'sending',
        job,
        verb: task.verb,
        sent: task.verb === 'delete' ? null : of.wished,
        ...(task.verb === 'create' && { heldBy: of.product }),
      }
      return rows.change(
        values,
        sql`${isIn('due')} and ${isLeaseHeld}`,
        next.map(({ id }) => ({ id })),
      )
    },

    /** Klaviyo has taken the job. */
    noteJob: (own: string, job: string) =>
      update({ state: 'job', job }, sql`${of.job} = ${own} and ${isIn('sending')}`),

    /** A job was not posted. */
    noteUnsent: (own: string) =>
      update({ state: 'due', job: null }, sql`${of.job} = ${own} and ${isIn('sending')}`),

    /** Nobody knows what became of a job. */
    noteLost: (job: string) => update({ state: unsure, job: null }, ofJob(job)),

    /** The jobs that Klaviyo works on. */
    openJobs: async () =>
      (await database.rows(sql`select distinct ${of.job} as "job", ${of.kind} as "kind",
        ${of.verb} as "verb" from ${table} where ${isIn('job')}`)) as unknown as (CatalogTask & {
        job: string
      })[],

    /** The entries of a job, in their order in it. */
    ofJob: async (job: string): Promise<StoredEntry[]> => (await rows.read(ofJob(job))).sort(byId),

    /** What became of the entries of a job, or of a question. What is wanted may have changed since. */
    settle: (entries: readonly Settled[]) =>
      rows.change(
        {
          known: sql`case when ${given('state')} = 'done' then ${of.sent} else ${of.known} end`,
          job: null,
          tries: given('tries'),
          size: given('size'),
          error: given('error'),
          state: sql`case
            when ${given('state')} = 'done' and ${of.wished} = ${of.sent} then 'done'
            when ${given('state')} = 'done' then 'due'
            when ${given('state')} = 'refused' and ${isStillSo} then 'refused'
            else ${unsure} end`,
        },
        sql`${isIn('ask', 'sending', 'job')} and coalesce(${of.job}, '') = coalesce(${given('job')}, '') and ${isLeaseHeld}`,
        entries,
      ),

    /** Those of these categories that Klaviyo has. */
    async categoriesThere(wanted: readonly string[]): Promise<ReadonlySet<string>> {
      const there = await database.rows(sql`select ${of.entryId} as "id" from ${table}
        where ${of.kind} = 'category' and ${isKnown} and ${database.isOneOf(of.entryId, wanted)}`)
      return new Set(there.map(({ id }) => String(id)))
    },

    /** Takes in what Klaviyo has of ours and the shop does not know. */
    adopt: (kind: CatalogKind, found: readonly string[]) =>
      rows.add(
        found.map((entryId) => {
          const entry = { kind, entryId, product: '' }
          return { ...entry, id: keyOf(entry), state: 'ask' }
        }),
      ),
  }

  /** An item comes after its categories and before its variants, and goes after them. */
  function mayGo({ kind, verb }: CatalogTask): SQL {
    const isVerb = {
      create: sql`${isWanted} and not ${isKnown}`,
      update: sql`${isWanted} and ${isKnown} and not ${hasMoved}`,
      // A variant never changes its item: it goes, and comes again.
      delete: sql`${isKnown} and (not ${isWanted} or ${hasMoved})`,
    }[verb]
    const other = (name: keyof typeof of) => sql`"other".${bareName(of[name])}`
    const isThere = (condition: SQL) =>
      sql`exists (select 1 from ${table} as "other" where ${condition})`
    const hasAtKlaviyo = (kindOfOther: CatalogKind, condition = sql`true`) =>
      isThere(sql`${other('product')} = ${of.product} and ${of.product} <> ''
        and ${other('kind')} = ${kindOfOther} and ${other('known')} is not null and ${condition}`)
    /** While it is in doubt or being deleted, nobody knows whether Klaviyo still has it. */
    const isCertain = sql`not (${other('state')} = 'ask'
      or (${other('state')} in ('sending', 'job') and ${other('verb')} = 'delete'))`
    if (kind === 'variant')
      return verb === 'create' ? sql`${isVerb} and ${hasAtKlaviyo('item', isCertain)}` : isVerb
    if (kind === 'category') return isVerb
    return verb === 'delete'
      ? sql`${isVerb} and not ${hasAtKlaviyo('variant')}`
      : sql`${isVerb} and not ${isThere(sql`${other('kind')} = 'category' and ${other('state')} in ('due', 'sending', 'job')`)}`
  }
}

export type CatalogWork = ReturnType<typeof catalogWork>

/** Those that must go in smaller jobs wait for the others, and go in jobs of that size. */
function ofOneSize<Entry extends { size: number }>(entries: readonly Entry[]): Entry[] {
  const size = Number(entries[0]?.size ?? 0)
  return entries.filter((each) => Number(each.size) === size).slice(0, size)
}
