import { randomFrom } from '../../../../dev/seed/random.ts'
import {
  createKlaviyoStandIn,
  demoApiKey,
  type StandInOptions,
} from '../../../../dev/klaviyo/stand-in.ts'

export const START = Date.parse('2026-03-10T14:30:00Z')

/** A stand-in whose clock only a test moves, and a caller of it. */
export function aStandIn(options: StandInOptions = {}) {
  let time = START
  const random = randomFrom(7)
  const standIn = createKlaviyoStandIn({
    now: () => time,
    random: () => random.next(),
    ...options,
  })
  const call = async (path: string, init: CallInit = {}): Promise<Answered> => {
    const { body, headers = {}, signal } = init
    const request = new Request(`https://klaviyo.test${path}`, {
      method: init.method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        authorization: `Klaviyo-API-Key ${demoApiKey}`,
        revision: '2026-07-15',
        ...(body !== undefined && { 'content-type': 'application/vnd.api+json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    const response = await standIn.handle(request)
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      document: text === '' ? undefined : (JSON.parse(text) as Document),
    }
  }
  return {
    ...standIn,
    call,
    pass: (seconds: number) => {
      time += seconds * 1000
    },
    at: (moment: number) => {
      time = moment
    },
  }
}

interface CallInit {
  method?: string
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

interface Resource {
  type: string
  id: string
  attributes: Record<string, unknown>
}

export interface Answered {
  status: number
  headers: Headers
  document:
    | {
        data?: Resource | Resource[]
        errors?: {
          code: string
          detail: string
          source: { pointer?: string; parameter?: string }
          meta: Record<string, unknown>
        }[]
        links?: { self: string; prev?: string; next?: string }
        included?: Resource[]
      }
    | undefined
}
type Document = NonNullable<Answered['document']>

export const dataOf = ({ document }: Answered): Resource => {
  const data = document?.data
  if (!data || Array.isArray(data)) throw new Error('The answer holds no single resource')
  return data
}

export const listOf = ({ document }: Answered): Resource[] => {
  const data = document?.data
  if (!Array.isArray(data)) throw new Error('The answer holds no list of resources')
  return data
}

/** Pointers of an answer's errors. */
export const pointersOf = ({ document }: Answered): (string | undefined)[] =>
  (document?.errors ?? []).map(({ source }) => source.pointer ?? source.parameter)

export const codesOf = ({ document }: Answered): string[] =>
  (document?.errors ?? []).map(({ code }) => code)

type Attributes = Record<string, unknown>

export const aProfile = (attributes: Attributes = { email: 'ada@shop.test' }, rest = {}) => ({
  type: 'profile',
  attributes,
  ...rest,
})

const eventAttributes = (attributes: Attributes = {}) => ({
  properties: { OrderID: '1' },
  metric: { data: { type: 'metric', attributes: { name: 'Placed Order' } } },
  unique_id: 'order-1',
  ...attributes,
})

export const anEvent = (attributes: Attributes = {}, profile: unknown = aProfile()) => ({
  data: {
    type: 'event',
    attributes: { ...eventAttributes(attributes), profile: { data: profile } },
  },
})

/** One event for each profile. */
export const manyEvents = (entries: { profile?: unknown; event?: Attributes }[]) => ({
  data: {
    type: 'event-bulk-create-job',
    attributes: {
      'events-bulk-create': {
        data: entries.map(({ profile = aProfile(), event = {} }) => ({
          type: 'event-bulk-create',
          attributes: {
            profile: { data: profile },
            events: { data: [{ type: 'event', attributes: eventAttributes(event) }] },
          },
        })),
      },
    },
  },
})

const consent = { marketing: { consent: 'SUBSCRIBED' } }

export const aSubscription = (
  profiles: Attributes[],
  { list, ...attributes }: { list?: string } & Attributes = {},
) => ({
  data: {
    type: 'profile-subscription-bulk-create-job',
    attributes: {
      profiles: {
        data: profiles.map((profile) =>
          aProfile({ subscriptions: { email: consent }, ...profile }),
        ),
      },
      ...attributes,
    },
    ...(list && { relationships: { list: { data: { type: 'list', id: list } } } }),
  },
})

/** Ends subscriptions, of one list or of all. */
export const anUnsubscription = (profiles: Attributes[], list?: string) => ({
  data: {
    type: 'profile-subscription-bulk-delete-job',
    attributes: { profiles: { data: profiles.map((profile) => aProfile(profile)) } },
    ...(list !== undefined && { relationships: { list: { data: { type: 'list', id: list } } } }),
  },
})

export const aDeletion = (profile: object) => ({
  data: {
    type: 'data-privacy-deletion-job',
    attributes: { profile: { data: { type: 'profile', ...profile } } },
  },
})

export const aWish = (variant: string, profile: Attributes = { email: 'ada@shop.test' }) => ({
  data: {
    type: 'back-in-stock-subscription',
    attributes: { channels: ['EMAIL'], profile: { data: aProfile(profile) } },
    relationships: { variant: { data: { type: 'catalog-variant', id: variant } } },
  },
})

export const references = (...ids: string[]) => ({
  data: ids.map((id) => ({ type: 'profile', id })),
})

export const paths = {
  event: '/api/events',
  events: '/api/event-bulk-create-jobs',
  profile: '/api/profile-import',
  deletion: '/api/data-privacy-deletion-jobs',
  subscribe: '/api/profile-subscription-bulk-create-jobs',
  unsubscribe: '/api/profile-subscription-bulk-delete-jobs',
  backInStock: '/api/back-in-stock-subscriptions',
  members: (list: string) => `/api/lists/${list}/relationships/profiles`,
  find: (filter: string, more = '') => `/api/profiles?filter=${encodeURIComponent(filter)}${more}`,
}
