import type { EventMessage, MarketingEvent } from '../marketing/message.js'
import type { Dispatch } from '../marketing/platform.js'
import { profileResource } from './profile-body.js'

/**
 * A post without a time means the moment the platform receives it. That is said by leaving the time
 * out, until the event comes so late that its acceptance is nearer to the truth.
 */
const lateAfterMs = 60_000

/** What a single event and one of many have in common. */
export function eventAttributes({ message, acceptedAt }: Dispatch<EventMessage>, now: Date) {
  const { event } = message
  const isLate = now.getTime() - acceptedAt.getTime() > lateAfterMs
  const time = event.time ?? (isLate ? acceptedAt.toISOString() : undefined)
  return {
    properties: event.properties,
    unique_id: event.uniqueId,
    metric: { data: { type: 'metric', attributes: { name: event.name } } },
    ...(time !== undefined && { time }),
    ...value(event),
    ...(event.backfill && { backfill: true }),
  }
}

function value({ value, valueCurrency }: MarketingEvent) {
  return {
    ...(value !== undefined && Number.isFinite(value) && { value }),
    ...(valueCurrency !== undefined && { value_currency: valueCurrency }),
  }
}

/** Body of `POST /api/events`. */
export const eventBody = (dispatch: Dispatch<EventMessage>, now: Date) => ({
  data: {
    type: 'event',
    attributes: {
      ...eventAttributes(dispatch, now),
      profile: { data: profileResource(dispatch.message.profile) },
    },
  },
})
