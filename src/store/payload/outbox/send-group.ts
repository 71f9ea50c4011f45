import { sql, type SQL } from 'drizzle-orm'
import type { Lane, SendGroup } from '../../../delivery/outbox.js'
import type { SendColumns, SendTable } from './send-table.js'

/** What tells the groups of a lane apart: a group's own values, or the columns of another send. */
export interface Likeness {
  lane: Lane
  isolation: SQL
  list: SQL
  isProfileKnown: SQL
}

export const likenessOf = ({ lane, isolation, list, isProfileKnown }: SendGroup): Likeness => ({
  lane,
  isolation: sql.raw(String(isolation)),
  list: sql`${list ?? null}`,
  isProfileKnown: sql.raw(String(isProfileKnown === true)),
})

export const likenessTo = (
  send: SendColumns,
  lane: Lane,
  known: (send: SendColumns) => SQL,
): Likeness => ({
  lane,
  isolation: send.isolation,
  list: send.list,
  isProfileKnown: known(send),
})

/** Whether a sibling has made the profile just now. */
export const knownAt =
  (now: Date, { time }: SendTable) =>
  (send: SendColumns): SQL =>
    sql`((${send.knownUntil} > ${time(now)}) is true)`

/** A send that waits for another one has no next attempt, so it is never due. */
export const isDue = (send: SendColumns, now: Date, { time }: SendTable): SQL =>
  sql`${send.state} = 'queued' and ${send.nextAttemptAt} <= ${time(now)}`

/** Whether a send is of a group. */
export function isInGroup(
  send: SendColumns,
  like: Likeness,
  known: (send: SendColumns) => SQL,
): SQL {
  const isOfLane = sql`${send.lane} = ${sql.raw(`'${like.lane}'`)}
    and ${send.isolation} = ${like.isolation}`
  if (like.lane === 'events' || like.lane === 'profiles') return isOfLane
  const isOfList = sql`${isOfLane} and ${send.list} = ${like.list}`
  if (like.lane === 'subscriptions') return isOfList
  return sql`${isOfList} and ${known(send)} = ${like.isProfileKnown}`
}

/**
 * Whether a due send that is earlier than one of that likeness goes out together with it, and so is
 * not in its way: one of its own group, and for an event an identify too. Who has to be alone has
 * nobody along.
 */
export function goesAlong(
  send: SendColumns,
  like: Likeness,
  known: (send: SendColumns) => SQL,
): SQL {
  if (like.lane !== 'events') return isInGroup(send, like, known)
  return sql`${send.isolation} = ${like.isolation} and (${send.lane} = 'events'
    or (${send.lane} = 'profiles' and ${like.isolation} < 3))`
}

/**
 * Whether an identify goes out with an event of its profile that waits as well: one that is due, with
 * nothing of another kind between the two. The lane of the events takes it then.
 */
export function isForEvent(identify: SendColumns, now: Date, sends: SendTable): SQL {
  const [event, between] = [sends.as('event'), sends.as('between')]
  const ofProfile = (send: SendColumns) =>
    sql`${send.profile} = ${identify.profile} and ${send.id} > ${identify.id}`
  return sql`(${identify.isolation} < 3 and (select ${event.id} from ${sends.table} as "event"
    where ${ofProfile(event)} and ${isDue(event, now, sends)} and ${event.lane} = 'events'
      and ${event.isolation} = ${identify.isolation}
      and (select ${between.id} from ${sends.table} as "between"
        where ${ofProfile(between)} and ${between.id} < ${event.id} and ${between.state} = 'queued'
          and (${isDue(between, now, sends)} and ${between.lane} in ('events', 'profiles')
            and ${between.isolation} = ${identify.isolation}) is not true limit 1) is null
    limit 1) is not null)`
}
