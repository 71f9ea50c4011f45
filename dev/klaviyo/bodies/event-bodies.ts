import {
  amount,
  both,
  fine,
  list,
  nullable,
  object,
  properties,
  text,
  trueOrFalse,
  wrong,
  type Check,
} from '../check.ts'
import { isCurrency, readDateTime } from '../formats.ts'
import { data, job, resource } from './document.ts'
import { anyText } from './fields.ts'
import { bulkEventProfile, eventProfile } from './profile-bodies.ts'

const metric = data(
  resource('metric', {
    required: ['attributes'],
    fields: {
      attributes: object({
        resource: 'metric',
        required: ['name'],
        fields: {
          name: text(
            (name) => name.trim() !== '' && [...name].length < 128,
            'Must be less than 128 characters and not blank.',
          ),
          service: anyText,
        },
      }),
    },
  }),
)

const FIRST_TIME = Date.UTC(1991, 0, 1)
const YEAR_MS = 365 * 24 * 60 * 60 * 1000

/** What is too old or too far ahead depends on the time. */
export function eventBodies(now: () => number) {
  const time = nullable(
    text((value) => {
      const at = readDateTime(value)
      return at !== undefined && at >= FIRST_TIME && at <= now() + YEAR_MS
    }, 'Must be a date-time after the year 1990 and at most 1 year in the future.'),
  )

  const eventFields = {
    properties: properties(),
    time,
    value: nullable(amount),
    value_currency: nullable(text(isCurrency, 'Must be an ISO 4217 currency code.')),
    unique_id: anyText,
    backfill: nullable(trueOrFalse),
    metric,
  }

  const event = data(
    resource('event', {
      required: ['attributes'],
      fields: {
        attributes: object({
          resource: 'event',
          required: ['properties', 'metric', 'profile'],
          fields: { ...eventFields, profile: data(eventProfile) },
        }),
      },
    }),
  )

  const eventOfMany = resource('event', {
    required: ['attributes'],
    fields: {
      attributes: object({
        resource: 'event',
        required: ['properties', 'metric'],
        fields: eventFields,
      }),
    },
  })

  const eventsOfProfile = resource('event-bulk-create', {
    required: ['attributes'],
    fields: {
      attributes: object({
        resource: 'event-bulk-create',
        required: ['profile', 'events'],
        fields: {
          backfill: nullable(trueOrFalse),
          profile: data(bulkEventProfile),
          events: data(list({ item: eventOfMany, max: 1000, of: 'events' })),
        },
      }),
    },
  })

  const events = job('event-bulk-create-job', {
    required: ['events-bulk-create'],
    fields: {
      'events-bulk-create': data(
        both(list({ item: eventsOfProfile, max: 1000, of: 'profiles' }), atMostThousandEvents),
      ),
    },
  })
  return { event, events }
}

const atMostThousandEvents: Check = (value) => {
  let count = 0
  for (const entry of value as { attributes: { events: { data: unknown[] } } }[]) {
    count += entry.attributes.events.data.length
  }
  return count <= 1000 ? fine : wrong('Must not hold more than 1000 events.')
}
