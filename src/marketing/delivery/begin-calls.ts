import { sql, type SQL } from 'drizzle-orm'
import type { Row } from '../../core/database/database.js'
import { jsonRows, manyRows, parsedJson } from '../../core/database/json-rows.js'
import type { Message } from '../klaviyo/message.js'
import type { CallLogs } from './call-log.js'
import type { Lease } from '../../core/workers/lease.js'
import { LeaseLost } from '../../core/workers/lease-lost.js'
import { idsOf, type SendStatements } from './send-statements.js'
import type { WaitingSend } from './send.js'
import { checked } from './send-table.js'

/** A send as the deliverer remembers it. */
type NamedSend = Pick<WaitingSend, 'id' | 'kind' | 'profile'>

/** Marks sends before the calls that carry them. */
export function beginCalls({ database, table, bare, as, s, shape, pieces }: SendStatements) {
  return {
    /**
     * Marks the sends of each call before it is made. Resolves to their messages by id. A send that no
     * longer waits, or that an earlier send of its profile blocks, is left out. So is one whose row is
     * another send by now: SQLite gives the id of a deleted row to a new one.
     *
     * @throws {LeaseLost}
     */
    async begin(
      calls: readonly { name: string; sends: readonly NamedSend[] }[],
      lease: Lease,
      logs: CallLogs,
    ): Promise<Map<number, Message>> {
      if (!(await lease.renew(logs))) throw new LeaseLost()
      const rows = calls.flatMap(({ name, sends }) =>
        sends.map(({ id, kind, profile }) => ({ send: id, call: name, kind, profile })),
      )
      const messages = new Map<number, Message>()
      await pieces.each(rows, async (some) => {
        const begun = await markAsSending(some, lease)
        // The update does not return the messages: a process that pauses during a large answer would
        // keep PostgreSQL from committing.
        const read = sql`select ${bare.id} as "id", ${bare.message} as "message"
          from ${table} where ${database.isOneOf(bare.id, begun)} order by ${bare.id}`
        for (const { id, message } of await manyRows(database, read, ['id', 'message'])) {
          messages.set(Number(id), parsedJson(message) as Message)
        }
      })
      return messages
    },
  }

  /** Resolves to the ids that are marked now. */
  async function markAsSending(rows: readonly Row[], lease: Lease): Promise<number[]> {
    const { id, call, kind, profile } = shape
    const wanted = jsonRows(database, { send: id, call, kind, profile }, rows)
    const b = as('b')
    const isPast = (of: SQL) => sql`(${of} = 'past-event')`
    // Looked up once for each line of sends, and not for each send, as one person may have them all.
    const ofLine = sql`${b.profile} = "line"."profile"
      and ${checked(sql`${isPast(b.kind)} = "line"."isPast"`)}`
    const isSame = sql`${s.kind} = "wanted"."kind" and ${s.profile} = "wanted"."profile"`
    const begun = await database.rows(
      sql`with "wanted" as materialized (select * from ${wanted} as "rows"),
        "lines" as materialized (select "profile", "isPast",
            exists (select 1 from ${table} as "b" where ${ofLine} and ${b.state} = 'sending'
              and ${checked(sql`${b.call} is distinct from "line"."call"`)}) as "isBusy",
            (select ${b.id} from ${table} as "b" where ${ofLine} and ${b.state} = 'queued'
              and ${checked(sql`${b.id} not in (select "send" from "wanted")`)}
              order by ${b.id} limit 1) as "blocker"
          from (select distinct "profile", ${isPast(sql`"kind"`)} as "isPast", "call"
            from "wanted") as "line")
        update ${table} as "s" set ${bare.state} = 'sending', ${bare.call} = "wanted"."call"
        from "wanted" join "lines" on "lines"."profile" = "wanted"."profile"
          and ${checked(sql`"lines"."isPast" = ${isPast(sql`"wanted"."kind"`)}`)}
        where ${s.id} = "wanted"."send" and ${checked(sql`${s.state} = 'queued' and ${isSame}`)}
          and ${lease.isHeld} and not "lines"."isBusy"
          and ("lines"."blocker" is null or ${s.id} < "lines"."blocker")
        returning ${bare.id} as "id"`,
    )
    return idsOf(begun)
  }
}
