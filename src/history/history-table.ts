import { sql, type SQL } from 'drizzle-orm'
import type { DocumentId } from '../commerce/order.js'
import { readCounts } from './passed-over.js'
import type { HistoryError, HistoryRun, HistoryState } from './history-run.js'
import type { Position } from '../store/past-changes.js'
import {
  column,
  type Connection,
  type Database,
  type PayloadTable,
  type Row,
} from '../store/payload/database.js'

export const historiesSlug = 'marketing-histories'

/** A run as it is stored. */
export interface StoredRun extends HistoryRun {
  /** Behind which order the next page begins; undefined at the beginning. */
  cursor: Position | undefined
  /** How often that page has failed. */
  failures: number
  token: string | undefined
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
  'token',
  'leaseUntil',
  'createdAt',
] as const

type HistoryField = (typeof fields)[number]

/** The runs as SQL sees them. */
export interface HistoryTable {
  table: PayloadTable
  at: Readonly<Record<HistoryField, ReturnType<typeof column>>>
  /** The newest run that a condition holds for. */
  read(condition: SQL, connection?: Pick<Connection, 'rows'>): Promise<StoredRun | undefined>
}

/** @throws {TypeError} when the database lacks the collection. */
export function historyTable(database: Database): HistoryTable {
  const table = database.table(historiesSlug)
  const at = Object.fromEntries(
    fields.map((field) => [field, column(table, field)]),
  ) as HistoryTable['at']
  const selected = sql.join(
    fields.map((field) => sql`${at[field]} as ${sql.identifier(field)}`),
    sql`, `,
  )
  return {
    table,
    at,
    async read(condition, connection = database) {
      const [row] = await connection.rows(sql`select ${selected} from ${table}
        where ${condition} order by ${at.createdAt} desc, ${at.id} desc limit 1`)
      return row && readRun(row)
    },
  }
}

function readRun(row: Row): StoredRun {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const moment = (value: unknown) => (value === null ? undefined : new Date(String(value)))
  return {
    id: row.id as DocumentId,
    from: String(row.from),
    to: String(row.to),
    state: String(row.state) as HistoryState,
    total: row.total === null ? undefined : Number(row.total),
    done: Number(row.done),
    events: Number(row.events),
    passedOver: Number(row.passedOver),
    ...(typeof row.passedOverFor === 'string' && {
      passedOverFor: readCounts(row.passedOverFor),
    }),
    lastError: text(row.lastError) as HistoryError | undefined,
    startedBy: text(row.startedBy),
    startedAt: new Date(String(row.createdAt)),
    endedAt: moment(row.endedAt),
    ...readCursor(text(row.cursor) ?? '{}'),
    token: text(row.token),
  }
}

function readCursor(text: string): Pick<StoredRun, 'cursor' | 'failures'> {
  const { at, id, failures = 0 } = JSON.parse(text) as Partial<KeptCursor>
  return { cursor: at === undefined ? undefined : { at: new Date(at), id }, failures }
}

/** How far a run has come, and how often the page behind it has failed. */
export const cursorText = (position: Position | undefined, failures = 0): string =>
  JSON.stringify({
    ...(position && { at: position.at.toISOString(), id: position.id }),
    ...(failures > 0 && { failures }),
  } satisfies Partial<KeptCursor>)

interface KeptCursor {
  at: string
  id: DocumentId | undefined
  failures: number
}
