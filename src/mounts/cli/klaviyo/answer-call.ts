import * as z from 'zod/mini'
import { catalogPrefix } from '../../../marketing/klaviyo/bodies.js'
import { eventSchema, profileSchema, type Account, type KeptProfile } from './account.js'

/** A call as it came, behind the check of its key. */
export interface Call {
  method: string
  url: URL
  /** The parsed body; undefined where there is none or it is no JSON. */
  body: unknown
}

export interface Answer {
  status: number
  document?: unknown
}

interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH'
  /** With one group at most: the id. */
  path: RegExp
  answer: (account: Account, call: Call, id: string) => Answer
}

const get = (path: RegExp, answer: Endpoint['answer']): Endpoint => ({
  method: 'GET',
  path,
  answer,
})

/** What the body is, and what it does. It is answered by 202 if that says nothing else. */
const post = <Body>(
  path: RegExp,
  schema: z.ZodMiniType<Body>,
  run: (account: Account, body: Body, id: string) => Answer | void,
): Endpoint => ({
  method: 'POST',
  path,
  answer(account, { body }, id) {
    const { data, error } = schema.safeParse(body)
    if (data === undefined) return refusal(400, error?.message ?? '')
    return run(account, data, id) ?? { status: 202 }
  },
})

const dataOf = <Data extends z.ZodMiniType>(data: Data) => z.object({ data })
const attributesOf = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  dataOf(z.object({ attributes: z.object(shape) }))

const typed = dataOf(z.object({ type: z.string() }))
const person = dataOf(profileSchema)
const one = dataOf(z.object({ id: z.string() }))
const ofEvents = z.array(
  z.object({
    attributes: z.object({
      profile: person,
      events: dataOf(z.array(z.object({ attributes: eventSchema }))),
    }),
  }),
)
const subscriptions = dataOf(
  z.object({
    attributes: z.object({ profiles: dataOf(z.array(profileSchema)) }),
    relationships: z.optional(z.object({ list: one })),
  }),
)

const waiting = dataOf(
  z.object({
    attributes: z.object({ channels: z.array(z.string()), profile: person }),
    relationships: z.object({ variant: one }),
  }),
)
const newCodes = attributesOf({
  'coupon-codes': dataOf(
    z.array(
      z.object({
        attributes: z.object({ unique_code: z.string() }),
        relationships: z.object({ coupon: one }),
      }),
    ),
  ),
})

/** The calls that a shop's deliveries make, with the answers of Klaviyo's documents. */
const endpoints: readonly Endpoint[] = [
  post(
    /^\/api\/events$/,
    dataOf(z.object({ attributes: z.extend(eventSchema, { profile: person }) })),
    (account, { data: { attributes } }) => account.track(attributes, attributes.profile.data),
  ),
  post(
    /^\/api\/event-bulk-create-jobs$/,
    attributesOf({ 'events-bulk-create': dataOf(ofEvents) }),
    (account, { data }) => {
      for (const { attributes } of data.attributes['events-bulk-create'].data) {
        const { profile, events } = attributes
        for (const event of events.data) account.track(event.attributes, profile.data)
      }
    },
  ),
  post(/^\/api\/profile-import$/, person, (account, { data }) => ({
    status: 200,
    document: { data: profileResource(account.save(data)) },
  })),
  post(
    /^\/api\/lists\/([^/]+)\/relationships\/profiles$/,
    dataOf(z.array(z.object({ id: z.string() }))),
    (account, { data }, list) => {
      account.addToList(new Set(data.map(({ id }) => id)), list)
      return { status: 204 }
    },
  ),
  post(
    /^\/api\/profile-subscription-bulk-(?:create|delete)-jobs$/,
    subscriptions,
    (account, { data }) => {
      const list = data.relationships?.list.data.id
      for (const profile of data.attributes.profiles.data) account.subscribe(profile, list)
    },
  ),
  post(
    /^\/api\/data-privacy-deletion-jobs$/,
    attributesOf({ profile: person }),
    (account, { data }) => account.remove(data.attributes.profile.data),
  ),
  get(/^\/api\/profiles$/, ({ profiles }, { url }) =>
    page(filtered(profiles, url).map(profileResource), url),
  ),
  get(/^\/api\/lists\/([^/]+)\/profiles$/, ({ profiles }, { url }, list) => {
    const members = profiles.filter(({ lists }) => lists.has(list))
    return page(filtered(members, url).map(profileResource), url)
  }),
  get(/^\/api\/lists$/, ({ lists }, { url }) =>
    page(
      [...lists].map((id) => ({ type: 'list', id, attributes: { name: `List ${id}` } })),
      url,
    ),
  ),
  get(/^\/api\/(?:mapped-)?metrics$/, (_, { url }) => page([], url)),
  // The catalog is taken and not kept.
  get(/^\/api\/catalog-(?:items|variants)$/, (_, { url }) => page([], url)),
  post(/^\/api\/catalog-\w+-bulk-\w+-jobs$/, typed, (_, { data }) => job(202, data.type)),
  post(/^\/api\/back-in-stock-subscriptions$/, waiting, (account, { data }) => {
    const { attributes, relationships } = data
    const variant = relationships.variant.data.id.replace(catalogPrefix, '')
    account.waitFor(variant, attributes.profile.data, attributes.channels)
  }),
  post(/^\/api\/coupons$/, typed, () => ({ status: 201 })),
  post(/^\/api\/coupon-code-bulk-create-jobs$/, newCodes, (account, { data }) => {
    const codes = data.attributes['coupon-codes'].data
    account.addCodes(
      codes.map(({ attributes, relationships }) => ({
        coupon: relationships.coupon.data.id,
        code: attributes.unique_code,
      })),
    )
    return job(202, 'coupon-code-bulk-create-job')
  }),
  get(/^\/api\/coupons\/([^/]+)\/coupon-codes$/, ({ codes }, { url }, coupon) => {
    const all = [...codes].flatMap(([id, of]) => (of === coupon ? [couponCode(id)] : []))
    return page(all, url)
  }),
  {
    method: 'PATCH',
    path: /^\/api\/coupon-codes\/([^/]+)$/,
    answer(account, _, id) {
      account.useCode(id)
      return { status: 200, document: { data: couponCode(id) } }
    },
  },
  get(/^\/api\/((?:catalog|coupon)-\w+-bulk-\w+-job)s\/[^/]+$/, (_, __, type) => job(200, type)),
  get(/^\/api\/accounts$/, (_, { url }) => {
    const attributes = { contact_information: { organization_name: 'storeconnect try' } }
    return page([{ type: 'account', id: 'TRYIT1', attributes }], url)
  }),
]

export function answerCall(account: Account, call: Call): Answer {
  for (const { method, path, answer } of endpoints) {
    const found = path.exec(call.url.pathname)
    if (found !== null && method === call.method) return answer(account, call, found[1] ?? '')
  }
  return refusal(404, 'storeconnect try does not play this call.')
}

/** An error as JSON:API has it. */
export const refusal = (status: number, detail: string): Answer => ({
  status,
  document: { errors: [{ status, code: 'invalid', title: 'Refused', detail }] },
})

/** A job that is over as soon as it has begun. */
const job = (status: number, type: string): Answer => ({
  status,
  document: {
    data: { type, id: 'taken', attributes: { status: 'complete', failed_count: 0, errors: [] } },
  },
})

const couponCode = (id: string) => ({ type: 'coupon-code', id, attributes: { expires_at: null } })

/** A page as Klaviyo has it, and where the next one is. */
function page(all: readonly unknown[], { pathname, origin, searchParams }: URL): Answer {
  const first = Number(searchParams.get('page[cursor]') ?? 0)
  const end = first + 100
  const next = end < all.length ? `${origin}${pathname}?page[cursor]=${end}` : null
  return {
    status: 200,
    document: { data: all.slice(first, end), links: { self: '', next, prev: null } },
  }
}

/** Knows `any(email,["…"])`. Any other filter asks what has changed at Klaviyo: nothing has. */
function filtered(profiles: readonly KeptProfile[], url: URL): readonly KeptProfile[] {
  const filter = url.searchParams.get('filter')
  if (filter === null) return profiles
  const [, field = '', list = '[]'] =
    /^any\((email|phone_number|id),(\[.*\])\)$/s.exec(filter) ?? []
  const wanted = new Set(z.array(z.string()).parse(JSON.parse(list.toLowerCase())))
  return profiles.filter(({ id, attributes }) =>
    wanted.has(String(field === 'id' ? id : attributes[field]).toLowerCase()),
  )
}

function profileResource({ id, attributes, consents, updatedAt }: KeptProfile) {
  const marketing = (channel: string) => {
    const { consent = 'NEVER_SUBSCRIBED', at } = consents.get(channel) ?? {}
    const moment = at?.toISOString() ?? null
    const of = { consent, consent_timestamp: moment, last_updated: moment, method: 'API' }
    return { marketing: { ...of, can_receive_email_marketing: consent !== 'UNSUBSCRIBED' } }
  }
  const subscriptions = { email: marketing('email'), sms: marketing('sms') }
  const updated = updatedAt.toISOString()
  return { type: 'profile', id, attributes: { ...attributes, updated, subscriptions } }
}
