import type { Profile, Properties } from './profile.js'

/** Something that happened, as it is told to the marketing platform. */
export interface MarketingEvent {
  /** With the event prefix. */
  name: string
  /** The same for the same occurrence for ever: the platform records one a profile, name and id. */
  uniqueId: string
  /** ISO 8601. Absent: when the platform receives it. */
  time?: string
  value?: number
  /** ISO 4217. */
  valueCurrency?: string
  properties: Properties
  /** It happened long ago: recorded, while nothing is set off by it. */
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

/** Adds a profile that the platform has to a list; creates none and gives no consent. */
export interface ListAddMessage {
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
}

/** One thing to tell the marketing platform. */
export type Message = IdentifyMessage | EventMessage | ListAddMessage | SubscribeMessage

export type MessageKind = Message['kind']
