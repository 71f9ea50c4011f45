import { sql } from 'drizzle-orm'
import type { Isolation, Lane, SendGroup, Waiting } from '../../../delivery/outbox.js'
import type { Row } from '../database.js'
import { companyOf, dueOf, widening } from './due-sends.js'
import { goesAlong, isDue, knownAt, likenessTo } from './send-group.js'
import type { SendTable } from './send-table.js'

export async function readWaiting(
  sends: SendTable,
  lane: Lane,
  { now, countUpTo }: { now: Date; countUpTo: number },
): Promise<Waiting | undefined> {
  const first = await firstDue(sends, lane, now)
  if (first === undefined) return undefined

  const group = groupOf(lane, first)
  const count = await widening(countUpTo, async (size) => {
    const [row] = await sends.database.rows(sql`with ${companyOf(sends, group, { now, size })}
      select (select count(*) from "front") as "front", (select sum("item") from "company") as "count"`)
    const found = Number(row?.count ?? 0)
    return { found, isEnough: found >= countUpTo, frontSize: Number(row?.front ?? 0) }
  })
  return {
    group,
    // Another worker may have taken them meanwhile; its next look says so.
    count: Math.max(1, Math.min(count, countUpTo)),
    dueSince: new Date(String(first.since)),
  }
}

/** The send that has been due the longest, of those that nothing is in the way of. */
async function firstDue(sends: SendTable, lane: Lane, now: Date): Promise<Row | undefined> {
  const [c, b] = [sends.as('c'), sends.as('b')]
  const known = knownAt(now, sends)
  const along = goesAlong(b, likenessTo(c, lane, known), known)
  const isWanted = sql`${isDue(c, now, sends)} and ${c.lane} = ${sql.raw(`'${lane}'`)}`
  const [row] = await sends.database.rows(sql`
    select ${c.isolation} as "isolation", ${c.list} as "list", ${c.nextAttemptAt} as "since",
      case when ${known(c)} then 1 else 0 end as "known"
    from ${dueOf(sends, lane, { alias: 'c', isWanted, now, size: 1 })}
      and (select ${b.id} from ${sends.table} as "b"
        where ${b.profile} = ${c.profile} and ${b.state} = 'sending' limit 1) is null
      and (select ${b.id} from ${sends.table} as "b"
        where ${b.profile} = ${c.profile} and ${b.state} = 'queued' and ${b.id} < ${c.id}
          and not ((${isDue(b, now, sends)} and ${along}) is true) limit 1) is null
    order by ${c.nextAttemptAt}, ${c.id} limit 1`)
  return row
}

function groupOf(lane: Lane, { isolation, list, known }: Row): SendGroup {
  return {
    lane,
    isolation: Number(isolation) as Isolation,
    ...(lane !== 'events' && lane !== 'profiles' && { list: String(list) }),
    ...(lane === 'list-adds' && { isProfileKnown: Number(known) === 1 }),
  }
}

export async function readNextDueAt(
  { database, table, bare, time }: SendTable,
  lane: Lane,
  now: Date,
): Promise<Date | undefined> {
  const [row] = await database.rows(sql`select ${bare.nextAttemptAt} as "at" from ${table}
    where ${bare.state} = 'queued' and ${bare.lane} = ${sql.raw(`'${lane}'`)}
      and ${bare.nextAttemptAt} > ${time(now)}
    order by ${bare.nextAttemptAt} limit 1`)
  return row === undefined ? undefined : new Date(String(row.at))
}
