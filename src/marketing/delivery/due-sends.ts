import { sql, type SQL } from 'drizzle-orm'
import { jsonRows } from '../../core/database/json-rows.js'
import type { Lease } from '../../core/workers/lease.js'
import { isWaiting, type SendStatements } from './send-statements.js'
import type { SendKind } from './send.js'
import { checked, ofAnyKind } from './send-table.js'

/** How many rows a statement reads when it writes only some of them. */
const lookedAtOnce = 2_000

/** Changes when waiting sends are due. */
export function dueSends({
  database,
  table,
  bare,
  s,
  shape,
  byWaitingIndex,
  pieces,
}: SendStatements) {
  return {
    /** Makes waiting sends wait until a later moment. */
    async putOff(
      waits: readonly { id: number; nextAttemptAt: Date }[],
      lease: Lease,
    ): Promise<void> {
      if (waits.length === 0) return
      const { id, nextAttemptAt } = shape
      const until = jsonRows(database, { id, nextAttemptAt }, waits)
      await database.run(sql`update ${table} as "s" set ${bare.nextAttemptAt} = "r"."nextAttemptAt"
        from ${until} as "r" where ${s.id} = "r"."id" and ${checked(sql`${s.state} = 'queued'`)}
          and ${lease.isHeld}`)
    },

    /** Shortens all waits: the process that wrote them had a clock that was this far ahead. */
    async bringForward(ms: number, lease: Lease): Promise<void> {
      const seconds = ms / 1_000
      const earlier = database.isSqlite
        ? sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${bare.nextAttemptAt}, ${`-${seconds} seconds`})`
        : sql`${bare.nextAttemptAt} - ${`${seconds} seconds`}::interval`
      await database.run(sql`update ${table} set ${bare.nextAttemptAt} = ${earlier}
        where ${ofAnyKind(bare)} and ${bare.state} in ('queued', 'sending')
          and ${checked(sql`${bare.nextAttemptAt} <> ${bare.acceptedAt}`)} and ${lease.isHeld}`)
    },

    /** Makes waiting sends of these kinds due at once; suspects then. */
    async release(
      kinds: readonly SendKind[],
      ...[lease, now, suspectsAt = now]: [lease: Lease, now: Date, suspectsAt?: Date]
    ): Promise<void> {
      for (const kind of kinds) await releaseKind(kind, lease, { now, suspectsAt })
    },
  }

  /** By a few thousand ids at a time, as most sends of a long queue have never been put off. */
  async function releaseKind(
    kind: SendKind,
    lease: Lease,
    { now, suspectsAt }: { now: Date; suspectsAt: Date },
  ): Promise<void> {
    const moments: [isOne: SQL, at: Date][] =
      suspectsAt > now
        ? [
            [sql`${bare.crashes} = 0`, now],
            [sql`${bare.crashes} > 0`, suspectsAt],
          ]
        : [[sql`true`, now]]
    let after = 0
    for (;;) {
      const ids = sql`select ${s.id} as "id" from ${table} as "s" ${byWaitingIndex}
        where ${isWaiting(s, kind)} and ${s.id} > ${after} order by ${s.id} limit ${lookedAtOnce}`
      const [last] = await pieces.piece(() =>
        database.rows(sql`select max("id") as "id" from (${ids}) as "some"`),
      )
      const upTo = Number(last?.id ?? 0)
      if (upTo === 0) return
      for (const [isOne, at] of moments) {
        const nextAttemptAt = at.toISOString()
        const isPutOff = sql`${bare.nextAttemptAt} > ${nextAttemptAt} and ${isOne}`
        const where = sql`${isWaiting(bare, kind)} and ${bare.id} > ${after} and ${bare.id} <= ${upTo}
          and ${checked(isPutOff)} and ${lease.isHeld}`
        await pieces.piece(() => database.update(table, { nextAttemptAt }, where))
      }
      after = upTo
    }
  }
}
