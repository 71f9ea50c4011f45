import * as z from 'zod/mini'
import type {
  BackInStockMessage,
  Channel,
  EventMessage,
  SubscribeMessage,
  UnsubscribeMessage,
} from './message.js'
import type { Dispatch } from './call-answer.js'
import { profileKey } from '../../core/people/profile-key.js'
import { locationSchema, mergeProfiles, profileSchema, type Profile } from './profile.js'

/** `itemsAt` returns the indexes of the items that a pointer into the body is about. */
export interface ItemsBody {
  body: unknown
  itemsAt: (pointer: string) => readonly number[]
}

/** One entry of a body: the items that it stands for, and their indexes. */
interface Place<Item> {
  items: [Item, ...Item[]]
  indexes: number[]
}

/** Groups items with the same key, in the order of the first item of each group. */
function placesOf<Item>(items: readonly Item[], keyOf: (item: Item) => string): Place<Item>[] {
  const places = new Map<string, Place<Item>>()
  for (const [index, item] of items.entries()) {
    const key = keyOf(item)
    const place = places.get(key)
    place?.items.push(item)
    place?.indexes.push(index)
    if (place === undefined) places.set(key, { items: [item], indexes: [index] })
  }
  return [...places.values()]
}

const namesIn = (shape: object) =>
  Object.keys(shape).map(
    (name) => [name, name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] as const,
  )

const attributeNames = [
  ...namesIn(z.omit(profileSchema, { location: true, exchangeId: true }).shape),
  ['exchangeId', '_kx'] as const,
]
const locationNames = namesIn(locationSchema.shape)

/** A profile with Klaviyo's names. Unknown members of a stored message are not sent. */
const profileResource = (profile: Profile) => ({
  type: 'profile',
  attributes: {
    ...named(profile, attributeNames),
    ...(profile.location && { location: named(profile.location, locationNames) }),
  },
})

function named(
  values: object,
  names: readonly (readonly [string, string])[],
): Record<string, unknown> {
  const named: Record<string, unknown> = {}
  for (const [ours, theirs] of names) {
    const value: unknown = values[ours as keyof typeof values]
    if (value !== undefined) named[theirs] = value
  }
  return named
}

/** Body of `POST /api/profile-import`. */
export const profileBody = (profile: Profile) => ({ data: profileResource(profile) })

/** A profile with the values of all its items, where later values replace earlier ones. */
export interface ProfilePlace {
  profile: Profile
  indexes: readonly number[]
}

/** The indexes of the items in the subscription entry that a pointer names. */
const profilesAt = (places: readonly { indexes: readonly number[] }[]) => (pointer: string) =>
  places[Number(/\/profiles\/data\/(\d{1,6})/.exec(pointer)?.[1])]?.indexes ?? []

/** After this delay the moment of acceptance is sent: without a time Klaviyo takes the moment when it gets the event. */
const lateAfterMs = 60_000

type Event = Dispatch<EventMessage>

/** The attributes that a single event and an event of a bulk call share. */
function eventAttributes({ message: { event }, acceptedAt }: Event, now: Date) {
  const { value, valueCurrency } = event
  const isLate = now.getTime() - acceptedAt.getTime() > lateAfterMs
  const time = event.time ?? (isLate ? acceptedAt.toISOString() : undefined)
  return {
    properties: event.properties,
    unique_id: event.uniqueId,
    metric: { data: { type: 'metric', attributes: { name: event.name } } },
    ...(time !== undefined && { time }),
    ...(value !== undefined && Number.isFinite(value) && { value }),
    ...(valueCurrency !== undefined && { value_currency: valueCurrency }),
    ...(event.backfill && { backfill: true }),
  }
}

/** Body of `POST /api/events`. */
export const eventBody = (event: Event, now: Date) => ({
  data: {
    type: 'event',
    attributes: { ...eventAttributes(event, now), profile: profileBody(event.message.profile) },
  },
})

/** Events by profile, past ones apart as Klaviyo marks whole groups; a repeated unique id would make the call fail. */
export const eventGroups = (events: readonly Event[]) =>
  placesOf(events, groupKey).map(({ items, indexes }) => ({
    isBackfill: isBackfill(items[0]),
    profile: items.map(({ message }) => message.profile).reduce(mergeProfiles),
    indexes,
    events: placesOf(items, occurrenceKey).map((place) => ({
      event: place.items[0],
      indexes: place.indexes.flatMap((index) => indexes[index] ?? []),
    })),
  }))

const isBackfill = ({ message }: Event) => message.event.backfill === true

const groupKey = (event: Event): string =>
  JSON.stringify([profileKey(event.message.profile), isBackfill(event)])

const occurrenceKey = ({ message: { event } }: Event): string =>
  JSON.stringify([event.name, event.uniqueId])

/** Body of `POST /api/event-bulk-create-jobs`. */
export function eventsBody(events: readonly Event[], now: Date) {
  const groups = eventGroups(events)
  const data = groups.map(({ isBackfill, profile, events }) => ({
    type: 'event-bulk-create',
    attributes: {
      ...(isBackfill && { backfill: true }),
      profile: profileBody(profile),
      events: {
        data: events.map(({ event }) => ({
          type: 'event',
          attributes: eventAttributes(event, now),
        })),
      },
    },
  }))
  return {
    body: {
      data: { type: 'event-bulk-create-job', attributes: { 'events-bulk-create': { data } } },
    },
    /** A pointer names one event or a whole group. */
    itemsAt: (pointer: string): readonly number[] => {
      const [, group, event] =
        /\/events-bulk-create\/data\/(\d{1,6})(?:\/attributes\/events\/data\/(\d{1,6}))?/.exec(
          pointer,
        ) ?? []
      const found = groups[Number(group)]
      return (event === undefined ? found : found?.events[Number(event)])?.indexes ?? []
    },
  }
}

const identifiersOf = ({ email, phoneNumber }: Profile) => ({
  ...(email !== undefined && { email }),
  ...(phoneNumber !== undefined && { phone_number: phoneNumber }),
})

const personPlaces = <Item extends SubscribeMessage | UnsubscribeMessage>(items: readonly Item[]) =>
  placesOf(items, ({ profile: { email, phoneNumber } }) =>
    JSON.stringify([email?.toLowerCase(), phoneNumber]),
  )

const entriesFor = (channels: readonly Channel[], valueOf: (channel: Channel) => unknown) =>
  Object.fromEntries(channels.map((channel) => [channel, { marketing: valueOf(channel) }]))

/**
 * Body of `POST /api/profile-subscription-bulk-create-jobs`. A repeated profile is one entry, as each may send another
 * confirmation. Klaviyo takes `consented_at` only in a historical import, and requires it there for all.
 */
export function subscribeBody(messages: readonly SubscribeMessage[], list: string): ItemsBody {
  const places = personPlaces(messages)
  const isHistorical = messages.some(({ consentedAt }) => consentedAt !== undefined)
  const data = places.map(({ items }) => {
    const moments = Object.assign({}, ...items.map(({ consentedAt }) => consentedAt)) as Partial<
      Record<Channel, string>
    >
    const channels = items.flatMap((message) => message.channels)
    return {
      type: 'profile',
      attributes: {
        ...identifiersOf(items[0].profile),
        subscriptions: entriesFor(channels, (channel) => ({
          consent: 'SUBSCRIBED',
          ...(isHistorical && { consented_at: moments[channel] }),
        })),
      },
    }
  })
  return {
    body: {
      data: {
        type: 'profile-subscription-bulk-create-job',
        attributes: { profiles: { data }, ...(isHistorical && { historical_import: true }) },
        relationships: { list: { data: { type: 'list', id: list } } },
      },
    },
    itemsAt: profilesAt(places),
  }
}

/** Body of `POST /api/profile-subscription-bulk-delete-jobs`. Klaviyo may end the consent for all lists anyway. */
export function unsubscribeBody(messages: readonly UnsubscribeMessage[]): ItemsBody {
  const places = personPlaces(messages)
  const data = places.map(({ items }) => ({
    type: 'profile',
    attributes: {
      ...identifiersOf(items[0].profile),
      subscriptions: entriesFor(
        items.flatMap(({ channels }) => channels),
        () => ({ consent: 'UNSUBSCRIBED' }),
      ),
    },
  }))
  return {
    body: {
      data: { type: 'profile-subscription-bulk-delete-job', attributes: { profiles: { data } } },
    },
    itemsAt: profilesAt(places),
  }
}

/** Body of `POST /api/lists/{id}/relationships/profiles`. */
export const listMembersBody = (ids: readonly string[]): ItemsBody => ({
  body: { data: ids.map((id) => ({ type: 'profile', id })) },
  itemsAt(pointer) {
    const index = Number(/^\/data\/(\d{1,6})(?:\/|$)/.exec(pointer)?.[1])
    return index < ids.length ? [index] : []
  },
})

export const catalogPrefix = '$custom:::$default:::'

/** The id of an entry of the catalog, which Klaviyo makes of the shop's. */
export const klaviyoId = (id: string): string => catalogPrefix + id

/** Body of `POST /api/back-in-stock-subscriptions`. */
export const backInStockBody = ({ profile, variant, channels }: BackInStockMessage) => ({
  data: {
    type: 'back-in-stock-subscription',
    attributes: {
      channels: channels.map((channel) => channel.toUpperCase()),
      profile: { data: { type: 'profile', attributes: identifiersOf(profile) } },
    },
    relationships: { variant: { data: { type: 'catalog-variant', id: klaviyoId(variant) } } },
  },
})

/** Klaviyo takes one identifier and refuses several. */
export const deletionBody = ({ email, phoneNumber }: Profile) => ({
  data: {
    type: 'data-privacy-deletion-job',
    attributes: {
      profile: {
        data: {
          type: 'profile',
          attributes: email === undefined ? { phone_number: phoneNumber } : { email },
        },
      },
    },
  },
})
