import {
  amount,
  both,
  fine,
  isObject,
  list,
  nullable,
  object,
  oneOf,
  properties,
  text,
  trueOrFalse,
  wrong,
  type Check,
} from './check.ts'
import { isCurrency, isEmail, isPhoneNumber, readDateTime } from './formats.ts'

// What the published documents ask of each request body, written out by hand: revision 2026-07-15.

const anyText = nullable(text())
const email = nullable(text(isEmail, 'Invalid email address'))
const phoneNumber = nullable(
  text(isPhoneNumber, 'Invalid phone number format (Example of a valid format: +12345678901)'),
)
const dateTime = nullable(text((value) => readDateTime(value) !== undefined, 'Invalid date-time.'))
const coordinate: Check = nullable((value) =>
  typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))
    ? fine
    : wrong('Must be a string or a number.'),
)

const location = object({
  resource: 'location',
  fields: {
    address1: anyText,
    address2: anyText,
    city: anyText,
    country: anyText,
    latitude: coordinate,
    longitude: coordinate,
    region: anyText,
    zip: anyText,
    timezone: anyText,
    ip: anyText,
  },
})

const textOrTexts: Check = (value) =>
  typeof value === 'string' ||
  (Array.isArray(value) && value.every((entry) => typeof entry === 'string'))
    ? fine
    : wrong('Must be a string or an array of strings.')

const profileMeta = object({
  resource: 'meta',
  fields: {
    patch_properties: object({
      resource: 'patch_properties',
      fields: {
        append: nullable(properties()),
        unappend: nullable(properties()),
        unset: nullable(textOrTexts),
      },
    }),
    patch_identifiers: object({
      resource: 'patch_identifiers',
      fields: { append: properties(), unappend: properties() },
    }),
  },
})

const profileFields = {
  email,
  phone_number: phoneNumber,
  external_id: anyText,
  _kx: anyText,
  first_name: anyText,
  last_name: anyText,
  organization: anyText,
  locale: anyText,
  title: anyText,
  image: anyText,
  location,
  properties: nullable(properties()),
}

/** `meta` stands beside the attributes, except in a single event, where it is one of them. */
const eventProfileAttributes = object({
  resource: 'profile',
  fields: { ...profileFields, anonymous_id: anyText, meta: profileMeta },
})

const bulkEventProfileAttributes = object({
  resource: 'profile',
  fields: { ...profileFields, anonymous_id: anyText },
})

const savedProfileAttributes = object({ resource: 'profile', fields: profileFields })

const IDENTIFIERS = ['email', 'phone_number', 'external_id', 'anonymous_id', '_kx']

/** A profile that nothing identifies could never be found again. */
const identified: Check = (profile) => {
  if (!isObject(profile)) return fine
  const { id, attributes } = profile
  if (isFilled(id)) return fine
  return isObject(attributes) && IDENTIFIERS.some((name) => isFilled(attributes[name]))
    ? fine
    : wrong(
        `One of these identifier fields must be included: id, ${IDENTIFIERS.join(', ')}.`,
        '/attributes',
      )
}

const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== ''

const resource = (
  type: string,
  { required, fields }: { required: readonly string[]; fields: Readonly<Record<string, Check>> },
): Check =>
  object({
    resource: type,
    required: ['type', ...required],
    fields: { type: oneOf(type), ...fields },
  })

const data = (check: Check): Check =>
  object({ resource: 'request', required: ['data'], fields: { data: check } })

const eventProfile = both(
  resource('profile', {
    required: ['attributes'],
    fields: { id: anyText, attributes: eventProfileAttributes },
  }),
  identified,
)

const bulkEventProfile = both(
  resource('profile', {
    required: ['attributes'],
    fields: { id: anyText, attributes: bulkEventProfileAttributes, meta: profileMeta },
  }),
  identified,
)

const MAX_PROFILE_BYTES = 100 * 1024

/** Cheap for the many small ones. */
const isSmallEnough: Check = (profile) =>
  Buffer.byteLength(JSON.stringify(profile)) <= MAX_PROFILE_BYTES
    ? fine
    : wrong('A profile must not be larger than 100 KB.')

const savedProfile = both(
  resource('profile', {
    required: ['attributes'],
    fields: { id: anyText, attributes: savedProfileAttributes, meta: profileMeta },
  }),
  identified,
)

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

/** The bodies that have to do with time need to know it. */
export function requestBodies(now: () => number) {
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

  const past: Check = both(dateTime, (value) =>
    typeof value === 'string' && (readDateTime(value) ?? Infinity) > now()
      ? wrong('Must be in the past.')
      : fine,
  )
  return {
    event,
    events,
    profile: data(savedProfile),
    profiles: profilesJob,
    subscriptions: subscriptionsJob(past),
    listMembers,
  }
}

const job = (
  type: string,
  {
    required,
    fields,
    relationships,
  }: {
    required: readonly string[]
    fields: Readonly<Record<string, Check>>
    relationships?: Check
  },
): Check =>
  data(
    resource(type, {
      required: ['attributes'],
      fields: {
        attributes: object({ resource: type, required, fields }),
        ...(relationships && { relationships }),
      },
    }),
  )

const atMostThousandEvents: Check = (value) => {
  let count = 0
  for (const entry of value as { attributes: { events: { data: unknown[] } } }[]) {
    count += entry.attributes.events.data.length
  }
  return count <= 1000 ? fine : wrong('Must not hold more than 1000 events.')
}

const reference = (type: string): Check =>
  resource(type, {
    required: ['id'],
    fields: { id: text((id) => id !== '', 'Must not be blank.') },
  })

const profilesJob = job('profile-bulk-import-job', {
  required: ['profiles'],
  fields: {
    profiles: data(list({ item: both(savedProfile, isSmallEnough), max: 10_000, of: 'profiles' })),
  },
  relationships: object({
    resource: 'relationships',
    fields: {
      lists: object({
        resource: 'lists',
        fields: { data: list({ item: reference('list'), min: 0, max: 100, of: 'lists' }) },
      }),
    },
  }),
})

const listMembers = data(list({ item: reference('profile'), max: 1000, of: 'profiles' }))

const deviceMetadata = object({
  resource: 'device_metadata',
  fields: {
    device_id: anyText,
    klaviyo_sdk: nullable(
      oneOf('android', 'flutter', 'flutter_community', 'react_native', 'swift'),
    ),
    sdk_version: anyText,
    device_model: anyText,
    os_name: nullable(oneOf('android', 'ios', 'ipados', 'macos', 'tvos')),
    os_version: anyText,
    manufacturer: anyText,
    app_name: anyText,
    app_version: anyText,
    app_build: anyText,
    app_id: anyText,
    environment: nullable(oneOf('debug', 'release')),
  },
})

const pushTokens = nullable(
  list({
    min: 0,
    max: 1000,
    of: 'tokens',
    item: object({
      resource: 'push-token',
      required: ['token', 'platform', 'vendor'],
      fields: {
        token: text(),
        platform: oneOf('android', 'ios'),
        vendor: oneOf('apns', 'fcm'),
        enablement_status: nullable(
          oneOf('AUTHORIZED', 'DENIED', 'NOT_DETERMINED', 'PROVISIONAL', 'UNAUTHORIZED'),
        ),
        background: nullable(oneOf('AVAILABLE', 'DENIED', 'RESTRICTED')),
        device_metadata: deviceMetadata,
      },
    }),
  }),
)

function subscriptionsJob(past: Check): Check {
  const consent = object({
    resource: 'subscription',
    required: ['consent'],
    fields: { consent: oneOf('SUBSCRIBED'), consented_at: past },
  })
  const openTracking = object({
    resource: 'open_tracking',
    required: ['consent'],
    fields: { consent: oneOf('SUBSCRIBED') },
  })
  const messages = object({
    resource: 'channel',
    fields: { marketing: consent, transactional: consent },
  })
  const subscriptions = object({
    resource: 'subscriptions',
    fields: {
      email: object({
        resource: 'email',
        fields: { marketing: consent, open_tracking: openTracking },
      }),
      sms: messages,
      whatsapp: messages,
      push: object({
        resource: 'push',
        required: ['marketing'],
        fields: { marketing: consent, tokens: pushTokens, anonymous_id: anyText },
      }),
    },
  })
  const subscriber = both(
    resource('profile', {
      required: ['attributes'],
      fields: {
        id: anyText,
        attributes: object({
          resource: 'profile',
          required: ['subscriptions'],
          fields: {
            email,
            phone_number: phoneNumber,
            subscriptions,
            age_gated_date_of_birth: nullable(text(isDay, 'Must be a date.')),
          },
        }),
      },
    }),
    reachable,
  )
  const whole = job('profile-subscription-bulk-create-job', {
    required: ['profiles'],
    fields: {
      custom_source: anyText,
      profiles: data(list({ item: subscriber, max: 1000, of: 'profiles' })),
      historical_import: nullable(trueOrFalse),
    },
    relationships: object({
      resource: 'relationships',
      fields: { list: object({ resource: 'list', fields: { data: reference('list') } }) },
    }),
  })
  return both(whole, consentMoments)
}

const isDay = (value: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))

/** A channel without its address reaches nobody. */
const reachable: Check = (profile) => {
  const { id, attributes } = profile as {
    id?: unknown
    attributes: Record<string, unknown> & { subscriptions: Record<string, unknown> }
  }
  const { subscriptions } = attributes
  const channels = Object.keys(subscriptions)
  if (channels.length === 0) {
    return wrong('At least one channel must be given.', '/attributes/subscriptions')
  }
  if (isFilled(id)) return fine
  for (const [channel, address] of ADDRESSES) {
    if (subscriptions[channel] !== undefined && !isFilled(attributes[address])) {
      return wrong(
        `'${address}' must not be empty when the ${channel} channel is included.`,
        `/attributes/${address}`,
      )
    }
  }
  return fine
}

const ADDRESSES = [
  ['email', 'email'],
  ['sms', 'phone_number'],
  ['whatsapp', 'phone_number'],
] as const

interface SubscriptionsBody {
  data: {
    attributes: {
      historical_import?: boolean | null
      profiles: { data: { attributes: { subscriptions: object } }[] }
    }
  }
}

/** `consented_at` belongs to a historical import, and only there. */
const consentMoments: Check = (body) => {
  const { historical_import: isHistorical, profiles } = (body as SubscriptionsBody).data.attributes
  for (const [at, { attributes }] of profiles.data.entries()) {
    for (const [channel, messages] of Object.entries(attributes.subscriptions)) {
      const marketing = (messages as { marketing?: { consented_at?: string | null } }).marketing
      if (!marketing) continue
      const hasMoment = typeof marketing.consented_at === 'string'
      if (hasMoment === (isHistorical === true)) continue
      return wrong(
        hasMoment
          ? "'consented_at' needs historical_import to be true."
          : "'consented_at' is required for a historical import.",
        `/data/attributes/profiles/data/${at}/attributes/subscriptions/${channel}/marketing/consented_at`,
      )
    }
  }
  return fine
}
