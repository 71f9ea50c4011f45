import { sql } from 'drizzle-orm'
import { momentOf } from '../../core/database/database.js'
import type { SendTable } from '../delivery/send-table.js'
import type { NewSend, SendState } from '../delivery/send.js'
import type { EventContext } from '../events/event-context.js'
import { withPrefix } from '../events/event-sends.js'
import { exampleProfile } from './example-profile.js'

/** How far a test event has come. */
export interface TestEventProgress {
  state: SendState
  /** From the shop to Klaviyo, in milliseconds; undefined until it has arrived. */
  tookMs?: number
  /** Why Klaviyo did not take it. */
  error?: { code: string; detail: string }
}

/** An event of its own metric, which no other event belongs to. */
export function testEvent(id: string, context: Pick<EventContext, 'eventPrefix' | 'now'>): NewSend {
  const name = withPrefix('Storeconnect Test', context)
  const event = { name, uniqueId: id, value: 0, properties: { Example: true } }
  return {
    message: { kind: 'event', profile: exampleProfile, event },
    key: keyOf(id),
    acceptedAt: context.now,
  }
}

const keyOf = (id: string) => `test:${id}`

/** Undefined when there is no such event, or its send was deleted. */
export async function readTestEvent(
  { database, table, bare }: SendTable,
  id: string,
): Promise<TestEventProgress | undefined> {
  const [row] = await database.rows(sql`select ${bare.state} as "state",
      ${bare.acceptedAt} as "from", ${bare.sentAt} as "to",
      ${bare.errorCode} as "code", ${bare.errorDetail} as "detail"
    from ${table} where ${bare.key} = ${keyOf(id)}`)
  if (row === undefined) return undefined
  const { state, from, to, code, detail } = row
  const [begin, end] = [momentOf(from), momentOf(to)]
  return {
    state: state as SendState,
    ...(begin && end && { tookMs: Math.max(0, end.getTime() - begin.getTime()) }),
    ...(typeof detail === 'string' && { error: { code: String(code ?? ''), detail } }),
  }
}
