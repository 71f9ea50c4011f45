import type { CheckoutConsent, ConsentProof } from '../../marketing/consent/checkout-consent.js'
import type { Channel } from '../../marketing/klaviyo/message.js'
import type { StatusChange } from '../../shop/orders/status-history.js'
import type { PaymentOfStory } from '../../shop/payments/payments.js'
import type { PullOfOrder } from '../../shipping/pulls.js'
import type { Parcel } from '../../shop/orders/happening.js'
import type { StoredSend, StoryEntry, StoryNotice } from './story-entry.js'

export interface StoryOrder {
  id: number | string
  reference: string
  createdAt: Date
  site: string | undefined
  /** When the link in a mail put its cart back; undefined when none did. */
  restoredAt: Date | undefined
  changes: readonly StatusChange[]
  consent: CheckoutConsent
  personErased: string | undefined
}

export interface OrderFacts {
  order: StoryOrder
  /** Why ShipStation did not get it when it last asked, in the reader's language. */
  skipped: { at: Date; reasons: string } | undefined
  notices: readonly (StoryNotice & { at: Date; repeatedAt: Date })[]
  /** The parcels of the notices, with what their carriers say. */
  parcels: readonly Parcel[]
  sends: readonly StoredSend[]
  pulls: readonly PullOfOrder[]
  payments: readonly PaymentOfStory[]
  /** The collection of the payments, for links. */
  paymentsSlug: string
  admins: ReadonlyMap<string, string>
}

export const orderStory = (facts: OrderFacts) => {
  const { order, skipped, notices, sends, pulls, admins } = facts
  return newestFirst([
    ...erasureOf(order),
    ...placed(order),
    ...restored(order),
    ...order.changes
      .filter((change) => change.placed !== true)
      .map((change) => status(change, admins)),
    ...proofs(order.consent),
    ...pulls.map(pulled),
    ...begunPayments(facts),
    ...(skipped
      ? [{ is: 'skipped' as const, at: moment(skipped.at), reasons: skipped.reasons }]
      : []),
    ...notices.map(({ at, repeatedAt, ...notice }) => ({
      ...notice,
      at: moment(notice.repeats > 0 ? repeatedAt : at),
    })),
    ...facts.parcels.flatMap(tracked),
    ...sends.flatMap(sent),
  ])
}

export interface PersonFacts {
  createdAt: Date
  consents: readonly { channel: Channel; status: string; since: Date | undefined; source: string }[]
  orders: readonly StoryOrder[]
  ordersSlug: string
  payments: OrderFacts['payments']
  paymentsSlug: string
  sends: readonly StoredSend[]
}

export const personStory = (facts: PersonFacts) => {
  const { createdAt, consents, orders, ordersSlug, sends } = facts
  return newestFirst([
    { is: 'account', at: moment(createdAt) },
    ...consents.map(({ channel, status, since, source }): StoryEntry => ({
      is: 'consentStatus',
      at: since ? moment(since) : null,
      channel,
      status,
      source,
    })),
    ...orders.flatMap((order) => [
      ...placed(order).map((entry) => ({
        ...entry,
        order: { id: order.id, reference: order.reference, slug: ordersSlug },
      })),
      ...proofs(order.consent, order.reference),
    ]),
    ...begunPayments(facts),
    ...sends.flatMap(sent),
  ])
}

const moment = (at: Date) => at.toISOString()

/** What has no moment comes first: it is so now. */
const newestFirst = (entries: readonly StoryEntry[]): StoryEntry[] =>
  entries.toSorted((one, other) => timeOf(other) - timeOf(one))

const timeOf = ({ at }: StoryEntry) => (at === null ? Infinity : Date.parse(at))

function placed({ createdAt, changes, site }: StoryOrder): StoryEntry[] {
  const change = changes.find((each) => each.placed === true)
  return [
    {
      is: 'placed',
      at: change?.at ?? moment(createdAt),
      ...(change && { status: change.status }),
      ...(site !== undefined && { site }),
    },
  ]
}

const begunPayments = ({
  payments,
  paymentsSlug: slug,
}: Pick<OrderFacts, 'payments' | 'paymentsSlug'>): StoryEntry[] =>
  payments.map(({ id, amount, status, begunAt }) => ({
    is: 'payment',
    at: moment(begunAt),
    payment: { id, slug },
    amount,
    status,
  }))

const restored = ({ restoredAt }: StoryOrder): StoryEntry[] =>
  restoredAt ? [{ is: 'restored', at: moment(restoredAt) }] : []

function status(change: StatusChange, admins: OrderFacts['admins']): StoryEntry {
  const admin = change.admin === undefined ? undefined : admins.get(String(change.admin))
  return {
    is: 'status',
    at: change.at,
    status: change.status,
    ...(change.by !== undefined && { by: change.by }),
    ...(admin !== undefined && { admin }),
    ...(change.isImport === true && { isImport: true }),
  }
}

const erasureOf = ({ personErased }: StoryOrder): StoryEntry[] =>
  personErased === undefined ? [] : [{ is: 'erased', at: null, orders: personErased }]

const proofs = (consent: CheckoutConsent, reference?: string): StoryEntry[] =>
  (Object.entries(consent) as [Channel, ConsentProof][]).map(
    ([channel, { at, given, wording, version, page }]) => ({
      is: 'consent',
      at: at ? moment(at) : null,
      channel,
      given,
      wording,
      version,
      page,
      ...(reference !== undefined && { reference }),
    }),
  )

const pulled = ({ pull, at, asked, page, pages, isAnswered }: PullOfOrder): StoryEntry => ({
  is: 'pull',
  at: moment(at),
  pull,
  ...(asked !== undefined && { asked }),
  page,
  pages,
  isAnswered,
})

const tracked = ({ carrier, trackingNumber, states = [] }: Parcel): StoryEntry[] =>
  states.map(({ state, at }) => ({
    is: 'parcel',
    at: moment(at),
    ...{ state, carrier, trackingNumber },
  }))

/** A send was accepted, each attempt, what came of it, and why it waits. */
function sent(stored: StoredSend): StoryEntry[] {
  const { id, kind, metric, state, acceptedAt, wait, sentAt, attempts, error } = stored
  const send = { id, kind, ...(metric !== undefined && { metric }) }
  const isDelivered = attempts.some(({ meant }) => meant === 'delivered')
  return [
    { is: 'accepted', at: moment(acceptedAt), send },
    ...attempts.map((attempt, index): StoryEntry => ({
      is: 'attempt',
      at: attempt.at,
      send,
      attempt,
      canResend: state === 'failed' && index === attempts.length - 1,
    })),
    // Of a send from before attempts were kept, only its end is known.
    ...(sentAt && state === 'sent' && !isDelivered
      ? [{ is: 'delivered' as const, at: moment(sentAt), send }]
      : []),
    ...(state === 'failed' && attempts.length === 0
      ? [{ is: 'failed' as const, at: null, send, detail: error }]
      : []),
    ...(wait ? [{ is: 'waits' as const, at: null, send, wait }] : []),
  ]
}
