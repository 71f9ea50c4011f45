import { sql, type SQL } from 'drizzle-orm'
import { bareName, column, columnType, type Database } from '../../core/database/database.js'
import { jsonRows } from '../../core/database/json-rows.js'
import type { KlaviyoError } from '../klaviyo/call-answer.js'
import type { CouponCode } from '../klaviyo/coupons.js'
import { callLimits } from '../klaviyo/limits.js'
import type { CodeOutcome } from './code-outcomes.js'
import { couponCodesSlug, type CodeState } from './coupon-collection.js'

/** The codes that the store has made, and the words in which their statements are written. */
export function couponCodes(database: Database) {
  const table = database.table(couponCodesSlug)
  const of = {
    id: column(table, 'id'),
    state: column(table, 'state'),
    job: column(table, 'job'),
    expiresAt: column(table, 'expiresAt'),
    usedAt: column(table, 'usedAt'),
    error: column(table, 'error'),
  }
  const isIn = (...states: CodeState[]) =>
    sql`${of.state} in (${sql.raw(states.map((state) => `'${state}'`).join(', '))})`

  return {
    database,
    table,
    of,
    isIn,

    /** Whether a code may still be used. */
    async isGood(code: string, now: Date): Promise<boolean> {
      const found = await database.rows(sql`select 1 from ${table} where ${of.id} = ${code}
        and ${of.usedAt} is null and ${of.expiresAt} > ${now.toISOString()}`)
      return found.length > 0
    },

    /** Notes those of these codes that are ours. What was noted stays. */
    noteUsed: (codes: readonly string[], now: Date) =>
      database.run(sql`update ${table} set ${bareName(of.usedAt)} = ${now.toISOString()},
        ${bareName(of.state)} = case when ${isIn('there')} then 'used' else ${of.state} end
        where ${database.isOneOf(of.id, codes)} and ${of.usedAt} is null`),

    /** Why Klaviyo refuses the first of those that it refuses; undefined when it refuses none. */
    async refusal(): Promise<KlaviyoError | undefined> {
      const [row] = await database.rows(sql`select ${of.error} as "error" from ${table}
        where ${isIn('refused')} order by ${of.id} limit 1`)
      return row && (JSON.parse(String(row.error)) as KlaviyoError)
    },
  }
}

export type CouponCodes = ReturnType<typeof couponCodes>

/** What becomes of the codes. Only who holds the lease writes it: for another one nothing changes. */
export function couponWork(
  { database, table, of, isIn }: CouponCodes,
  { isLeaseHeld, now }: { isLeaseHeld: SQL; now: () => Date },
) {
  const set = (values: Partial<Record<keyof typeof of, unknown>>) =>
    sql.join(
      Object.entries(values).map(
        ([name, value]) => sql`${bareName(of[name as keyof typeof of])} = ${value}`,
      ),
      sql`, `,
    )
  const update = (values: Parameters<typeof set>[0], condition: SQL) =>
    database.run(sql`update ${table} set ${set(values)} where ${condition} and ${isLeaseHeld}`)
  const isUnused = sql`${of.usedAt} is null`
  const isOf = (job: string) => sql`${of.job} = ${job} and ${isIn('sending', 'job')}`
  const ids = async (rest: SQL): Promise<string[]> =>
    (await database.rows(sql`select ${of.id} as "id" from ${table} where ${rest}`)).map(({ id }) =>
      String(id),
    )
  const isNext = () =>
    sql`${isIn('due')} and ${isUnused} and ${of.expiresAt} > ${now().toISOString()}`
  /** Klaviyo may have a code that was used meanwhile. */
  const again = sql`case when ${isUnused} then 'due' else 'used' end`

  return {
    /** Klaviyo says that it has a code when it gets it again, so a job that may be lost is just posted again. */
    noteLost: (job?: string) =>
      update({ state: again, job: null }, job === undefined ? isIn('sending') : isOf(job)),

    /** Another account knows nothing of these jobs, and may take what this one refused. */
    beginAccount: () =>
      update({ state: again, job: null, error: null }, isIn('sending', 'job', 'refused')),

    /** Forgets what has expired, and has what was refused go again. */
    async beginNight(): Promise<void> {
      const isOver = sql`${of.expiresAt} <= ${now().toISOString()}`
      await database.delete(
        table,
        sql`${isOver} and not ${isIn('sending', 'job')} and ${isLeaseHeld}`,
      )
      await update({ state: again, error: null }, isIn('refused'))
    },

    /** How many codes are on their way to Klaviyo, or refused. */
    async pending(): Promise<number> {
      const wanted = sql`${isIn('sending', 'job', 'refused')} or (${isNext()})`
      return database.count(sql`${table} where ${isUnused} and (${wanted})`)
    },

    /** Resolves to how many of these are new. */
    async add(codes: readonly CouponCode[]): Promise<number> {
      const shape = { id: 'text', expiresAt: columnType(of.expiresAt) }
      const rows = codes.map(({ code, expiresAt }) => ({
        id: code,
        expiresAt: expiresAt.toISOString(),
      }))
      const added = await database.rows(sql`insert into ${table}
        (${bareName(of.id)}, ${bareName(of.state)}, ${bareName(of.expiresAt)})
        select "id", 'due', "expiresAt" from ${jsonRows(database, shape, rows)} as "given"
        where ${isLeaseHeld} order by "id" on conflict do nothing returning ${bareName(of.id)}`)
      return added.length
    },

    /** Takes the next codes into a job of ours, in the order in which it has them: Klaviyo's errors name their places. */
    async take(job: string): Promise<CouponCode[]> {
      const next = await ids(
        sql`${isNext()} order by ${of.id} limit ${callLimits['coupon-job'].items}`,
      )
      if (next.length === 0) return []
      const taken = await database.rows(sql`update ${table} set ${set({ state: 'sending', job })}
        where ${database.isOneOf(of.id, next)} and ${isIn('due')} and ${isLeaseHeld}
        returning ${bareName(of.id)} as "id", ${bareName(of.expiresAt)} as "expiresAt"`)
      return taken
        .map((row) => ({ code: String(row.id), expiresAt: new Date(String(row.expiresAt)) }))
        .sort((one, other) => (one.code < other.code ? -1 : 1))
    },

    /** Klaviyo has taken the job. */
    noteJob: (own: string, job: string) =>
      update({ state: 'job', job }, sql`${of.job} = ${own} and ${isIn('sending')}`),

    openJobs: async (): Promise<string[]> =>
      (
        await database.rows(
          sql`select distinct ${of.job} as "job" from ${table} where ${isIn('job')}`,
        )
      ).map(({ job }) => String(job)),

    /** The codes of a job, in their order in it. */
    ofJob: async (job: string): Promise<string[]> => (await ids(isOf(job))).sort(),

    /** What became of the codes of a job. Somebody may have used one meanwhile. */
    async settle(job: string, outcomes: readonly CodeOutcome[]): Promise<void> {
      const given = (name: keyof CodeOutcome) => sql`"given".${sql.identifier(name)}`
      const shape = { id: 'text', state: 'text', error: 'text' }
      const state = sql`case when ${given('state')} = 'there' and not ${isUnused} then 'used'
        else ${given('state')} end`
      await database.run(sql`update ${table} set ${set({ state, job: null, error: given('error') })}
        from ${jsonRows(
          database,
          shape,
          outcomes.map((each) => ({ ...each })),
        )} as "given"
        where ${of.id} = ${given('id')} and ${isOf(job)} and ${isLeaseHeld}`)
    },

    /** A used code that Klaviyo has not heard of. */
    nextUsed: async (): Promise<string | undefined> =>
      (await ids(sql`${isIn('used')} order by ${of.id} limit 1`))[0],

    /** Klaviyo has heard that a code was used, or refuses to. */
    noteTold: (code: string, error?: KlaviyoError) =>
      update(
        error ? { state: 'refused', error: JSON.stringify(error) } : { state: 'told' },
        sql`${of.id} = ${code} and ${isIn('used')}`,
      ),
  }
}

export type CouponWork = ReturnType<typeof couponWork>
