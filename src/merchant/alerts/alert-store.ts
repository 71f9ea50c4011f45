import { sql, type SQL } from 'drizzle-orm'
import * as z from 'zod/mini'
import {
  bareName,
  column,
  momentOf,
  type Database,
  type Row,
} from '../../core/database/database.js'
import { jsonRows, parsedJson, type JsonShape } from '../../core/database/json-rows.js'
import { alertMessagesSlug } from './alert-collections.js'
import { alertsSlug } from './alerts-slug.js'
import {
  channels,
  factsSchema,
  messagesOf,
  overSchema,
  readContent,
  returnedSchema,
  saysOf,
  type AlertMessage,
  type Channel,
  type StoredMessage,
  type ToldAlert,
} from './alert-message.js'
import { isCondition } from './conditions.js'
import { messageTypes, type Alert, type AlertChanges } from './decide-alerts.js'

/** A round of the watchman. Its writes change nothing once another process has taken over. */
export interface Round {
  now: Date
  /** True in a statement while this process has the lease. */
  isLeaseHeld: SQL
}

/**
 * Unsent messages of a channel that are read at once. There are never more, as each condition is open only
 * once.
 */
const readAtOnce = 200

/**
 * The alerts and their messages in the database.
 *
 * @throws {TypeError} when the database lacks the collections.
 */
export function createAlertStore(database: Database) {
  const alerts = database.table(alertsSlug)
  const messages = database.table(alertMessagesSlug)
  const a = (field: string) => column(alerts, field)
  const m = (field: string) => column(messages, field)
  const isUnsent = sql`${m('state')} in ('queued', 'sending')`
  const isCurrent = sql`${a('underWay')} is not null`

  const readAlerts = async (condition: SQL): Promise<Alert[]> => {
    const rows =
      await database.rows(sql`select ${a('id')} as "id", ${a('condition')} as "condition",
        ${a('begunAt')} as "begunAt", ${a('endedAt')} as "endedAt", ${a('facts')} as "facts",
        ${a('noted')} as "noted", ${a('snoozedUntil')} as "snoozedUntil"
      from ${alerts} where ${condition} order by ${a('begunAt')}, ${a('id')}`)
    return rows.flatMap((row) => alertOf(row) ?? [])
  }

  /** Inserts rows whose ids are new, while the lease is held. */
  const insert = async (
    table: typeof alerts,
    { shape, rows, isLeaseHeld }: { shape: JsonShape; rows: Row[]; isLeaseHeld: SQL },
  ): Promise<number> => {
    if (rows.length === 0) return 0
    const names = Object.keys(shape)
    const target = names.map((name) => bareName(column(table, name)))
    const values = names.map((name) => sql`"added".${sql.identifier(name)}`)
    const inserted = await database.rows(sql`insert into ${table} (${sql.join(target, sql`, `)})
      select ${sql.join(values, sql`, `)} from ${jsonRows(database, shape, rows)} as "added"
      where ${isLeaseHeld} on conflict do nothing returning ${bareName(column(table, 'id'))} as "id"`)
    return inserted.length
  }

  const queue = async (
    queued: readonly AlertMessage[],
    { now, isLeaseHeld }: Round,
  ): Promise<void> => {
    const at = now.toISOString()
    const times = { nextAttemptAt: at, createdAt: at, updatedAt: at }
    const rows = queued.map((message) => ({ ...message, ...times, state: 'queued', attempts: 0 }))
    const added = await insert(messages, { shape: messageShape, rows, isLeaseHeld })
    // A message that failed is tried again before a later one, so that they arrive in their order.
    if (added > 0) {
      await database.update(
        messages,
        { nextAttemptAt: at },
        sql`${m('state')} = 'queued'
        and ${isLeaseHeld}`,
      )
    }
  }

  return {
    /** The alerts that are not closed, the oldest first. */
    current: () => readAlerts(isCurrent),

    /** The conditions that hold, the oldest first. */
    open: () => readAlerts(sql`${isCurrent} and ${a('endedAt')} is null`),

    /** Stores what has begun, what has changed and what is closed. */
    async apply(
      { begin, change, close }: AlertChanges,
      { now, isLeaseHeld }: Round,
    ): Promise<void> {
      const at = now.toISOString()
      const rows = begin.map(({ id, condition, begunAt, ...alert }) => ({
        id,
        condition,
        underWay: condition,
        begunAt: begunAt.toISOString(),
        facts: storedFacts(alert),
        createdAt: at,
        updatedAt: at,
      }))
      await insert(alerts, { shape: alertShape, rows, isLeaseHeld })
      const write = (alert: Alert, values: Row) =>
        database.update(
          alerts,
          { ...values, endedAt: alert.endedAt?.toISOString() ?? null, updatedAt: at },
          sql`${a('id')} = ${alert.id} and ${isLeaseHeld}`,
        )
      for (const alert of change) {
        const noted = alert.isNoted ? alert.told.type : null
        await write(alert, { facts: storedFacts(alert), noted })
      }
      for (const alert of close) await write(alert, { underWay: null, noted: alert.told.type })
    },

    /** Stores the messages of all alerts that lack them, also where a process died before it stored them. */
    async noteMessages(to: readonly Channel[], round: Round): Promise<void> {
      for (const alert of await readAlerts(sql`${isCurrent} and ${a('noted')} is null`)) {
        await queue(messagesOf(alert, to), round)
        await database.update(
          alerts,
          { noted: alert.told.type },
          sql`${a('id')} = ${alert.id} and ${round.isLeaseHeld}`,
        )
      }
    },

    /** Puts off an alert whose condition holds. False when it does not hold any more. */
    async snooze(id: string, until: Date): Promise<boolean> {
      const rows = await database.rows(sql`update ${alerts}
        set ${bareName(a('snoozedUntil'))} = ${until.toISOString()}
        where ${a('id')} = ${id} and ${isCurrent} and ${a('endedAt')} is null
        returning ${bareName(a('id'))} as "id"`)
      return rows.length > 0
    },

    queue,

    /** The messages of a channel that are not sent yet, the oldest first. */
    async unsent(channel: Channel): Promise<StoredMessage[]> {
      const rows = await database.rows(sql`select ${m('id')} as "id", ${m('channel')} as "channel",
          ${m('content')} as "content", ${m('attempts')} as "attempts",
          ${m('nextAttemptAt')} as "dueAt"
        from ${messages} where ${isUnsent} and ${m('channel')} = ${channel}
        order by ${m('createdAt')}, ${m('id')} limit ${readAtOnce}`)
      return rows.flatMap((row) => messageOf(row) ?? [])
    },

    /** How far a message has come; undefined when there is none. */
    async stateOf(id: string): Promise<unknown> {
      const [row] = await database.rows(
        sql`select ${m('state')} as "state" from ${messages} where ${m('id')} = ${id}`,
      )
      return row?.state
    },

    /** Whether the last message that a channel got about an alert said that the condition holds. */
    async wasHeard(channel: Channel, alert: ToldAlert): Promise<boolean> {
      const rows = await database.rows(sql`select ${m('content')} as "content" from ${messages}
        where ${m('channel')} = ${channel} and ${m('state')} = 'sent'
          and ${m('createdAt')} >= ${alert.begunAt}
        order by ${m('createdAt')} desc, ${m('id')} desc`)
      for (const row of rows) {
        const content = readContent(parsedJson(row.content))
        const said = content && saysOf(content, alert)
        if (said !== undefined) return said
      }
      return false
    },

    /** Deletes a message that is not to be sent. */
    discard: ({ id }: StoredMessage, { isLeaseHeld }: Round) =>
      database.delete(messages, sql`${m('id')} = ${id} and ${isUnsent} and ${isLeaseHeld}`),

    /**
     * Marks a message before it is sent, with the moment at which it is sent again if its outcome is not
     * stored by then. False when another process was faster or has taken over.
     */
    async claim(
      { id, attempts }: StoredMessage,
      { nextAttemptAt, isLeaseHeld, now }: Round & { nextAttemptAt: Date },
    ): Promise<boolean> {
      const claimed = await database.rows(sql`update ${messages}
        set ${bareName(m('state'))} = 'sending', ${bareName(m('attempts'))} = ${attempts + 1},
          ${bareName(m('nextAttemptAt'))} = ${nextAttemptAt.toISOString()},
          ${bareName(m('updatedAt'))} = ${now.toISOString()}
        where ${m('id')} = ${id} and ${m('attempts')} = ${attempts} and ${isUnsent} and ${isLeaseHeld}
        returning ${bareName(m('id'))} as "id"`)
      return claimed.length > 0
    },

    /** Stores that a claimed message was sent, or why it was not. */
    settle: async (
      { id, attempts }: StoredMessage,
      { error, now }: { error: string | undefined; now: Date },
    ) =>
      database.update(
        messages,
        error === undefined
          ? { state: 'sent', sentAt: now.toISOString(), error: null }
          : { state: 'queued', error },
        sql`${m('id')} = ${id} and ${m('state')} = 'sending'
          and ${m('attempts')} = ${attempts + 1}`,
      ),

    /** Gives up the messages that were stored before a moment. */
    async giveUp(before: Date, { isLeaseHeld }: Round): Promise<{ id: string; error: string }[]> {
      const rows = await database.rows(sql`update ${messages} set ${bareName(m('state'))} = 'failed'
        where ${isUnsent} and ${m('createdAt')} < ${before.toISOString()} and ${isLeaseHeld}
        returning ${bareName(m('id'))} as "id", ${bareName(m('error'))} as "error"`)
      return rows.map(({ id, error }) => ({ id: String(id), error: String(error ?? 'UNSENT') }))
    },

    /** The channels whose newest message was given up, and why it was not sent. */
    async failures(
      of: readonly Channel[],
    ): Promise<{ channel: Channel; error: string; at: Date }[]> {
      const newest = await Promise.all(
        of.map((channel) =>
          database.rows(sql`select ${m('channel')} as "channel", ${m('state')} as "state",
              ${m('error')} as "error", ${m('createdAt')} as "at" from ${messages}
            where ${m('channel')} = ${channel} and ${m('state')} in ('sent', 'failed')
            order by ${m('createdAt')} desc, ${m('id')} desc limit 1`),
        ),
      )
      return newest
        .flat()
        .filter(({ state }) => state === 'failed')
        .map(({ channel, error, at }) => ({
          channel: channel as Channel,
          error: String(error ?? 'UNSENT'),
          at: new Date(String(at)),
        }))
    },

    /**
     * Deletes messages and alerts that were over before a moment. Those of an alert that is not closed
     * stay: the message about its end asks for the one about its beginning.
     */
    async prune(before: Date, { isLeaseHeld }: Round): Promise<void> {
      const at = before.toISOString()
      await database.delete(
        messages,
        sql`not (${isUnsent}) and ${m('createdAt')} < ${at} and ${isLeaseHeld}
          and not exists (select 1 from ${alerts}
            where ${isCurrent} and ${m('id')} like ${a('id')} || '-%')`,
      )
      await database.delete(
        alerts,
        sql`not (${isCurrent}) and ${a('endedAt')} < ${at} and ${isLeaseHeld}`,
      )
    },
  }
}

export type AlertStore = ReturnType<typeof createAlertStore>

const alertShape = {
  id: 'text',
  condition: 'text',
  underWay: 'text',
  begunAt: 'timestamptz',
  facts: 'jsonb',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
} as const

const messageShape = {
  id: 'text',
  channel: 'text',
  content: 'jsonb',
  state: 'text',
  attempts: 'numeric',
  nextAttemptAt: 'timestamptz',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
} as const

const courseSchema = z.object({
  times: z.number(),
  rule: z.string(),
  over: z.exactOptional(overSchema),
  told: z.object({
    type: z.enum(messageTypes),
    holds: z.boolean(),
    at: z.string(),
    times: z.number(),
    returned: z.exactOptional(returnedSchema),
    stem: z.string(),
  }),
})

const storedFacts = ({
  facts,
  times,
  rule,
  over,
  told,
}: Pick<Alert, 'facts' | 'times' | 'rule' | 'over' | 'told'>) => ({
  ...facts,
  course: { times, rule, ...(over && { over }), told },
})

const storedSchema = z.object({ course: courseSchema })

/** Undefined for a condition that this version does not know. */
function alertOf(row: Row): Alert | undefined {
  if (!isCondition(row.condition)) return undefined
  const stored = parsedJson(row.facts)
  const id = String(row.id)
  const begunAt = new Date(String(row.begunAt))
  return {
    id,
    condition: row.condition,
    begunAt,
    endedAt: momentOf(row.endedAt),
    facts: factsSchema.safeParse(stored).data ?? {},
    isNoted: row.noted !== null,
    snoozedUntil: momentOf(row.snoozedUntil),
    ...(storedSchema.safeParse(stored).data?.course ?? earlierCourse(id, begunAt)),
  }
}

/** What an alert lacks that an earlier version stored: it began once, and that was told. */
const earlierCourse = (id: string, begunAt: Date) => ({
  times: 1,
  rule: '',
  told: {
    type: 'begun',
    holds: true,
    at: begunAt.toISOString(),
    times: 1,
    stem: `${id}-begun`,
  } as const,
})

/** Undefined for a channel or a content that this version does not know. */
function messageOf(row: Row): StoredMessage | undefined {
  const channel = channels.find((name) => name === row.channel)
  const content = readContent(parsedJson(row.content))
  if (channel === undefined || content === undefined) return undefined
  return {
    id: String(row.id),
    channel,
    content,
    attempts: Number(row.attempts),
    dueAt: new Date(String(row.dueAt)),
  }
}
