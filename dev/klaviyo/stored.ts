import type { OptInProcess } from './lists.ts'

/** The identifiers of a profile besides its id, the strongest first. */
export const identifierNames = [
  'external_id',
  'email',
  'phone_number',
  'anonymous_id',
  '_kx',
] as const

export type IdentifierName = (typeof identifierNames)[number]

/** Attributes that are one text each. */
export const plainNames = [
  'first_name',
  'last_name',
  'organization',
  'locale',
  'title',
  'image',
] as const

export type Channel = 'email' | 'sms' | 'whatsapp' | 'push'

export interface Consent {
  status: 'SUBSCRIBED' | 'UNSUBSCRIBED'
  at: number
  isDoubleOptIn: boolean
  source: string
}

export type SuppressionReason =
  'HARD_BOUNCE' | 'INVALID_EMAIL' | 'SPAM_COMPLAINT' | 'UNSUBSCRIBE' | 'USER_SUPPRESSED'

export interface StoredProfile {
  id: string
  createdAt: number
  updatedAt: number
  lastEventAt: number | undefined
  /** Identifiers and plain attributes by the API's names; cleared ones are not there. */
  attributes: Record<string, string>
  location: Record<string, string | number>
  properties: Record<string, unknown>
  consent: Partial<Record<Channel, Consent>>
  suppressions: Suppression[]
  listSuppressions: (Suppression & { list: string })[]
}

export interface Suppression {
  reason: SuppressionReason
  at: number
}

export interface StoredEvent {
  id: string
  profile: string
  metric: string
  uniqueId: string
  /** To the second. */
  time: number
  receivedAt: number
  value: number | undefined
  currency: string | undefined
  properties: Record<string, unknown>
  /** How often it arrived; only the first is recorded. */
  arrivals: number
}

export interface StoredMetric {
  id: string
  name: string
  createdAt: number
}

/** What a slot of the account names. */
export interface Mapping {
  metric?: string
  customMetric?: string
  updatedAt: number
}

export interface StoredList {
  id: string
  name: string
  optIn: OptInProcess
  createdAt: number
  /** Ids of profiles, and when they came. */
  members: Map<string, number>
}

/** A message that asks somebody to confirm a subscription. */
export interface Confirmation {
  id: string
  profile: string
  list: string | undefined
  channels: Channel[]
  source: string
  sentAt: number
  confirmedAt: number | undefined
}

/** Somebody who waits for a variant. */
export interface Waiting {
  profile: string
  variant: string
  /** By the API's names. */
  channels: Set<string>
  /** How often it was asked for. */
  arrivals: number
  /** When it was in stock again, and the message left. */
  toldAt: number | undefined
}

/** One thing that a call did to a profile, in the order things were done. */
export interface Effect {
  at: number
  profile: string
  kind: 'profile' | 'event' | 'list-add' | 'subscribe' | 'unsubscribe' | 'back-in-stock'
  /** The metric, the list or the variant. */
  detail: string
}
