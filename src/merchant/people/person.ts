// The browser loads it too.

import type { SendKind, SendState } from '../../marketing/delivery/send.js'
import type { SendWait } from '../../marketing/delivery/send-wait.js'
import type { Channel } from '../../marketing/klaviyo/message.js'
import type { Standing } from '../story/story-entry.js'

/** Below Payload's API route. Both are posted a `PersonQuery`, because URLs are logged. */
export const personPath = '/storeconnect/person'
export const personAtKlaviyoPath = '/storeconnect/person-at-klaviyo'

/** The name of the page among the tabs of the overview. */
export const personTab = 'person'

type Id = number | string

/** The documents that name a person. */
export const namingDocuments = ['order', 'customer', 'send'] as const

/** Who is looked for: by an email or a phone number as it was typed, or by the id of a document that names the person. */
export interface PersonQuery {
  by: 'text' | (typeof namingDocuments)[number]
  value: string
}

export interface PersonAccount {
  id: Id
  /** Where it is below the admin: one in the trash has another place. */
  path: `/${string}`
  email: string
  name: string
}

/** What the shop knows of a person. Every moment is an ISO date. */
export interface Person {
  /** Absent for a guest. */
  account?: PersonAccount
  name: string
  /** In lower case. */
  emails: string[]
  /** E.164. */
  phoneNumbers: string[]
  orders: PersonOrder[]
  /** How many there are; the newest are listed. */
  orderCount: number
  /** The carts that were not bought, the newest. */
  carts: PersonCart[]
  /** Absent where the shop has no Klaviyo, like the consents. */
  sends?: PersonSend[]
  consents?: PersonConsent[]
  proofs?: PersonProof[]
  ordersSlug: string
  cartsSlug: string
}

export interface PersonOrder {
  id: Id
  reference: string
  at: string
  /** With its currency. */
  total: string
  /** In the language of the reader. */
  status: string
  standing?: Standing
  /** Whether the person was erased, and the order kept for the books. */
  isErased: boolean
}

export interface PersonCart {
  id: Id
  changedAt: string
  lines: number
  /** The link that restores it; absent where none can. */
  link?: string
}

export interface PersonSend {
  id: Id
  kind: SendKind
  metric?: string
  state: SendState
  /** When Klaviyo took it, else when it was stored. */
  at: string
  /** What its last error says, in the language of the reader. */
  reason?: string
  /** Absent when it does not wait. */
  wait?: SendWait
}

/** What the account says of the consents that Klaviyo has. */
export interface PersonConsent {
  channel: Channel
  status: string
  since?: string
  source: string
}

/** What the person answered at a checkout. */
export interface PersonProof {
  channel: Channel
  given: boolean
  wording: string
  version: string
  page: string
  at?: string
  reference: string
}

/** Several accounts may have one phone number. */
export type PersonAnswer =
  { is: 'person'; person: Person } | { is: 'several'; accounts: PersonAccount[] }

export interface KlaviyoProfile {
  id: string
  /** The email or the phone number that it was found by. */
  address: string
  consents: { channel: Channel; status: string; since?: string }[]
  /** Klaviyo's reasons, the latest first. */
  suppressions: { reason: string; since?: string }[]
}

/** What Klaviyo says; `unknown`: it could not be asked, and why, in the language of the reader. */
export type PersonAtKlaviyo =
  | { is: 'known'; profiles: KlaviyoProfile[]; unknownAddresses: string[] }
  | { is: 'unknown'; problem: string }
