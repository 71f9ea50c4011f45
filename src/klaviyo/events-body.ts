import type { EventMessage } from '../marketing/message.js'
import type { Dispatch } from '../marketing/platform.js'
import { mergeProfiles, profileKey, type Profile } from '../marketing/profile.js'
import { eventAttributes } from './event-body.js'
import { placesOf } from './places.js'
import { profileResource } from './profile-body.js'

type Event = Dispatch<EventMessage>

/** The events of one profile, those of long ago by themselves: the platform marks whole groups. */
export interface EventGroup {
  isBackfill: boolean
  /** What all of them say of the profile, the later over the earlier. */
  profile: Profile
  /** A repeated occurrence has one place: the call would fail on a repeated unique id. */
  events: { event: Event; indexes: number[] }[]
}

export function groupEvents(events: readonly Event[]): EventGroup[] {
  const entries = events.map((event, index) => ({ event, index }))
  const groups = placesOf(entries, ({ event }) => groupOf(event.message))
  return groups.map(({ items }) => ({
    isBackfill: items.some(({ event }) => isBackfill(event.message)),
    profile: items.map(({ event }) => event.message.profile).reduce(mergeProfiles),
    events: placesOf(items, ({ event: { message } }) => occurrenceOf(message)).flatMap((place) =>
      place.items
        .slice(0, 1)
        .map(({ event }) => ({ event, indexes: place.items.map(({ index }) => index) })),
    ),
  }))
}

const isBackfill = ({ event }: EventMessage) => event.backfill === true

const groupOf = (message: EventMessage): string =>
  JSON.stringify([profileKey(message.profile), isBackfill(message)])

const occurrenceOf = ({ event }: EventMessage): string =>
  JSON.stringify([event.name, event.uniqueId])

/** Body of `POST /api/event-bulk-create-jobs`. */
export const eventsBody = (groups: readonly EventGroup[], now: Date) => ({
  data: {
    type: 'event-bulk-create-job',
    attributes: {
      'events-bulk-create': {
        data: groups.map(({ isBackfill, profile, events }) => ({
          type: 'event-bulk-create',
          attributes: {
            ...(isBackfill && { backfill: true }),
            profile: { data: profileResource(profile) },
            events: {
              data: events.map(({ event }) => ({
                type: 'event',
                attributes: eventAttributes(event, now),
              })),
            },
          },
        })),
      },
    },
  },
})

/** Indexes of the events that a pointer into that body is about: one event's, or a whole profile's. */
export function eventsAt(groups: readonly EventGroup[], pointer: string): number[] {
  const match =
    /\/events-bulk-create\/data\/(\d{1,6})(?:\/attributes\/events\/data\/(\d{1,6}))?/.exec(pointer)
  const group = groups[Number(match?.[1])]
  if (group === undefined) return []
  const place = match?.[2]
  const places =
    place === undefined ? group.events : group.events.slice(Number(place), Number(place) + 1)
  return places.flatMap(({ indexes }) => indexes)
}
