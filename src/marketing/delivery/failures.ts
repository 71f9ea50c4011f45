import { sql, type SQL } from 'drizzle-orm'
import { momentOf } from '../../core/database/database.js'
import type { Shop } from '../../core/shop.js'
import { resendSends } from './outbox.js'
import { ofAnyKind, type SendTable } from './send-table.js'

/** The failed sends of one reason, by the moments at which they were accepted. */
export interface Failure {
  /** The error in a word (`reasonOf`). An edition that had none stored the error's code. */
  reason: string
  /** Whether the sends have the reason in its own column. */
  isStored: boolean
  count: number
  firstAt: Date | undefined
  newestAt: Date | undefined
  /** The newest one. */
  sample: { id: number; code: string; detail: string }
}

export interface FailureQuery {
  reason: string
  /** Only sends that were accepted at this moment or later. */
  since?: Date | undefined
}

/** The most failed sends that one click resends. */
export const resentAtMost = 50_000

/** Small batches, so that other queries do not wait long for the database. */
const resendBatchSize = 1000

/** More reasons than there are. An answer of Klaviyo could invent any number. */
const reasonsAtMost = 100

/** The failed sends, by reason. */
export function createFailures(
  { effects }: Pick<Shop, 'effects'>,
  { sends, wake }: { sends: SendTable; wake: () => void },
) {
  const { database, table, bare, as } = sends
  const s = as('s')
  const reason = sql`coalesce(${s.reason}, ${s.errorCode}, '')`
  const failed = (since: Date | undefined): SQL =>
    since === undefined
      ? failedSends(sends)
      : sql`${failedSends(sends)} and ${s.acceptedAt} >= ${since.toISOString()}`

  return {
    /** The reasons, the most frequent first. */
    async read(since?: Date): Promise<Failure[]> {
      // All failed sends are counted, because a limit would hide whole reasons.
      const groups = await database.rows(sql`select ${reason} as "reason", count(*) as "count",
          max(${s.reason}) as "stored", min(${s.acceptedAt}) as "firstAt",
          max(${s.acceptedAt}) as "newestAt", max(${s.id}) as "newest"
        from ${failed(since)} group by 1 order by count(*) desc, 1 limit ${reasonsAtMost}`)
      if (groups.length === 0) return []
      const newest = groups.map((group) => Number(group.newest))
      const samples =
        await database.rows(sql`select ${bare.id} as "id", ${bare.errorCode} as "code",
          ${bare.errorDetail} as "detail"
        from ${table} where ${database.isOneOf(bare.id, newest)}`)
      const sampleOf = new Map(samples.map((sample) => [Number(sample.id), sample]))
      return groups.map((group) => {
        const id = Number(group.newest)
        const sample = sampleOf.get(id)
        return {
          reason: String(group.reason),
          isStored: group.stored !== null,
          count: Number(group.count),
          firstAt: momentOf(group.firstAt),
          newestAt: momentOf(group.newestAt),
          sample: { id, code: String(sample?.code ?? ''), detail: String(sample?.detail ?? '') },
        }
      })
    },

    /** Queues the failed sends of this reason again, the oldest `resentAtMost`. Resolves to their number. */
    async resend({ reason: wanted, since }: FailureQuery): Promise<number> {
      // They are selected once, because otherwise those that fail again meanwhile would be resent for ever.
      // Sends of one profile leave in the order of their ids, so the oldest go back first.
      const rows = await database.rows(sql`select ${s.id} as "id" from ${failed(since)}
        and ${reason} = ${wanted} order by ${s.id} limit ${resentAtMost}`)
      const ids = rows.map(({ id }) => Number(id))
      const now = effects.now()
      let count = 0
      for (let at = 0; at < ids.length; at += resendBatchSize) {
        count += await resendSends(sends, ids.slice(at, at + resendBatchSize), now)
      }
      if (count > 0) wake()
      return count
    },
  }
}

export type Failures = ReturnType<typeof createFailures>

/** SQL that follows `from`: the failed sends under the alias `s`. `and` may follow it. */
export function failedSends({ table, as }: SendTable): SQL {
  const s = as('s')
  return sql`${table} as "s" where ${ofAnyKind(s)} and ${s.state} = 'failed'`
}
