import type { Consent, Mapping, StoredList, StoredMetric, StoredProfile } from './stored.ts'

// The JSON:API resources of the answers, as the published documents describe them.

/** ISO 8601 with an offset, the way the API writes it. */
export const moment = (at: number): string => new Date(at).toISOString().replace('Z', '+00:00')

export const orNull = (at: number | undefined): string | null =>
  at === undefined ? null : moment(at)

const withLinks = <Resource extends { type: string; id: string }>(
  origin: string,
  resource: Resource,
) => ({ ...resource, links: { self: `${origin}/api/${pathOf(resource)}` } })

const pathOf = ({ type, id }: { type: string; id: string }): string =>
  `${type}s/${encodeURIComponent(id)}`

const TEXT_FIELDS = [
  'email',
  'phone_number',
  'external_id',
  'first_name',
  'last_name',
  'organization',
  'locale',
  'title',
  'image',
] as const

const LOCATION_FIELDS = [
  'address1',
  'address2',
  'city',
  'country',
  'latitude',
  'longitude',
  'region',
  'zip',
  'timezone',
  'ip',
] as const

export function profileResource(
  origin: string,
  profile: StoredProfile,
  { withSubscriptions }: { withSubscriptions: boolean },
) {
  const { attributes, location } = profile
  return withLinks(origin, {
    type: 'profile',
    id: profile.id,
    attributes: {
      ...Object.fromEntries(TEXT_FIELDS.map((name) => [name, attributes[name] ?? null])),
      created: moment(profile.createdAt),
      updated: moment(profile.updatedAt),
      last_event_date: orNull(profile.lastEventAt),
      location: Object.fromEntries(LOCATION_FIELDS.map((name) => [name, location[name] ?? null])),
      properties: profile.properties,
      ...(withSubscriptions && { subscriptions: subscriptions(profile) }),
    },
  })
}

const NEVER = { status: 'NEVER_SUBSCRIBED', at: undefined, isDoubleOptIn: null, source: '' }

function subscriptions({ consent, suppressions, listSuppressions }: StoredProfile) {
  const email = consent.email ?? NEVER
  const sms = consent.sms ?? NEVER
  return {
    email: {
      marketing: {
        can_receive_email_marketing: suppressions.length === 0,
        ...consentFields(email),
        custom_method_detail: null,
        double_optin: email.isDoubleOptIn,
        suppression: suppressions.map(({ reason, at }) => ({ reason, timestamp: moment(at) })),
        list_suppressions: listSuppressions.map(({ list, reason, at }) => ({
          list_id: list,
          reason,
          timestamp: moment(at),
        })),
      },
    },
    sms: {
      marketing: {
        can_receive_sms_marketing: sms.status === 'SUBSCRIBED',
        ...consentFields(sms),
      },
    },
  }
}

const consentFields = ({ status, at, source }: Consent | typeof NEVER) => ({
  consent: status,
  consent_timestamp: orNull(at),
  last_updated: orNull(at),
  method: at === undefined ? null : 'API',
  method_detail: source,
})

export const listResource = (
  origin: string,
  list: StoredList,
  { withProfileCount = false }: { withProfileCount?: boolean } = {},
) =>
  withLinks(origin, {
    type: 'list',
    id: list.id,
    attributes: {
      name: list.name,
      created: moment(list.createdAt),
      updated: moment(list.createdAt),
      opt_in_process: list.optIn,
      ...(withProfileCount && { profile_count: list.members.size }),
    },
  })

export const metricResource = (origin: string, { id, name, createdAt }: StoredMetric) =>
  withLinks(origin, {
    type: 'metric',
    id,
    attributes: {
      name,
      created: moment(createdAt),
      updated: moment(createdAt),
      integration: { object: 'integration', id: '0eKStandIn', name: 'API', category: 'API' },
    },
  })

export function mappedMetricResource(
  origin: string,
  slot: string,
  { metric, customMetric, updatedAt }: Mapping,
) {
  const related = (type: string, id: string | undefined) => ({
    ...(id !== undefined && { data: { type, id } }),
    links: {
      self: `${origin}/api/mapped-metrics/${slot}/relationships/${type}`,
      related: `${origin}/api/mapped-metrics/${slot}/${type}`,
    },
  })
  return withLinks(origin, {
    type: 'mapped-metric',
    id: slot,
    attributes: { updated: moment(updatedAt) },
    relationships: {
      metric: related('metric', metric),
      'custom-metric': related('custom-metric', customMetric),
    },
  })
}

export const accountResource = (origin: string) =>
  withLinks(origin, {
    type: 'account',
    id: 'KETTLE',
    attributes: {
      test_account: true,
      contact_information: {
        default_sender_name: 'Kettle & Quill',
        default_sender_email: 'hello@kettle-and-quill.test',
        website_url: 'https://kettle-and-quill.test',
        organization_name: 'Kettle & Quill',
        street_address: {
          address1: '1 Harbour Street',
          address2: null,
          city: 'Whitby',
          region: 'North Yorkshire',
          country: 'United Kingdom',
          zip: 'YO22 4DE',
        },
      },
      industry: 'Ecommerce, Other',
      timezone: 'Europe/London',
      preferred_currency: 'USD',
      public_api_key: 'KETTLE',
      locale: 'en-US',
    },
  })

/** A job that takes many entries, as its endpoints show it. `refused` is the title of the errors of its entries. */
export function bulkJobDocument(
  origin: string,
  {
    id,
    createdAt,
    completedAt,
    errors,
  }: {
    id: string
    createdAt: number
    completedAt: number | undefined
    errors: readonly { code: string; detail: string; pointer: string }[]
  },
  { type, entries, refused }: { type: string; entries: readonly unknown[]; refused: string },
) {
  const isDone = completedAt !== undefined
  const self = `${origin}/api/${type}s/${id}`
  return {
    data: {
      type,
      id,
      attributes: {
        status: isDone ? 'complete' : 'queued',
        created_at: moment(createdAt),
        total_count: entries.length,
        completed_count: isDone ? entries.length - errors.length : 0,
        failed_count: errors.length,
        completed_at: orNull(completedAt),
        errors: errors.map(({ code, detail, pointer }, at) => ({
          id: `${id}-${at}`,
          code,
          title: refused,
          detail,
          source: { pointer },
        })),
        expires_at: moment(createdAt + 7 * 24 * 60 * 60_000),
      },
      links: { self },
    },
    links: { self },
  }
}
