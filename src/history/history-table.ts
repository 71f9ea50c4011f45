import { sql, type SQL } from 'drizzle-orm'
import type { DocumentId } from '../commerce/order.js'
import type { Position } from '../shop-events/changed-rows.js'
import {
  bareName,
  column,
  type Database,
  type PayloadTable,
  type Row,
} from '../store/payload/database.js'
import type { HistoryError, HistoryRun, HistoryState } from './history-run.js'
import { readCounts } from './passed-over.js'

export const historiesSlug = 'marketing-histories'

/** Where a run is, as it is kept with it. */
export interface Place {
  /** Behind which order the next page begins; undefined at the beginning. */
  cursor?: Position
  /** How many of the next page's events were stored before it was begun; undefined until it is. */
  known?: number
  /** How often the next page has failed, and when it is tried again. */
  failures?: number
  retryAt?: Date
}

/** A run as it is stored. */
export interface StoredRun extends HistoryRun {
  place: Place
  /** The place as the database has it: who moves the run on says from where. */
  placeText: string | undefined
}

const fields = [
  'id',
  'from',
  'to',
  'state',
  'total',
  'done',
  'events',
  'passedOver',
  'passedOverFor',
  'lastError',
  'startedBy',
  'endedAt',
  'underWay',
  'key',
  'cursor',
  'createdAt',
  'updatedAt',
] as const

type HistoryField = (typeof fields)[number]

/** The runs as SQL sees them. */
export interface HistoryTable {
  table: PayloadTable
  at: Readonly<Record<HistoryField, ReturnType<typeof column>>>
  /** The newest run that a condition holds for. */
  read(condition: SQL): Promise<StoredRun | undefined>
  /** Whether there was one to change. */
  change(values: Partial<Record<HistoryField, unknown>>, condition: SQL): Promise<boolean>
}

/** @throws {TypeError} when the database lacks the collection. */
export function historyTable(database: Database): HistoryTable {
  const table = database.table(historiesSlug)
  const at = Object.fromEntries(
    fields.map((field) => [field, column(table, field)]),
  ) as HistoryTable['at']
  const list = (parts: SQL[]) => sql.join(parts, sql`, `)
  const selected = list(fields.map((field) => sql`${at[field]} as ${sql.identifier(field)}`))
  return {
    table,
    at,
    async read(condition) {
      const [row] = await database.rows(sql`select ${selected} from ${table}
        where ${condition} order by ${at.createdAt} desc, ${at.id} desc limit 1`)
      return row && readRun(row)
    },
    async change(values, condition) {
      const set = Object.entries(values).map(
        ([field, value]) => sql`${bareName(at[field as HistoryField])} = ${value}`,
      )
      const rows = await database.rows(
        sql`update ${table} set ${list(set)} where ${condition} returning ${at.id} as "id"`,
      )
      return rows.length > 0
    },
  }
}

function readRun(row: Row): StoredRun {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const number = (value: unknown) => (value === null ? undefined : Number(value))
  return {
    id: row.id as DocumentId,
    from: String(row.from),
    to: String(row.to),
    state: String(row.state) as HistoryState,
    total: number(row.total),
    done: Number(row.done),
    events: Number(row.events),
    passedOver: Number(row.passedOver),
    ...(typeof row.passedOverFor === 'string' && { passedOverFor: readCounts(row.passedOverFor) }),
    lastError: text(row.lastError) as HistoryError | undefined,
    startedBy: text(row.startedBy),
    startedAt: new Date(String(row.createdAt)),
    endedAt: row.endedAt === null ? undefined : new Date(String(row.endedAt)),
    place: readPlace(text(row.cursor) ?? '{}'),
    placeText: text(row.cursor),
  }
}

function readPlace(text: string): Place {
  const { at, id, known, failures, retryAt } = JSON.parse(text) as Partial<KeptPlace>
  return {
    ...(at !== undefined && { cursor: { at: new Date(at), id } }),
    ...(known !== undefined && { known }),
    ...(failures !== undefined && { failures }),
    ...(retryAt !== undefined && { retryAt: new Date(retryAt) }),
  }
}

export const placeText = ({ cursor, ...place }: Place): string =>
  JSON.stringify({ ...cursor, ...place })

interface KeptPlace {
  at: string
  id: DocumentId | undefined
  known: number
  failures: number
  retryAt: string
}
