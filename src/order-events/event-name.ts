import type { EventContext } from './event-context.js'
import { plainText } from './plain-text.js'

/** The status that tells a refund; its event has a switch of its own. */
export const refundedStatus = 'refunded'

/** `<Status> Order`, unless the settings call it something else. */
export function statusEventName(
  { status, label }: { status: string; label: string },
  { statusEvents }: Pick<EventContext, 'statusEvents'>,
): string {
  const mapped = statusEvents.find((row) => row.status === status)
  return mapped?.event ?? `${plainText(label) || capitalised(plainText(status))} Order`
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The metric as the platform shows it. */
export const withPrefix = (name: string, { eventPrefix }: Pick<EventContext, 'eventPrefix'>) =>
  eventPrefix === '' ? name : `${eventPrefix} ${name}`
