import type { Attempt } from '../../marketing/delivery/attempt.js'
import type { SendWait } from '../../marketing/delivery/send-wait.js'
import type { SendKind, SendState } from '../../marketing/delivery/send.js'
import type { Channel } from '../../marketing/klaviyo/message.js'
import type { ParcelState } from '../../shop/orders/parcel-state.js'
import type { StatusMaker } from '../../shop/orders/status-history.js'

/** Below Payload's API route, with `orders` or `customers` and the id behind it. */
export const storyPath = '/storeconnect/story'

/** Below Payload's API route: the XML of the order that `reference` names, as ShipStation would get it. */
export const orderXmlPath = '/storeconnect/order-xml'

type Id = number | string

export interface StorySend {
  id: Id
  kind: SendKind
  /** Klaviyo's name of the event, or the product that somebody waits for; absent for other kinds. */
  metric?: string
}

/** What happened. Every moment is an ISO date; the reader's page puts it into words. */
export type StoryEntry = Happened & {
  /** Null when nobody knows when. */
  at: string | null
}

type Happened =
  | {
      is: 'placed'
      status?: string
      site?: string
      order?: { id: Id; reference: string; slug: string }
    }
  | { is: 'restored' }
  | { is: 'payment'; payment: { id: Id; slug: string }; amount: string; status: string }
  | { is: 'status'; status: string; by?: StatusMaker; admin?: string; isImport?: true }
  | { is: 'pull'; pull: Id; asked?: string; page: number; pages: number; isAnswered: boolean }
  | { is: 'skipped'; reasons: string }
  | StoryNotice
  | { is: 'parcel'; state: ParcelState; carrier: string; trackingNumber: string }
  | { is: 'accepted'; send: StorySend }
  | { is: 'attempt'; send: StorySend; attempt: Attempt; canResend: boolean }
  | { is: 'delivered'; send: StorySend }
  | { is: 'waits'; send: StorySend; wait: SendWait }
  | { is: 'failed'; send: StorySend; detail: string }
  | {
      is: 'consent'
      channel: Channel
      given: boolean
      wording: string
      version: string
      page: string
      reference?: string
    }
  | { is: 'consentStatus'; channel: Channel; status: string; source: string }
  | { is: 'erased'; orders: string }
  | { is: 'account' }

export interface StoryNotice {
  is: 'notice'
  notice: Id
  carrier: string
  service: string
  trackingNumber: string
  from?: string
  to?: string
  itemsLeft?: number
  repeats: number
  recipient?: string
  notesToCustomer?: string
}

export interface StoredSend extends StorySend {
  state: SendState
  acceptedAt: Date
  /** Undefined when it does not wait. */
  wait: SendWait | undefined
  sentAt: Date | undefined
  attempts: readonly Attempt[]
  /** Of the last error; blank without one. */
  code: string
  error: string
  /** As it was typed; undefined when it has none. */
  email: string | undefined
}

/** How an order stands at ShipStation, for a list and above its story. Every moment is an ISO date. */
export type Standing =
  | {
      is: 'shipped'
      carrier: string
      trackingNumber: string
      /** The carrier's page of the parcel. */
      url?: string
      /** What the carrier said last; absent for a parcel that nobody tracks. */
      state?: ParcelState
      /** How many parcels there are; the one that is named came last, of those that are not delivered. */
      parcels: number
    }
  | { is: 'skipped'; reasons: string }
  | { is: 'pulled'; at: string }
  | { is: 'waits' }

export interface Story {
  entries: StoryEntry[]
  /** The names of the orders' statuses in the reader's language. */
  statuses: Record<string, string>
  /** The order that the story is about, for the link to its XML. */
  reference?: string
  /** How that order stands at ShipStation. */
  standing?: Standing
}
