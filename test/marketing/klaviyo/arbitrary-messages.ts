import fc from 'fast-check'
import type {
  Channel,
  EventMessage,
  SubscribeMessage,
} from '../../../src/marketing/klaviyo/message.js'
import type { Dispatch } from '../../../src/marketing/klaviyo/call-answer.js'
import type { JsonValue, Profile, ProfileLocation } from '../../../src/marketing/klaviyo/profile.js'
import { testTime } from './messages.js'

const text = fc.string({ unit: 'binary', maxLength: 20 })
const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })

const json: fc.Arbitrary<JsonValue> = fc
  .jsonValue({ maxDepth: 4 })
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonValue)

const properties = fc.dictionary(name, json, { maxKeys: 5 })

const location: fc.Arbitrary<ProfileLocation> = fc
  .record(
    { address1: text, city: text, country: text, latitude: text, timezone: text },
    noneRequired(),
  )
  .map(present)

function noneRequired() {
  return { requiredKeys: [] as [] }
}

/** Fields that are there, as a stored message has them. */
function present<Value extends object>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value
}

const email = fc
  .tuple(fc.stringMatching(/^[a-z][a-z0-9+.'-]{0,10}$/), fc.constantFrom('example.com', 'shop.at'))
  .map(([local, domain]) => `${local}@${domain}`)

const phoneNumber = fc.stringMatching(/^\+[1-9][0-9]{7,13}$/)

const traits = fc.record(
  {
    externalId: text,
    firstName: text,
    lastName: text,
    organization: text,
    title: text,
    locale: text,
    image: text,
    location,
    properties,
  },
  noneRequired(),
)

const reachable: fc.Arbitrary<Profile> = fc.oneof(
  fc.record({ email }),
  fc.record({ phoneNumber }),
  fc.record({ email, phoneNumber }),
)

const identifiers: fc.Arbitrary<Profile> = fc.oneof(
  { arbitrary: reachable, weight: 3 },
  { arbitrary: fc.record({ exchangeId: fc.stringMatching(/^[\w=.-]{1,60}$/) }), weight: 1 },
)

export const arbitraryProfile: fc.Arbitrary<Profile> = fc
  .tuple(identifiers, traits)
  .map(([who, what]) => present<Profile>({ ...who, ...what }))

export const arbitraryEvent: fc.Arbitrary<Dispatch<EventMessage>> = fc
  .record({
    profile: arbitraryProfile,
    event: fc.tuple(
      fc.record({ name, uniqueId: fc.uuid(), properties }),
      fc.record(
        {
          time: fc.date({ min: new Date('1990-01-02'), max: testTime, noInvalidDate: true }),
          value: fc.double(),
          valueCurrency: fc.constantFrom('EUR', 'USD', 'JPY'),
          backfill: fc.constant(true as const),
        },
        noneRequired(),
      ),
    ),
    acceptedMinutesAgo: fc.integer({ min: 0, max: 5000 }),
  })
  .map(({ profile, event: [must, may], acceptedMinutesAgo }) => {
    const { time, ...rest } = may
    const event = { ...must, ...rest, ...(time && { time: time.toISOString() }) }
    return {
      message: { kind: 'event', profile, event },
      acceptedAt: new Date(testTime.getTime() - acceptedMinutesAgo * 60_000),
    }
  })

export const arbitrarySubscription = (list: string): fc.Arbitrary<SubscribeMessage> =>
  reachable.chain((profile) => {
    const possible: Channel[] = [
      ...(profile.email === undefined ? [] : (['email'] as const)),
      ...(profile.phoneNumber === undefined ? [] : (['sms'] as const)),
    ]
    return fc
      .subarray(possible, { minLength: 1 })
      .map((channels) => ({ kind: 'subscribe', profile, list, channels }))
  })
