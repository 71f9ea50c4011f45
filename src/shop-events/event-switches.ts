import type { BuiltInEvent } from '../settings/marketing-settings.js'
import { refundedStatus } from './event-name.js'

/** The switches of the settings that what is told of an order's entry into a status goes by. */
export const switchesOf = (
  happening: { kind: 'placed' } | { kind: 'status'; status: string },
): readonly BuiltInEvent[] => {
  if (happening.kind === 'placed') return ['placedOrder', 'orderedProduct']
  return [happening.status === refundedStatus ? 'refundedOrder' : 'statusChanged']
}
