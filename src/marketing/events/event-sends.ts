import { messageLimits } from '../klaviyo/limits.js'
import type { MarketingEvent, Message } from '../klaviyo/message.js'
import type { Profile } from '../klaviyo/profile.js'
import { throughHooks } from '../klaviyo/through-hooks.js'
import type { Order } from '../../shop/orders/order.js'
import { documentOf, linesOf, nameOf, subjectProperties } from './subject-properties.js'
import type { EventContext } from './event-context.js'
import {
  cartEvents,
  eventRows,
  orderEvents,
  type CartHappening,
  type EventTable,
} from './event-table.js'
import type { OrderHappening } from '../../shop/orders/happening.js'
import type { CartSnapshot, Subject } from './event-options.js'
import { personOf, profileOf, type Person } from './person.js'
import { majorUnits, presentValues } from './property-values.js'

interface EventSend {
  message: Message
  key: string
  acceptedAt: Date
}

/** The same happenings always give sends with the same keys (`docs/interface.md` (Built-in events)). */
export const orderSends = (
  order: Order,
  happenings: readonly OrderHappening[],
  context: EventContext,
): Promise<EventSend[]> =>
  eventSends(
    orderEvents,
    { document: order, subject: { kind: 'order', order }, person: personOf(order), happenings },
    context,
  )

/** Undefined when the settings, a hook or the email rule it out. */
export async function cartSend(
  { cart, person, ...happening }: CartHappening & { cart: CartSnapshot; person: Person },
  context: EventContext,
): Promise<EventSend | undefined> {
  const [send] = await eventSends(
    cartEvents,
    { document: cart, subject: { kind: 'cart', cart }, person, happenings: [happening] },
    context,
  )
  return send
}

export const isOrderWanted = (
  order: Order,
  happenings: readonly OrderHappening[],
  context: EventContext,
): boolean =>
  wantedOf(orderEvents, { subject: { kind: 'order', order }, happenings }, context).length > 0

interface About<Happening, Document> {
  document: Document
  subject: Subject
  person: Person
  happenings: readonly Happening[]
}

async function eventSends<Happening extends SwitchedOff, Document>(
  table: EventTable<Happening, Document>,
  about: About<Happening, Document>,
  context: EventContext,
): Promise<EventSend[]> {
  const wanted = wantedOf(table, about, context)
  if (wanted.length === 0) return []
  const { document, subject } = about
  const person = profileOf(about.person)
  if (person === undefined) {
    context.log.info(nameOf(subject), 'Not sent to Klaviyo: no valid email')
    return []
  }
  const profile = { ...person, ...presentValues({ locale: context.site?.language }) }
  const { whole, lines } = await subjectProperties(subject, context)
  const properties = whole ?? {}
  const { statusEvents } = context
  const described = { document, whole: properties, lines, profile, statusEvents }
  const drafts = wanted
    .filter(({ row }) => whole !== undefined || row.of === 'line')
    .flatMap(({ row, happening }) =>
      row.events(happening, described).map((draft) => ({ name: row.name, ...draft })),
    )
  const sends = new Map<string, EventSend>()
  const { total, currency } = documentOf(subject)
  for (const { amount = total, ...draft } of drafts) {
    const value = amount === 'none' ? {} : valueOf(amount, currency)
    const event = { properties, ...value, ...draft }
    const send = await eventSend(event, { profile, about: nameOf(subject) }, context)
    if (send !== undefined && !sends.has(send.key)) sends.set(send.key, send)
  }
  return [...sends.values()]
}

interface SwitchedOff {
  at: Date
  /** The events that were switched off then. */
  off?: readonly string[] | undefined
}

/** The events that apply to the happenings, are switched on now and were switched on at the time. */
const wantedOf = <Happening extends SwitchedOff, Document>(
  table: EventTable<Happening, Document>,
  { subject, happenings }: Pick<About<Happening, Document>, 'subject' | 'happenings'>,
  { builtInEvents }: EventContext,
) =>
  happenings.flatMap((happening) =>
    eventRows(table)
      .filter(([event, row]) => {
        const isOn = builtInEvents[event] && happening.off?.includes(event) !== true
        return isOn && row.when(happening) && (row.of !== 'line' || linesOf(subject).length > 0)
      })
      .map(([, row]) => ({ row, happening })),
  )

/** Undefined when a hook keeps the event back. `about` names what it is about in the log. */
export async function eventSend(
  { key, at, ...own }: Omit<MarketingEvent, 'time'> & { key: string; at: Date },
  { profile, about }: { profile: Profile; about: Readonly<Record<string, unknown>> },
  context: EventContext,
): Promise<EventSend | undefined> {
  const event: MarketingEvent = {
    ...own,
    name: withPrefix(own.name, context),
    ...(Number.isFinite(at.getTime()) && { time: at.toISOString() }),
  }
  const { mark = (message) => message, hooks, log, now } = context
  const marked = mark({ kind: 'event', profile, event })
  const message = await throughHooks(marked, { hooks, log, about })
  return message && { message, key, acceptedAt: now }
}

/** From an amount in minor units. A currency that is no three-letter code is left out. */
export function valueOf(
  amount: number,
  currency: string,
): Pick<MarketingEvent, 'value' | 'valueCurrency'> {
  const value = majorUnits(amount, currency)
  if (value === undefined) return {}
  return { value, ...(/^[A-Z]{3}$/.test(currency) && { valueCurrency: currency }) }
}

/** The metric's name with the prefix, cut to the length that Klaviyo accepts, never within a character. */
export function withPrefix(
  name: string,
  { eventPrefix }: Pick<EventContext, 'eventPrefix'>,
): string {
  const whole = eventPrefix === '' ? name : `${eventPrefix} ${name}`
  if (whole.length < messageLimits.eventNameLength) return whole
  return whole.slice(0, messageLimits.eventNameLength - 1).replace(/[\uD800-\uDBFF]$/, '')
}
