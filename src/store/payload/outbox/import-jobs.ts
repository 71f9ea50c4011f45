import { sql } from 'drizzle-orm'
import type { ImportError, PlatformError } from '../../../marketing/platform.js'
import { jsonRows, type JsonShape } from './json-rows.js'
import { writeAndRelease } from './released-sends.js'
import { endedColumns, type SendTable } from './send-table.js'

/** Skips from job to job in the index: each may have thousands of sends. */
export async function readOpenJobs(
  { database, table, bare }: SendTable,
  limit: number,
): Promise<string[]> {
  const rows = await database.rows(sql`with recursive "jobs"("job") as (
      select min(${bare.job}) from ${table}
      union all
      select (select min(${bare.job}) from ${table} where ${bare.job} > "jobs"."job") from "jobs"
      where "jobs"."job" is not null)
    select "job" from "jobs" where "job" is not null limit ${limit}`)
  return rows.map(({ job }) => String(job))
}

interface JobEnd {
  job: string
  now: Date
}

export const closeImportJob = (
  sends: SendTable,
  { failures, ...end }: JobEnd & { failures: readonly ImportError[] },
): Promise<void> => endJob(sends, end, (imported) => outcomesOf(imported, failures))

export const failImportJob = (
  sends: SendTable,
  { error, ...end }: JobEnd & { error: PlatformError },
): Promise<void> =>
  endJob(sends, end, (imported) => imported.map(({ id }) => ({ id, to: 'failed', ...error })))

/** All of its sends in one write, so that a worker that is lost leaves the job open or closed. */
async function endJob(
  sends: SendTable,
  { job, now }: JobEnd,
  decide: (imported: readonly Imported[]) => ImportOutcome[],
): Promise<void> {
  const { database, table, bare, as, checked, choice, time } = sends
  const s = as('s')
  const found = await database.rows(sql`select ${s.id} as "id", ${s.profile} as "profile",
      ${s.state} as "state" from ${table} as "s" where ${s.job} = ${job} order by ${s.id}`)
  const imported = found.map(({ id, profile, state }) => ({
    id: Number(id),
    profile: String(profile),
    isHeld: state === 'sending',
  }))
  if (imported.length === 0) return
  const rows = jsonRows(database, shape, decide(imported))
  await writeAndRelease(sends, {
    ids: imported.map(({ id }) => id),
    now,
    change: sql`update ${table} as "s" set ${bare.job} = null, ${bare.token} = null,
        ${bare.leaseUntil} = null, ${bare.state} = ${choice('state', sql`"r"."to"`)},
        ${bare.errorCode} = "r"."code", ${bare.errorDetail} = "r"."detail",
        ${bare.errorStatus} = "r"."status", ${bare.errorPointer} = "r"."pointer",
        ${bare.isolation} = case when "r"."to" = 'queued' then 3 else ${s.isolation} end,
        ${bare.nextAttemptAt} = case when "r"."to" = 'queued' then ${time(now)} end,
        ${bare.sentAt} = case when "r"."to" = 'sent' then coalesce(${s.sentAt}, ${time(now)}) end
      from ${rows} as "r"
      where ${s.id} = "r"."id" and ${checked(sql`${s.job} = ${job} and ${s.state} in ('sending', 'sent')`)}
      returning ${endedColumns(sends)}`,
  })
}

const shape = {
  id: 'integer',
  to: 'text',
  code: 'text',
  detail: 'text',
  status: 'integer',
  pointer: 'text',
} satisfies JsonShape

interface Imported {
  id: number
  profile: string
  /** Whether the later sends of its profile still wait for it. */
  isHeld: boolean
}

type ImportOutcome = Partial<PlatformError> & { id: number; to: 'sent' | 'failed' | 'queued' }

/**
 * What the errors of a job mean for its sends. An error that names nobody is one of the sends that no
 * other error names, first of those without an email. Where it is open which, they stay delivered
 * and show the error.
 */
function outcomesOf(
  imported: readonly Imported[],
  failures: readonly ImportError[],
): ImportOutcome[] {
  const named = new Map(failures.map((failure) => [`email:${failure.email ?? ''}`, failure]))
  const unnamed = failures.filter(({ email }) => email === undefined)
  const open = imported.filter(({ profile }) => !named.has(profile))
  const withoutEmail = open.filter(({ profile }) => !profile.startsWith('email:'))
  const candidates = new Set(withoutEmail.length > 0 ? withoutEmail : open)
  const isCertain = unnamed.length >= candidates.size
  const [other] = unnamed
  return imported.map((send): ImportOutcome => {
    const { id, profile } = send
    const failure = named.get(profile) ?? (candidates.has(send) ? other : undefined)
    if (failure === undefined) return { id, to: 'sent' }
    const { error, isAmendable } = failure
    if (!named.has(profile) && !isCertain) return { id, to: 'sent', ...error }
    // Something later of its profile may have been sent where it is held no more.
    return { id, to: isAmendable && send.isHeld ? 'queued' : 'failed', ...error }
  })
}
