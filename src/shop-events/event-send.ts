import type { NewSend } from '../delivery/send.js'
import { platformLimits } from '../marketing/limits.js'
import type { MarketingEvent } from '../marketing/message.js'
import type { Profile, Properties } from '../marketing/profile.js'
import { throughHooks } from '../marketing/through-hooks.js'
import { nameOf } from './ask-properties-hook.js'
import type { EventContext } from './event-context.js'
import type { Subject } from './order-hooks.js'
import { majorUnits } from './property-values.js'

/** An event of an order or a cart, before the store's hooks have seen it. */
export interface NewEvent {
  /** Without the prefix. */
  name: string
  /** What makes it the same send when it is reported again. */
  key: string
  uniqueId: string
  at: Date
  /** Integer minor units of the currency. */
  amount: number
  currency: string
  properties: Properties
}

/** The send of an event; undefined when the store's hooks veto it or fail at it. */
export async function eventSend(
  { name, key, uniqueId, at, amount, currency, properties }: NewEvent,
  { profile, subject }: { profile: Profile; subject: Subject },
  context: EventContext,
): Promise<NewSend | undefined> {
  const event: MarketingEvent = {
    name: withPrefix(name, context),
    uniqueId,
    ...(Number.isFinite(at.getTime()) && { time: at.toISOString() }),
    ...valueOf(amount, currency),
    properties,
  }
  const { mark = (message) => message, hooks, log, now } = context
  const marked = mark({ kind: 'event', profile, event })
  const message = await throughHooks(marked, { hooks, log, about: nameOf(subject) })
  return message && { message, key, acceptedAt: now }
}

/** The value as an event has it. A value in no currency that is known goes without one. */
export function valueOf(
  amount: number,
  currency: string,
): Pick<MarketingEvent, 'value' | 'valueCurrency'> {
  const value = majorUnits(amount, currency)
  if (value === undefined) return {}
  return { value, ...(/^[A-Z]{3}$/.test(currency) && { valueCurrency: currency }) }
}

/** The metric as the platform shows it, cut at a whole character where it would refuse the length. */
function withPrefix(name: string, { eventPrefix }: EventContext): string {
  const whole = eventPrefix === '' ? name : `${eventPrefix} ${name}`
  if (whole.length < platformLimits.eventNameLength) return whole
  return whole.slice(0, platformLimits.eventNameLength - 1).replace(/[\uD800-\uDBFF]$/, '')
}
