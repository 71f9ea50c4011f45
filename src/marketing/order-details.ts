import type { Profile, Properties } from './profile.js'

/** What the platform is told of an order, in the shape of the built-in order events. */
export interface OrderDetails {
  value?: number
  valueCurrency?: string
  properties: Properties
  /** Whom the event is for; undefined for an order without an email. */
  customer: Profile | undefined
}
