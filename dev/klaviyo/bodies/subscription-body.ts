import {
  both,
  fine,
  list,
  nullable,
  object,
  oneOf,
  text,
  trueOrFalse,
  wrong,
  type Check,
} from '../check.ts'
import { readDateTime } from '../formats.ts'
import { data, job, reference, resource } from './document.ts'
import { anyText, dateTime, email, isFilled, phoneNumber } from './fields.ts'
import { pushTokens } from './push-tokens.ts'

/** Who subscribes, and to what. Consent in the past has to be in the past. */
export function subscriptionsBody(now: () => number): Check {
  const past: Check = both(dateTime, (value) =>
    typeof value === 'string' && (readDateTime(value) ?? Infinity) > now()
      ? wrong('Must be in the past.')
      : fine,
  )
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
        fields: { marketing: consent, tokens: nullable(pushTokens), anonymous_id: anyText },
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
export const reachable: Check = (profile) => {
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
