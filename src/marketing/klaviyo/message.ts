import type { Profile, Properties } from './profile.js'

/** Something that happened, as it is sent to Klaviyo. */
export interface MarketingEvent {
  /** The name with the event prefix. */
  name: string
  /**
   * The same occurrence always has the same id: Klaviyo records one event for each profile, name
   * and id.
   */
  uniqueId: string
  /** ISO 8601. Default: the moment when Klaviyo receives it. */
  time?: string
  /** In major units of `valueCurrency`, unlike the amounts of an order: 12.5 for 12.50 euros. */
  value?: number
  /** ISO 4217. */
  valueCurrency?: string
  properties: Properties
  /** Whether it is a past event: Klaviyo records it without starting a flow. */
  backfill?: true
}

/** Creates or updates a profile. */
export interface IdentifyMessage {
  kind: 'identify'
  profile: Profile
}

/** Creates or updates a profile and records an event for it, in one call. */
export interface EventMessage {
  kind: 'event'
  profile: Profile
  event: MarketingEvent
}

/** Adds an existing profile to a list. Creates no profile and gives no consent. */
interface ListAddMessage {
  kind: 'list-add'
  profile: Profile
  list: string
}

export type Channel = 'email' | 'sms'

/** Subscribes a profile to a list, with consent for the channels that were posted. */
export interface SubscribeMessage {
  kind: 'subscribe'
  profile: Profile
  list: string
  channels: Channel[]
  /**
   * Whether the person consented just for this, in a form or at the checkout, or the subscription came
   * along with an order. Klaviyo is asked before the call whether the person has left. Absent: it is not.
   */
  basis?: 'explicit' | 'implied'
  /** When consent was given for each channel, as ISO 8601, if that was before the message was accepted. */
  consentedAt?: Partial<Record<Channel, string>>
}

/** Ends the consent of a profile for these channels, on all lists. */
export interface UnsubscribeMessage {
  kind: 'unsubscribe'
  profile: Profile
  channels: Channel[]
}

/** Has Klaviyo tell a person when a variant is in stock again. */
export interface BackInStockMessage {
  kind: 'back-in-stock'
  profile: Profile
  /** The id of the variant in the catalog. */
  variant: string
  /** What the product was called then, for who reads the send. */
  product: string
  channels: Channel[]
}

/**
 * Deletes the profile and everything that Klaviyo knows of the person. The profile has one
 * identifier: an email, else a phone number.
 */
export interface EraseMessage {
  kind: 'erase'
  profile: Profile
}

/** One thing to send to Klaviyo. */
export type Message =
  | IdentifyMessage
  | EventMessage
  | ListAddMessage
  | SubscribeMessage
  | UnsubscribeMessage
  | BackInStockMessage
  | EraseMessage

export type MessageKind = Message['kind']

/** A message that the store's hooks may change. */
export type HookedMessage = IdentifyMessage | EventMessage
