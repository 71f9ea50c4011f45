import { sql, type SQL } from 'drizzle-orm'
import * as z from 'zod/mini'
import { bareName, column, type Database } from '../../core/database/database.js'
import type { PassedOverCounts } from './run-progress.js'

export const historiesSlug = 'marketing-histories'

const orUndefined = <Value>(value: Value | null): Value | undefined => value ?? undefined

const moment = z.pipe(
  z.coerce.date(),
  z.transform((at) => at.toISOString()),
)

const runSchema = z.object({
  id: z.union([z.number(), z.string()]),
  /** Days in the shop's timezone, such as `2025-01-31`. The period ends before `to`. */
  from: z.string(),
  to: z.string(),
  /** A run that is `paused` or `failed` can be resumed; one that is `cancelled` or `done` cannot. */
  state: z.enum(['counting', 'running', 'paused', 'cancelled', 'done', 'failed']),
  /** The number of orders in the period, counted once at the beginning; undefined until then. */
  total: z.pipe(z.nullable(z.coerce.number()), z.transform(orUndefined)),
  /** The number of orders that were read, passed over or not. */
  done: z.coerce.number(),
  /** The number of events that the run added to the queue, without those that it had already. */
  events: z.coerce.number(),
  /** The number of orders with nothing to send; not of those whose events were sent before. */
  passedOver: z.coerce.number(),
  /** A count for each reason. Undefined until the first page, and for runs of an earlier version. */
  passedOverFor: z.pipe(
    z.nullable(z.string()),
    z.transform((json) => (json === null ? undefined : (JSON.parse(json) as PassedOverCounts))),
  ),
  /** The key of the sentence that says why the run failed; undefined when it did not. */
  lastError: z.catch(z.optional(z.literal('historyGivenUp')), undefined),
  /** The email of the user who began the run; undefined when it is not known. */
  startedBy: z.pipe(z.nullable(z.string()), z.transform(orUndefined)),
  createdAt: moment,
  endedAt: z.pipe(z.nullable(moment), z.transform(orUndefined)),
})

export type HistoryRun = z.output<typeof runSchema>

export type HistoryState = HistoryRun['state']

/** How far a run has come; stored with it as JSON. */
export interface Cursor {
  /** The reviews come when all orders have come. Default: orders. */
  of?: 'reviews' | undefined
  /** Moment and id of the document after which the next page begins; undefined at the beginning. */
  at?: string
  id?: HistoryRun['id']
  /** How many events of the next page were stored before it began; undefined until it begins. */
  known?: number
  /** How often the next page has failed. */
  failures?: number
  /** When the next page is tried again, in milliseconds since 1970. */
  retryAt?: number
}

export interface StoredRun {
  run: HistoryRun
  cursor: Cursor
  /** The cursor as stored text. An update names it, and changes nothing when another one came first. */
  cursorText: string
}

export type HistoryValues = Partial<
  Record<keyof HistoryRun | 'underWay' | 'key' | 'cursor' | 'updatedAt', unknown>
>

/** @throws {TypeError} when the database lacks the collection. */
export function historyTable(database: Database, now: () => Date) {
  const table = database.table(historiesSlug)
  const at = (field: keyof HistoryValues) => column(table, field)
  const list = (items: SQL[]) => sql.join(items, sql`, `)
  const names = [...Object.keys(runSchema.shape), 'cursor'] as (keyof HistoryRun | 'cursor')[]
  const selected = list(names.map((name) => sql`${at(name)} as ${sql.identifier(name)}`))
  return {
    table,
    at,

    /** The newest run that meets the condition. */
    async read(condition: SQL): Promise<StoredRun | undefined> {
      const [row] = await database.rows(sql`select ${selected} from ${table}
        where ${condition} order by ${at('createdAt')} desc, ${at('id')} desc limit 1`)
      if (row === undefined) return undefined
      const cursorText = typeof row.cursor === 'string' ? row.cursor : ''
      const cursor = cursorText === '' ? {} : (JSON.parse(cursorText) as Cursor)
      return { run: runSchema.parse(row), cursor, cursorText }
    },

    /** Changes the runs that meet the condition; false when there is none. */
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
