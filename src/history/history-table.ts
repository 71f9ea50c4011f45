import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { bareName, column, type Database } from '../store/payload/database.js'
import type { PassedOverCounts } from './passed-over.js'

export const historiesSlug = 'marketing-histories'

const orUndefined = <Value>(value: Value | null): Value | undefined => value ?? undefined

const moment = z.coerce.date().transform((at) => at.toISOString())

/** Past orders on their way to the marketing platform, as the collection keeps them. */
const runSchema = z.object({
  id: z.union([z.number(), z.string()]),
  /** Days as the shop's calendar has them, `2025-01-31`. The last one is not part of it. */
  from: z.string(),
  to: z.string(),
  /** `paused` and `failed` can go on; `cancelled` and `done` are the end. */
  state: z.enum(['counting', 'running', 'paused', 'cancelled', 'done', 'failed']),
  /** Orders of the period, counted once at the beginning; undefined until then. */
  total: z.coerce.number().nullable().transform(orUndefined),
  /** Orders that were looked at. */
  done: z.coerce.number(),
  /** Events that were put into the queue. What was in it already, sent or not, is not counted. */
  events: z.coerce.number(),
  /** Orders that have nothing to tell: without a valid email, say. Those told before are not counted. */
  passedOver: z.coerce.number(),
  /** Why, counted each. Undefined until the first page, and for a run of an earlier version. */
  passedOverFor: z
    .string()
    .nullable()
    .transform((json) => (json === null ? undefined : (JSON.parse(json) as PassedOverCounts))),
  /** Why it failed, as the key of the sentence that says so; undefined when it did not. */
  lastError: z.literal('historyGivenUp').optional().catch(undefined),
  /** Who began it; undefined for nobody that is known. */
  startedBy: z.string().nullable().transform(orUndefined),
  /** When it began. */
  createdAt: moment,
  endedAt: moment.nullable().transform(orUndefined),
})

export type HistoryRun = z.output<typeof runSchema>

export type HistoryState = HistoryRun['state']

/** Where a run is, as it is kept with it. */
export interface Place {
  /** Behind which order the next page begins; undefined at the beginning. */
  at?: string
  id?: HistoryRun['id']
  /** How many of the next page's events were stored before it was begun; undefined until it is. */
  known?: number
  /** How often the next page has failed, and when it is tried again, milliseconds since 1970. */
  failures?: number
  retryAt?: number
}

/** A run, with what only the shop itself needs. */
export interface StoredRun {
  run: HistoryRun
  place: Place
  /** The place as the database has it: who moves the run on says from where. */
  placeText: string
}

/** What is written of a run. */
export type HistoryValues = Partial<
  Record<keyof HistoryRun | 'underWay' | 'key' | 'cursor' | 'updatedAt', unknown>
>

/**
 * The runs as SQL sees them.
 *
 * @throws {TypeError} when the database lacks the collection.
 */
export function historyTable(database: Database, now: () => Date) {
  const table = database.table(historiesSlug)
  const at = (field: keyof HistoryValues) => column(table, field)
  const list = (parts: SQL[]) => sql.join(parts, sql`, `)
  const names = [...Object.keys(runSchema.shape), 'cursor'] as (keyof HistoryRun | 'cursor')[]
  const selected = list(names.map((name) => sql`${at(name)} as ${sql.identifier(name)}`))
  return {
    table,
    at,

    /** The newest run that a condition holds for. */
    async read(condition: SQL): Promise<StoredRun | undefined> {
      const [row] = await database.rows(sql`select ${selected} from ${table}
        where ${condition} order by ${at('createdAt')} desc, ${at('id')} desc limit 1`)
      if (row === undefined) return undefined
      const placeText = typeof row.cursor === 'string' ? row.cursor : ''
      const place = placeText === '' ? {} : (JSON.parse(placeText) as Place)
      return { run: runSchema.parse(row), place, placeText }
    },

    /** Whether there was one to change. */
    async change(values: HistoryValues, condition: SQL): Promise<boolean> {
      const changed = Object.entries({ ...values, updatedAt: now().toISOString() })
      const set = changed.map(([name, value]) => sql`${bareName(column(table, name))} = ${value}`)
      const rows = await database.rows(
        sql`update ${table} set ${list(set)} where ${condition} returning ${at('id')} as "id"`,
      )
      return rows.length > 0
    },
  }
}
