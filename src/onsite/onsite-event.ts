import type { MarketingEvent } from '../klaviyo/message.js'
import type { Properties } from '../klaviyo/profile.js'

/** An event as Klaviyo's script on a page sends it. */
export interface OnsiteEvent {
  /** The metric, with the event prefix. */
  name: string
  properties: Properties
}

/**
 * Klaviyo's script takes the value and the id of an event among its properties
 * (https://developers.klaviyo.com/en/docs/guide_to_integrating_a_platform_without_a_pre_built_klaviyo_integration).
 * Without an id, each report is an event.
 */
export const onsiteEvent = (
  { name, value, uniqueId, properties }: MarketingEvent,
  { isOnce }: { isOnce: boolean },
): OnsiteEvent => ({
  name,
  properties: {
    ...properties,
    ...(value !== undefined && { $value: value }),
    ...(isOnce && { $event_id: uniqueId }),
  },
})
