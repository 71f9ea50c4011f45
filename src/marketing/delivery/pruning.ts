import { sql } from 'drizzle-orm'
import type { Shop } from '../../core/shop.js'
import { createRest, type Worker } from '../../core/workers/worker.js'
import type { MarketingSettings } from '../settings/marketing-settings.js'
import { idsOf, type SendStatements } from './send-statements.js'
import { checked, ofAnyKind } from './send-table.js'

/** Small enough that others do not wait long for the database. */
const deletedAtOnce = 1000

/** Deletes sends that nobody needs any more. */
export function pruneSends({
  database,
  table,
  bare,
  as,
  s,
  byWaitingIndex,
  pieces,
}: SendStatements) {
  return {
    /**
     * Deletes up to a thousand sends that were sent or skipped before `before`, or that failed and were accepted before
     * `failedBefore`; without a key also those that have waited since then. An unsubscribe that failed stays: a
     * merchant decides. What was sent after a failed send of its profile stays as long as that one, which
     * gets its values when it is resent; so does a subscription after a failed unsubscribe. Resolves to how many.
     */
    async prune(before: Date, failedBefore: Date, { isWithoutKey = false } = {}): Promise<number> {
      const f = as('f')
      const isEnded = sql`${checked(sql`${s.state} in ('sent', 'skipped')`)}
        and not exists (select 1 from ${table} as "f" where ${f.profile} = ${s.profile}
          and ${f.state} in ('failed', 'queued', 'sending') and ${f.id} < ${s.id}
          and ${checked(sql`(${f.kind} in ('event', 'identify')
            or (${f.kind} = 'unsubscribe' and ${s.kind} in ('subscribe', 'consent')))`)})`
      const failed = isWithoutKey ? sql`('failed', 'queued')` : sql`('failed')`
      const isOver = checked(
        sql`${bare.state} in ('sent', 'skipped') or ${bare.state} in ${failed}`,
      )
      let count = 0
      for (const old of [
        sql`where ${s.sentAt} < ${before.toISOString()} and ${isEnded} order by ${s.sentAt}`,
        sql`${byWaitingIndex} where ${ofAnyKind(s)} and ${s.state} in ${failed}
          and ${checked(sql`${s.kind} <> 'unsubscribe'`)}
          and ${s.acceptedAt} < ${failedBefore.toISOString()} order by ${s.id}`,
      ]) {
        // Rows are found before they are deleted, because a write statement blocks every other writer
        // in SQLite.
        const found = await pieces.piece(() =>
          database.rows(sql`select ${s.id} as "id" from ${table} as "s"
            ${old} limit ${deletedAtOnce - count}`),
        )
        await pieces.each(idsOf(found), async (some) => {
          const deleted = await database.rows(sql`delete from ${table}
            where ${database.isOneOf(bare.id, some)} and ${isOver} returning ${bare.id} as "id"`)
          count += deleted.length
        })
      }
      return count
    },
  }
}

const pruneEveryMs = 60 * 60_000
const goOnAfterMs = 1_500
const dayMs = 24 * 60 * 60_000

/** Sends that failed, or that wait for a key, hold personal data, so they are not kept for ever. */
export const failedDays = 90

/** Deletes sends that were delivered or failed long ago, or have waited so long for a key. */
export function createPruning(
  shop: Shop,
  {
    store,
    settings,
  }: { store: ReturnType<typeof pruneSends>; settings: () => Promise<MarketingSettings> },
): Worker {
  const rest = createRest(shop)

  const run = async (): Promise<void> => {
    const now = shop.effects.now().getTime()
    rest.for(pruneEveryMs)
    const { retentionDays, keyProblem } = await settings()
    const daysAgo = (days: number) => new Date(now - days * dayMs)
    const failedBefore = daysAgo(Math.max(failedDays, retentionDays))
    // Sends stay for at least a day: a deleted send can no longer show that a new one is a repeat.
    const pruned = await store.prune(daysAgo(Math.max(1, retentionDays)), failedBefore, {
      isWithoutKey: keyProblem === 'missing',
    })
    if (pruned > 0) rest.for(goOnAfterMs)
  }

  return {
    name: 'pruning',
    next: () => rest.next(run),
  }
}
