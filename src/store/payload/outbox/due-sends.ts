import { sql, type SQL } from 'drizzle-orm'
import type { Lane, SendGroup } from '../../../delivery/outbox.js'
import { goesAlong, isDue, isForEvent, isInGroup, knownAt, likenessOf } from './send-group.js'
import type { SendTable } from './send-table.js'

/** The due sends of a group that have been due the longest, in the way or not. */
export function frontOf(sends: SendTable, group: SendGroup, front: Front): SQL {
  const s = sends.as('s')
  const isWanted = sql`${isDue(s, front.now, sends)}
    and ${isInGroup(s, likenessOf(group), knownAt(front.now, sends))}`
  return sql`select ${s.id} as "id", ${s.profile} as "profile", ${s.nextAttemptAt} as "since"
    from ${dueOf(sends, group.lane, { alias: 's', isWanted, now: front.now, size: front.size })}
    order by ${s.nextAttemptAt}, ${s.id} limit ${front.size}`
}

/**
 * Identifies that are looked at to find some that are not for a waiting event. Where all of so many
 * are, the lane of the events has work enough, and gets to the ones behind.
 */
const identifiesAtOnce = 2000

/** The wanted sends of a lane, to select from under an alias. */
export function dueOf(
  sends: SendTable,
  lane: Lane,
  look: { alias: string; isWanted: SQL; now: Date; size: number },
): SQL {
  const { alias, isWanted, now, size } = look
  const [s, name] = [sends.as(alias), sql.identifier(alias)]
  if (lane !== 'profiles') return sql`${sends.table} as ${name} where ${isWanted}`
  const columns = [
    s.id,
    s.profile,
    s.state,
    s.lane,
    s.isolation,
    s.list,
    s.nextAttemptAt,
    s.knownUntil,
  ]
  return sql`(select ${sql.join(columns, sql`, `)} from ${sends.table} as ${name} where ${isWanted}
      order by ${s.nextAttemptAt}, ${s.id} limit ${Math.max(size, identifiesAtOnce)}) as ${name}
    where not ${isForEvent(s, now, sends)}`
}

export interface Front {
  now: Date
  /** How many sends it looks at. */
  size: number
}

/**
 * Common table expressions that end in `company`: the sends that may leave now, with everything
 * earlier of their profiles that goes along. Each profile is looked at once, however many sends it
 * has: everything of it before the first send that is in the way. So what is left out of a profile
 * is always later than what is taken.
 */
export function companyOf(sends: SendTable, group: SendGroup, front: Front): SQL {
  const [s, b] = [sends.as('s'), sends.as('b')]
  const along = goesAlong(b, likenessOf(group), knownAt(front.now, sends))
  const isAlong = sql`((${isDue(b, front.now, sends)} and ${along}) is true)`
  return sql`"front" as materialized (${frontOf(sends, group, front)}),
    "profiles" as materialized (
      select "profile", max("id") as "last", min("since") as "since" from "front" group by "profile"),
    "free" as materialized (
      select "profile", "last", "since", (select ${b.id} from ${sends.table} as "b"
          where ${b.profile} = "profiles"."profile" and ${b.state} = 'queued'
            and ${b.id} < "profiles"."last" and not ${isAlong}
          order by ${b.id} limit 1) as "blocker"
      from "profiles"
      where (select ${b.id} from ${sends.table} as "b"
        where ${b.profile} = "profiles"."profile" and ${b.state} = 'sending' limit 1) is null),
    "company" as materialized (
      select ${s.id} as "id", ${s.profile} as "profile", ${s.bytes} as "bytes", "free"."since" as "since",
        case when ${s.lane} = ${sql.raw(`'${group.lane}'`)} then 1 else 0 end as "item"
      from "free" cross join ${sends.table} as "s"
      where ${s.profile} = "free"."profile" and ${s.state} = 'queued' and ${s.id} <= "free"."last"
        and ("free"."blocker" is null or ${s.id} < "free"."blocker"))`
}

/** Looks at more and more of the front, as long as all that is in it is in somebody's way. */
export async function widening<Found>(
  firstSize: number,
  look: (size: number) => Promise<{ found: Found; isEnough: boolean; frontSize: number }>,
): Promise<Found> {
  for (let size = firstSize; ; size *= 8) {
    const { found, isEnough, frontSize } = await look(size)
    if (isEnough || frontSize < size) return found
  }
}
