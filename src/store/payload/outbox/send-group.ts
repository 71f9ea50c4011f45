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
