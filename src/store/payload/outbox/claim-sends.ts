import { randomBytes } from 'node:crypto'
import { sql, type SQL } from 'drizzle-orm'
import type { Claim, Outbox, Send, SendGroup } from '../../../delivery/outbox.js'
import type { Message } from '../../../marketing/message.js'
import type { Row } from '../database.js'
import { companyOf, frontOf, widening, type Front } from './due-sends.js'
import { parsedJson } from './json-rows.js'
import { goesAlong, isDue, knownAt, likenessOf } from './send-group.js'
import type { SendTable } from './send-table.js'

type ClaimOptions = Parameters<Outbox['claim']>[1]

/** Looked at beyond what was asked for, as some may be in the way of others. */
const spareFront = 100

export async function claimSends(
  sends: SendTable,
  group: SendGroup,
  options: ClaimOptions,
): Promise<Claim | undefined> {
  const { now, leaseUntil, limit } = options
  const token = randomBytes(12).toString('hex')
  const ids = await widening(limit + spareFront, async (size) => {
    const front = { now, size }
    const claimed = await sends.database.rows(
      claimStatement(sends, group, { ...options, front, token }),
    )
    const found = claimed.map(({ id }) => Number(id))
    const isEnough = found.length > 0
    return { found, isEnough, frontSize: isEnough ? 0 : await sizeOf(sends, group, front) }
  })
  if (ids.length === 0) return undefined
  const taken = await readClaimed(sends, ids, token)
  const kept = await giveBack(sends, group, { taken, token })
  return kept.length === 0 ? undefined : { token, leaseUntil, sends: kept }
}

/**
 * One conditional update. It answers with ids alone: a process that is paused while an answer of
 * many bytes is under way would keep PostgreSQL from committing.
 */
function claimStatement(
  sends: SendTable,
  group: SendGroup,
  { front, limit, bytes, leaseUntil, token }: ClaimOptions & { front: Front; token: string },
): SQL {
  const { database, table, bare, checked, choice, time } = sends
  const inOrder = sql`(order by "since", "id" rows between unbounded preceding and current row)`
  return sql`with ${companyOf(sends, group, front)},
    "counted" as (
      select "id", "profile", "item", sum("item") over ${inOrder} as "items",
        sum("bytes") over ${inOrder} as "total" from "company"),
    "fitting" as (
      select "id", "profile", max(case when "item" = 1 then "id" end) over (partition by "profile") as "lastItem"
      from "counted" where "items" <= ${limit} and ("items" <= 1 or "total" <= ${bytes})),
    "chosen" as materialized (select "id", "profile" from "fitting" where "id" <= "lastItem"),
    ${database.isSqlite ? sql`"taken" as materialized (select "id" from "chosen")` : takeLocked(sends, group, front)}
    update ${table} set ${bare.state} = ${choice('state', sql`'sending'`)}, ${bare.token} = ${token},
      ${bare.leaseUntil} = ${time(leaseUntil)}, ${bare.alone} = ((select count(*) from "taken") = 1)
    where ${bare.id} in (select "id" from "taken") and ${checked(sql`${bare.state} = 'queued'`)}
    returning ${bare.id} as "id"`
}

/**
 * PostgreSQL runs claims side by side. A send that another claim has locked, or that has changed since
 * this statement began, is passed over, and with it everything later of its profile.
 */
function takeLocked(sends: SendTable, group: SendGroup, { now }: Front): SQL {
  const s = sends.as('s')
  const along = goesAlong(s, likenessOf(group), knownAt(now, sends))
  return sql`"locked" as materialized (
      select ${s.id} as "id" from ${sends.table} as "s"
      where ${s.id} = any (array(select "id" from "chosen"))
        and ${sends.checked(sql`${isDue(s, now, sends)} and ${along}`)}
      for update skip locked),
    "missed" as materialized (
      select "profile", min("id") as "id" from "chosen"
      where "id" not in (select "id" from "locked") group by "profile"),
    "taken" as materialized (
      select "chosen"."id" from "chosen" left join "missed" on "missed"."profile" = "chosen"."profile"
      where "missed"."id" is null or "chosen"."id" < "missed"."id")`
}

async function sizeOf(sends: SendTable, group: SendGroup, front: Front): Promise<number> {
  const [row] = await sends.database.rows(
    sql`select count(*) as "size" from (${frontOf(sends, group, front)}) as "front"`,
  )
  return Number(row?.size ?? 0)
}

interface Taken extends Send {
  profile: string
  /** Another claim has a send of the same profile. */
  isContested: boolean
}

async function readClaimed(
  { database, table, as, checked, isAmong }: SendTable,
  ids: readonly number[],
  token: string,
): Promise<Taken[]> {
  const [s, other] = [as('s'), as('other')]
  const rows = await database.rows(sql`
    select ${s.id} as "id", ${s.message} as "message", ${s.acceptedAt} as "acceptedAt",
      ${s.attempts} as "attempts", ${s.profile} as "profile",
      (select 1 from ${table} as "other" where ${other.profile} = ${s.profile}
        and ${other.state} = 'sending' and ${other.token} <> ${token} limit 1) as "contested"
    from ${table} as "s" where ${isAmong(s.id, ids)} and ${checked(sql`${s.token} = ${token}`)} order by ${s.id}`)
  return rows.map((row) => ({
    ...sendOf(row),
    profile: String(row.profile),
    isContested: row.contested !== null,
  }))
}

const sendOf = (row: Row): Send => ({
  id: Number(row.id),
  message: parsedJson(row.message) as Message,
  acceptedAt: new Date(String(row.acceptedAt)),
  attempts: Number(row.attempts),
})

/**
 * Two claims at once can each miss what the other takes, such as a send that was resent meanwhile.
 * Both look once more when they are written, so at least one of them sees the other and gives way.
 */
async function giveBack(
  { database, table, bare, choice, isAmong }: SendTable,
  group: SendGroup,
  { taken, token }: { taken: readonly Taken[]; token: string },
): Promise<Send[]> {
  const lastEvents = new Map<string, number>()
  for (const { id, profile, message } of taken) {
    if (message.kind === 'event') lastEvents.set(profile, id)
  }
  // An identify comes along for the sake of a later event, and that one may have been passed over.
  const hasReason = ({ id, profile }: Taken) =>
    group.lane !== 'events' || id <= (lastEvents.get(profile) ?? 0)
  const isKept = (send: Taken) => !send.isContested && hasReason(send)

  const returned = taken.filter((send) => !isKept(send)).map(({ id }) => id)
  if (returned.length > 0) {
    await database.run(sql`update ${table} set ${bare.state} = ${choice('state', sql`'queued'`)},
      ${bare.token} = null, ${bare.leaseUntil} = null
      where ${isAmong(bare.id, returned)} and ${bare.token} = ${token}`)
  }
  return taken
    .filter(isKept)
    .map(({ id, message, acceptedAt, attempts }) => ({ id, message, acceptedAt, attempts }))
}
