import { sql, type SQL } from 'drizzle-orm'
import type { Shop } from '../../core/shop.js'
import type { DeliveryMode } from '../../core/workers/delivery-mode.js'
import type { KlaviyoSessions } from './klaviyo-sessions.js'
import { callsLackingScope } from './call-log.js'
import { laneOfKind, lanesFor, type Lanes } from './lanes.js'
import { waitOf, type SendWait } from './send-wait.js'
import type { SendTable } from './send-table.js'
import type { SendKind, SendState } from './send.js'

/** Why each of some sends waits, by its id. One that does not wait has no entry. */
export type SendWaits = (ids: readonly number[]) => Promise<ReadonlyMap<number, SendWait>>

/** Reads why sends wait: what is so for all of them, and what goes before each. */
export function createSendWaits(
  { effects }: Pick<Shop, 'effects'>,
  {
    sends: { database, table, as, isDeletionWaiting },
    klaviyoSessions,
    mode,
  }: {
    sends: SendTable
    klaviyoSessions: Pick<KlaviyoSessions, 'deliveryNow'>
    mode: DeliveryMode
  },
): SendWaits {
  const [s, e] = [as('s'), as('e')]
  const isErased = isDeletionWaiting(s.profile)
  const laneOf = (lanes: Lanes, kind: SQL) => laneOfKind(lanes, kind, isErased)
  // Each has an index of its own.
  const firstIn = (
    state: 'queued' | 'sending',
    lanes: Lanes,
  ) => sql`(select min(${e.id}) from ${table} as "e"
    where ${e.profile} = ${s.profile} and ${e.state} = ${sql.raw(`'${state}'`)} and ${e.id} < ${s.id}
      and ${laneOf(lanes, e.kind)} = ${laneOf(lanes, s.kind)})`

  return async (ids) => {
    if (ids.length === 0) return new Map()
    const present = await klaviyoSessions.deliveryNow()
    const lanes = lanesFor(callsLackingScope(present.pauses))
    const rows = await database.rows(sql`select "one".*, ${e.acceptedAt} as "earlierAt" from
      (select ${s.id} as "id", ${s.state} as "state", ${s.kind} as "kind", ${s.acceptedAt} as "acceptedAt",
        ${s.nextAttemptAt} as "dueAt", coalesce(${firstIn('sending', lanes)}, ${firstIn('queued', lanes)}) as "earlier"
      from ${table} as "s" where ${database.isOneOf(s.id, ids)}
        and (${s.state} in ('queued', 'sending')) is true) as "one"
      left join ${table} as "e" on ${e.id} = "one"."earlier"`)
    if (rows.length === 0) return new Map()
    const deliversInRuns = mode === 'functions' || mode === 'task'
    const delivery = {
      ...present,
      now: effects.now(),
      deliversInRuns,
    }
    const waits = new Map<number, SendWait>()
    for (const row of rows) {
      const wait = waitOf(
        {
          state: row.state as SendState,
          kind: row.kind as SendKind,
          dueAt: new Date(String(row.dueAt ?? row.acceptedAt)),
          earlier:
            row.earlier === null
              ? undefined
              : {
                  id: Number(row.earlier),
                  acceptedAt: new Date(String(row.earlierAt)).toISOString(),
                },
        },
        delivery,
      )
      if (wait !== undefined) waits.set(Number(row.id), wait)
    }
    return waits
  }
}
