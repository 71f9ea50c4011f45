import { isDeepStrictEqual } from 'node:util'
import { sql, type SQL } from 'drizzle-orm'
import {
  bareName,
  column,
  momentOf,
  type Database,
  type Row,
} from '../../core/database/database.js'
import { jsonRows, parsedJson } from '../../core/database/json-rows.js'
import { factsSchema } from '../../core/matter.js'
import { stateIn, type Message } from './channel-state.js'
import {
  alertProgressSchema,
  channelStatesSchema,
  type Alert,
  type Channel,
  type ChannelState,
  type ChannelStates,
} from './alert.js'
import { alertsSlug } from './alerts-slug.js'
import type { Condition } from './conditions.js'
import type { AlertChanges } from './decide-alerts.js'

/** A round of the watchman. Its writes change nothing once another process has taken over. */
export interface Round {
  now: Date
  /** True in a statement while this process has the lease. */
  isLeaseHeld: SQL
}

/** How often a state is written while those of other channels change. */
const writesTried = 10

/** More alerts than change while a message is tried. */
const newestRead = 100

/** @throws {TypeError} when the database lacks the collection. */
export function createAlertStore(database: Database) {
  const alerts = database.table(alertsSlug)
  const a = (field: string) => column(alerts, field)
  const isCurrent = sql`${a('underWay')} is not null`

  const readAlerts = async (which: SQL): Promise<Alert[]> => {
    const rows =
      await database.rows(sql`select ${a('id')} as "id", ${a('condition')} as "condition",
        ${a('begunAt')} as "begunAt", ${a('endedAt')} as "endedAt", ${a('facts')} as "facts",
        ${a('snoozedUntil')} as "snoozedUntil", ${a('noted')} as "noted"
      from ${alerts} ${which}`)
    return rows.map(alertOf)
  }
  const oldestFirst = sql`order by ${a('begunAt')}, ${a('id')}`

  const insert = async (begun: readonly Alert[], { now, isLeaseHeld }: Round): Promise<void> => {
    const at = now.toISOString()
    const rows = begun.map((alert) => ({
      id: alert.id,
      condition: alert.condition,
      underWay: alert.condition,
      begunAt: alert.begunAt.toISOString(),
      facts: storedFacts(alert),
      createdAt: at,
      updatedAt: at,
    }))
    const names = Object.keys(alertShape)
    const target = names.map((name) => bareName(a(name)))
    const values = names.map((name) => sql`"added".${sql.identifier(name)}`)
    await database.run(sql`insert into ${alerts} (${sql.join(target, sql`, `)})
      select ${sql.join(values, sql`, `)} from ${jsonRows(database, alertShape, rows)} as "added"
      where ${isLeaseHeld} on conflict do nothing`)
  }

  return {
    /** The alerts that are not closed, the oldest first. */
    current: () => readAlerts(sql`where ${isCurrent} ${oldestFirst}`),

    /** The conditions that hold, the oldest first. */
    open: () => readAlerts(sql`where ${isCurrent} and ${a('endedAt')} is null ${oldestFirst}`),

    async apply({ begin, change, close }: AlertChanges, round: Round): Promise<void> {
      if (begin.length > 0) await insert(begin, round)
      const write = ({ id, endedAt }: Alert, values: Row) =>
        database.update(
          alerts,
          {
            ...values,
            endedAt: endedAt?.toISOString() ?? null,
            updatedAt: round.now.toISOString(),
          },
          sql`${a('id')} = ${id} and ${round.isLeaseHeld}`,
        )
      for (const alert of change) await write(alert, { facts: storedFacts(alert) })
      for (const alert of close) await write(alert, { underWay: null })
    },

    /** Puts off an alert whose condition holds. False when it does not hold any more. */
    async snooze(id: string, until: Date): Promise<boolean> {
      const rows = await database.rows(sql`update ${alerts}
        set ${bareName(a('snoozedUntil'))} = ${until.toISOString()}
        where ${a('id')} = ${id} and ${isCurrent} and ${a('endedAt')} is null
        returning ${bareName(a('id'))} as "id"`)
      return rows.length > 0
    },

    /** Resolves to the alert with its new state; undefined when another process was faster or has taken over. */
    async writeState(
      alert: Alert,
      { channel, state, now, isLeaseHeld = sql`true` }: StateChange,
    ): Promise<Alert | undefined> {
      const [isIt, noted] = [sql`${a('id')} = ${alert.id}`, a('noted')]
      for (let tries = 0; tries < writesTried; tries++) {
        const [row] = await database.rows(
          sql`select coalesce(${noted}, '') as "noted" from ${alerts} where ${isIt}`,
        )
        const states = channelStatesOf(row?.noted)
        if (!isDeepStrictEqual(states[channel], alert.states[channel])) return undefined
        const changed = { ...states, [channel]: state }
        const written = await database.rows(sql`update ${alerts}
          set ${bareName(noted)} = ${JSON.stringify(changed)},
            ${bareName(a('updatedAt'))} = ${now.toISOString()}
          where ${isIt} and coalesce(${noted}, '') = ${row?.noted} and ${isLeaseHeld}
          returning ${bareName(a('id'))} as "id"`)
        if (written.length > 0) return { ...alert, states: changed }
      }
      return undefined
    },

    /** The channels whose newest message was given up, and why it was not sent. */
    async failures(of: readonly Channel[]) {
      const newest = await readAlerts(sql`order by ${a('updatedAt')} desc limit ${newestRead}`)
      return of.flatMap((channel) => {
        const states = newest.map((alert) => stateIn(alert, channel))
        const failed = states
          .flatMap((state) => state.failed ?? [])
          .sort((one, other) => one.at.localeCompare(other.at))
          .at(-1)
        const wasSentSince = states.some(({ sentAt = '' }) => failed && sentAt >= failed.at)
        return failed === undefined || wasSentSince
          ? []
          : [{ channel, error: failed.error, at: new Date(failed.at) }]
      })
    },

    prune: (before: Date, { isLeaseHeld }: Round) =>
      database.delete(
        alerts,
        sql`not (${isCurrent}) and ${a('endedAt')} < ${before.toISOString()} and ${isLeaseHeld}`,
      ),
  }
}

export type AlertStore = ReturnType<typeof createAlertStore>

export interface StateChange extends Pick<Message, 'channel'>, Pick<Round, 'now'> {
  state: ChannelState
  /** Without it, the change is stored by a process that has lost the lease too. */
  isLeaseHeld?: SQL
}

const alertShape = {
  id: 'text',
  condition: 'text',
  underWay: 'text',
  begunAt: 'timestamptz',
  facts: 'jsonb',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
} as const

const storedFacts = ({ facts, times, rule, over, told, wasTold }: Alert) => ({
  ...facts,
  course: { times, rule, ...(over && { over }), told, ...(wasTold && { wasTold }) },
})

function alertOf(row: Row): Alert {
  const stored = parsedJson(row.facts) as { course?: unknown } | null
  const begunAt = new Date(String(row.begunAt))
  const progress = alertProgressSchema.safeParse(stored?.course).data ?? earlierProgress(begunAt)
  const { to, holds } = progress.told
  return {
    id: String(row.id),
    condition: row.condition as Condition,
    begunAt,
    endedAt: momentOf(row.endedAt),
    facts: factsSchema.safeParse(stored).data ?? {},
    states: channelStatesOf(row.noted),
    snoozedUntil: momentOf(row.snoozedUntil),
    ...(to === undefined && { wasTold: holds }),
    ...progress,
  }
}

/** An earlier version stored a word here. */
function channelStatesOf(noted: unknown): ChannelStates {
  if (typeof noted !== 'string' || !noted.startsWith('{')) return {}
  return channelStatesSchema.safeParse(JSON.parse(noted)).data ?? {}
}

/** What an alert lacks that an earlier version stored: it began once, and that was told. */
const earlierProgress = (begunAt: Date): Pick<Alert, 'times' | 'rule' | 'told'> => ({
  times: 1,
  rule: '',
  told: { type: 'begun', holds: true, at: begunAt.toISOString(), times: 1 },
})
