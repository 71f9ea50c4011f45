import { sql } from 'drizzle-orm'
import type { Outbox } from '../../../delivery/outbox.js'
import type { PlatformError } from '../../../marketing/platform.js'
import { jsonRows } from './json-rows.js'
import type { SendTable } from './send-table.js'

type Failures = Parameters<Outbox['closeJob']>[1]

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

export async function closeImportJob(
  sends: SendTable,
  job: string,
  failures: Failures,
): Promise<void> {
  const { database, table, bare, as, checked, choice } = sends
  const s = as('s')
  const isOfJob = sql`${s.job} = ${job}`
  if (failures.length > 0) {
    const imported = await database.rows(
      sql`select ${s.id} as "id", ${s.profile} as "profile" from ${table} as "s" where ${isOfJob} order by ${s.id}`,
    )
    const rows = jsonRows(
      database,
      {
        id: 'integer',
        to: 'text',
        code: 'text',
        detail: 'text',
        status: 'integer',
        pointer: 'text',
      },
      outcomesOf(
        imported.map(({ id, profile }) => ({ id: Number(id), profile: String(profile) })),
        failures,
      ),
    )
    await database.run(sql`update ${table} as "s" set ${bare.job} = null,
        ${bare.state} = ${choice('state', sql`"r"."to"`)}, ${bare.errorCode} = "r"."code",
        ${bare.errorDetail} = "r"."detail", ${bare.errorStatus} = "r"."status",
        ${bare.errorPointer} = "r"."pointer",
        ${bare.sentAt} = case when "r"."to" = 'sent' then ${s.sentAt} end
      from ${rows} as "r" where ${s.id} = "r"."id" and ${checked(sql`${s.job} = ${job} and ${s.state} = 'sent'`)}`)
  }
  await database.run(sql`update ${table} as "s" set ${bare.job} = null where ${isOfJob}`)
}

export async function failImportJob(
  { database, table, bare, choice }: SendTable,
  job: string,
  error: PlatformError,
): Promise<void> {
  await database.run(sql`update ${table} set ${bare.job} = null,
    ${bare.state} = ${choice('state', sql`'failed'`)}, ${bare.sentAt} = null,
    ${bare.errorCode} = ${error.code}, ${bare.errorDetail} = ${error.detail},
    ${bare.errorStatus} = ${error.status ?? null}, ${bare.errorPointer} = ${error.pointer ?? null}
    where ${bare.job} = ${job} and ${bare.state} = 'sent'`)
}

interface Imported {
  id: number
  profile: string
}

export type ImportOutcome = Partial<PlatformError> & { id: number; to: 'sent' | 'failed' }

/**
 * What the errors of a job mean for its sends. An error that names nobody is one of the sends that no
 * other error names, first of those without an email. Where it is open which, they stay delivered
 * and show the error.
 */
export function outcomesOf(imported: readonly Imported[], failures: Failures): ImportOutcome[] {
  const named = new Map(failures.map(({ email, error }) => [email && `email:${email}`, error]))
  const unnamed = failures.filter(({ email }) => email === undefined).map(({ error }) => error)
  const isNamed = ({ profile }: Imported) => named.has(profile)

  const open = imported.filter((send) => !isNamed(send))
  const withoutEmail = open.filter(({ profile }) => !profile.startsWith('email:'))
  const candidates = withoutEmail.length > 0 ? withoutEmail : open
  const [error] = unnamed
  const to = unnamed.length >= candidates.length ? 'failed' : 'sent'
  return [
    ...imported
      .filter(isNamed)
      .map(({ id, profile }) => ({ id, to: 'failed' as const, ...named.get(profile) })),
    ...(error === undefined ? [] : candidates.map(({ id }) => ({ id, to, ...error }) as const)),
  ]
}
