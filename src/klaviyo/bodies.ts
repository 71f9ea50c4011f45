import type { EventMessage, SubscribeMessage } from '../marketing/message.js'
import type { Dispatch } from '../marketing/platform.js'
import {
  locationSchema,
  mergeProfiles,
  profileKey,
  profileSchema,
  type Profile,
} from '../marketing/profile.js'

/** A body, and the items that a pointer into it is about: their indexes. */
export interface ItemsBody {
  body: unknown
  itemsAt: (pointer: string) => readonly number[]
}

/** What stands at one place of a body, and the indexes of the items that it stands for. */
interface Place<Item> {
  items: [Item, ...Item[]]
  indexes: number[]
}

/** Puts items that may share a place together, in the order of the first of each. */
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

const attributeNames = namesIn(profileSchema.omit({ location: true }).shape)
const locationNames = namesIn(locationSchema.shape)

/** A profile as the platform names it. Whatever else a stored message holds is not sent. */
const profileResource = (profile: Profile) => ({
  type: 'profile',
  attributes: {
    ...named(profile, attributeNames),
    ...(profile.location && { location: named(profile.location, locationNames) }),
  },
})

const named = (values: object, names: ReturnType<typeof namesIn>): Record<string, unknown> =>
  Object.fromEntries(
    names.flatMap(([ours, theirs]) => {
      const value: unknown = values[ours as keyof typeof values]
      return value === undefined ? [] : [[theirs, value]]
    }),
  )

/** Body of `POST /api/profile-import`. */
export const profileBody = (profile: Profile) => ({ data: profileResource(profile) })

/** A profile with what all of its items say, the later over the earlier. */
export interface ProfilePlace {
  profile: Profile
  indexes: readonly number[]
}

/**
 * One entry a profile: nothing says that the job takes the entries in their order, so two of one
 * profile could leave it with the older values.
 */
export const importEntries = (profiles: readonly Profile[]): ProfilePlace[] =>
  placesOf(profiles, profileKey).map(({ items, indexes }) => ({
    profile: items.reduce(mergeProfiles),
    indexes,
  }))

/** Body of `POST /api/profile-bulk-import-jobs`. */
export function importBody(profiles: readonly Profile[], list?: string): ItemsBody {
  const entries = importEntries(profiles)
  const data = entries.map(({ profile }) => profileResource(profile))
  const lists = { data: [{ type: 'list', id: list }] }
  return {
    body: {
      data: {
        type: 'profile-bulk-import-job',
        attributes: { profiles: { data } },
        ...(list !== undefined && { relationships: { lists } }),
      },
    },
    itemsAt: profilesAt(entries),
  }
}

/** Which of the places, an import's or a subscription's, a pointer names. */
const profilesAt = (places: readonly { indexes: readonly number[] }[]) => (pointer: string) =>
  places[Number(/\/profiles\/data\/(\d{1,6})/.exec(pointer)?.[1])]?.indexes ?? []

/**
 * A post without a time means the moment the platform receives it. That is said by leaving the time
 * out, until the event comes so late that its acceptance is nearer to the truth.
 */
const lateAfterMs = 60_000

type Event = Dispatch<EventMessage>

/** What a single event and one of many have in common. */
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

/**
 * The events of one profile, those of long ago by themselves: the platform marks whole groups. A
 * repeated occurrence has one place: the call would fail on a repeated unique id.
 */
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
    /** A pointer is about one event, or about a whole group. */
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

const subscribed = { marketing: { consent: 'SUBSCRIBED' } }

/**
 * Body of `POST /api/profile-subscription-bulk-create-jobs`. An identifier without its channel says
 * whose consent it is and is not subscribed. Repeated profiles are one: each could send the same
 * person another confirmation.
 */
export function subscribeBody(messages: readonly SubscribeMessage[], list: string): ItemsBody {
  const places = placesOf(messages, ({ profile: { email, phoneNumber } }) =>
    JSON.stringify([email?.toLowerCase(), phoneNumber]),
  )
  const data = places.map(({ items }) => {
    const { email, phoneNumber } = items[0].profile
    const channels = items.flatMap((message) => message.channels)
    return {
      type: 'profile',
      attributes: {
        ...(email !== undefined && { email }),
        ...(phoneNumber !== undefined && { phone_number: phoneNumber }),
        subscriptions: Object.fromEntries(channels.map((channel) => [channel, subscribed])),
      },
    }
  })
  return {
    body: {
      data: {
        type: 'profile-subscription-bulk-create-job',
        attributes: { profiles: { data } },
        relationships: { list: { data: { type: 'list', id: list } } },
      },
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
