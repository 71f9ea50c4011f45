import type { NewSend } from '../delivery/send.js'
import type { MarketingEvent } from '../marketing/message.js'
import type { Profile } from '../marketing/profile.js'
import { throughHooks } from '../marketing/through-hooks.js'
import type { EventContext } from './event-context.js'
import { withPrefix } from './event-name.js'
import { nameOf } from './hooked-properties.js'
import type { Subject } from './order-hooks.js'

/** An event of an order or a cart, before the store's hooks have seen it. */
export interface Composed extends Omit<MarketingEvent, 'time' | 'value' | 'valueCurrency'> {
  /** Without the prefix. */
  name: string
  /** What makes it the same send when it is told again. */
  key: string
  at: Date
  value: number | undefined
  currency: string
}

const currencyCode = /^[A-Z]{3}$/

/** The send of an event; undefined when the store's hooks veto it or fail at it. */
export async function composedSend(
  composed: Composed,
  { profile, subject }: { profile: Profile; subject: Subject },
  context: EventContext,
): Promise<NewSend | undefined> {
  const { name, key, uniqueId, at, value, currency, properties } = composed
  const event: MarketingEvent = {
    name: withPrefix(name, context),
    uniqueId,
    ...(Number.isFinite(at.getTime()) && { time: at.toISOString() }),
    ...valueOf(value, currency),
    properties,
  }
  const { mark = (message) => message, hooks, log, now } = context
  const about = nameOf(subject)
  const marked = mark({ kind: 'event', profile, event })
  const message = await throughHooks(marked, { hooks, log, about })
  return message && { message, key, acceptedAt: now }
}

/** The value as an event has it. A value in no currency that is known is told without one. */
export const valueOf = (
  value: number | undefined,
  currency: string,
): Pick<MarketingEvent, 'value' | 'valueCurrency'> => ({
  ...(value !== undefined && { value }),
  ...(value !== undefined && currencyCode.test(currency) && { valueCurrency: currency }),
})
