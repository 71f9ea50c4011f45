import { sql } from 'drizzle-orm'
import { momentOf } from '../../core/database/database.js'
import { countedAtMost } from '../../core/matter.js'
import type { Shop } from '../../core/shop.js'
import { revisionEndsAt, revisionEndsFrom, revisionRetired } from '../klaviyo/ask-api.js'
import { readLastTest, type ConnectionTest } from '../klaviyo/check-account.js'
import { featuresLacking, type LackingFeature, type Scope } from '../klaviyo/key-scopes.js'
import type { CallName } from '../klaviyo/limits.js'
import type { MarketingSettings } from '../settings/marketing-settings.js'
import { callsLackingScope } from './call-log.js'
import { needsCall } from './calls-for.js'
import { failedSends } from './failures.js'
import type { DeliveryStatus } from './klaviyo-sessions.js'
import type { DeliveryMode, modeProblem } from '../../core/workers/delivery-mode.js'
import { sendKinds, type SendKind } from './send.js'
import type { SendTable } from './send-table.js'

/** The oldest sends of each kind that are looked at. */
const oldestSendsRead = 1_000

export type DeliveryFacts = Awaited<ReturnType<ReturnType<typeof createDeliveryFacts>>>

/** What shows whether the delivery works. */
interface Watched {
  sends: SendTable
  settings: () => Promise<
    Pick<MarketingSettings, 'privateApiKey' | 'followUnsubscribes' | 'catalog'>
  >
  deliveryStatus: () => Promise<
    DeliveryStatus & { mode: DeliveryMode; modeProblem: ReturnType<typeof modeProblem> }
  >
}

/** Reads what shows whether Klaviyo works: its present key and the last sends. */
export function createDeliveryFacts(
  { payload }: Shop,
  { sends, settings, deliveryStatus }: Watched,
) {
  return async () => {
    const used = await settings()
    const { privateApiKey } = used
    const [status, lastTest, lastSentAt] = await Promise.all([
      deliveryStatus(),
      readLastTest(payload, privateApiKey),
      readLastSentAt(sends),
    ])
    const isTestNewer =
      lastTest !== undefined && !(lastSentAt !== undefined && lastSentAt > lastTest.at)
    return {
      ...status,
      lastTest,
      lastSentAt,
      /** What the shop uses and its key has no scope for. */
      lacking: lackingNow({ ...status, lastTest }, used),
      /** A test was told so, and nothing was sent since. */
      isRevisionRefused: isTestNewer && lastTest.refusalCode === revisionRetired,
      revisionEnds: { from: revisionEndsFrom, at: revisionEndsAt },
      failed: () => readFailed(sends),
      oldestWaiting: async () => {
        // Another matter tells what lacks a scope.
        const stopped = callsLackingScope(status.pauses)
        const kinds = sendKinds.filter((kind) => !needsCall(kind, stopped))
        return withKeySince(await readOldestWaiting(sends, kinds), status.keySince)
      },
    }
  }
}

/** What the shop uses and its key has no scope for: the newer one of the last refused call and the last test counts. */
function lackingNow(
  {
    pauses,
    lastTest,
    testedAt,
  }: Pick<DeliveryStatus, 'pauses' | 'testedAt'> & { lastTest: ConnectionTest | undefined },
  used: Parameters<typeof featuresLacking>[1],
): LackingFeature[] {
  const { at, missingScopes = [] } = lastTest ?? {}
  const refused = pauses.filter(
    (pause) => pause.reason === 'scope' && (at === undefined || at <= pause.at),
  )
  // The calls show what became of it since the delivery has heeded it.
  const isHeeded = at?.getTime() === testedAt?.getTime()
  const lacks = (scope: Scope, calls: readonly CallName[]) =>
    refused.some(({ call, scopes }) => calls.includes(call) && scopes.includes(scope)) ||
    ((!isHeeded || calls.length === 0) && missingScopes.includes(scope))
  return featuresLacking(lacks, used).filter(({ isUsed }) => isUsed)
}

/** When a send was last delivered; undefined when never. */
export async function readLastSentAt({
  database,
  table,
  bare,
}: SendTable): Promise<Date | undefined> {
  const [row] = await database.rows(sql`select ${bare.sentAt} as "at" from ${table}
    where ${bare.state} = 'sent' and ${bare.sentAt} is not null
    order by ${bare.sentAt} desc limit 1`)
  return momentOf(row?.at)
}

/** The failed sends up to `countedAtMost`, and when the first of them was accepted. */
async function readFailed(sends: SendTable) {
  const { database, as } = sends
  const [row] = await database.rows(sql`select count(*) as "count", min("at") as "since"
    from (select ${as('s').acceptedAt} as "at" from ${failedSends(sends)} limit ${countedAtMost}) as "some"`)
  return { count: Number(row?.count ?? 0), since: momentOf(row?.since) }
}

/** What waited while there was no key counts from when there was one. */
const withKeySince = (since: Date | undefined, keySince: Date | undefined): Date | undefined =>
  since && keySince && keySince > since ? keySince : since

/** Since when the oldest send waits. Events of past orders do not count: they may wait for hours. */
async function readOldestWaiting(
  { database, table, as }: SendTable,
  kinds: readonly SendKind[],
): Promise<Date | undefined> {
  const s = as('s')
  // A send that was resent, and not tried since, waits since then and not since it was accepted. A try
  // that Klaviyo refuses for a reason of its own has an error, but does not count as an attempt.
  const since = sql`case when ${s.attempts} = 0 and ${s.errorCode} is null
    then coalesce(${s.nextAttemptAt}, ${s.acceptedAt}) else ${s.acceptedAt} end`
  const oldest = kinds
    .filter((kind) => kind !== 'past-event')
    .flatMap((kind) =>
      ['queued', 'sending'].map(
        (state) => sql`select min("since") as "since" from (select ${since} as "since"
          from ${table} as "s"
          where ${s.kind} = ${sql.raw(`'${kind}'`)} and ${s.state} = ${sql.raw(`'${state}'`)}
          order by ${s.id} limit ${oldestSendsRead}) as "oldest"`,
      ),
    )
  if (oldest.length === 0) return undefined
  const rows = await database.rows(sql.join(oldest, sql` union all `))
  const moments = rows.flatMap(({ since }) => momentOf(since) ?? [])
  return moments.sort((one, other) => one.getTime() - other.getTime())[0]
}
