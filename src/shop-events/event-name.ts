import { platformLimits } from '../marketing/limits.js'
import type { EventContext } from './event-context.js'
import { plainText } from './plain-text.js'

/** The status that tells a refund; its event has a switch of its own. */
export const refundedStatus = 'refunded'

/** `<Status> Order`, unless the settings call it something else. A refund's name is the same everywhere. */
export function statusEventName(
  { status, label }: { status: string; label: string },
  { statusEvents }: Pick<EventContext, 'statusEvents'>,
): string {
  const mapped = statusEvents.find((row) => row.status === status)
  if (mapped !== undefined) return mapped.event
  if (status === refundedStatus) return 'Refunded Order'
  return `${plainText(label) || capitalised(plainText(status))} Order`
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The metric as the platform shows it, cut at a whole character where it would refuse the length. */
export function withPrefix(
  name: string,
  { eventPrefix }: Pick<EventContext, 'eventPrefix'>,
): string {
  const whole = eventPrefix === '' ? name : `${eventPrefix} ${name}`
  if (whole.length < platformLimits.eventNameLength) return whole
  return whole.slice(0, platformLimits.eventNameLength - 1).replace(/[\uD800-\uDBFF]$/, '')
}
