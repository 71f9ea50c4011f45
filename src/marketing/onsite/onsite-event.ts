import type { MarketingEvent } from '../klaviyo/message.js'
import type { Properties } from '../klaviyo/profile.js'

/** An event as Klaviyo's script on a page sends it. */
export interface OnsiteEvent {
  /** The metric, with the event prefix. */
  name: string
  properties: Properties
  /** Of a viewed product: what the script notes for a block of recently viewed items. */
  viewedItem?: Properties
}

/**
 * Klaviyo's script takes the id, the value and its currency among the properties of an event
 * (https://developers.klaviyo.com/en/docs/guide_to_integrating_a_platform_without_a_pre_built_klaviyo_integration).
 * Without an id, each report is an event.
 */
export const onsiteEvent = (
  { name, value, valueCurrency, uniqueId, properties }: MarketingEvent,
  { isOnce }: { isOnce: boolean },
): OnsiteEvent => ({
  name,
  properties: {
    ...properties,
    ...(value !== undefined && { $value: value }),
    ...(valueCurrency !== undefined && { $value_currency: valueCurrency }),
    ...(isOnce && { $event_id: uniqueId }),
  },
})
