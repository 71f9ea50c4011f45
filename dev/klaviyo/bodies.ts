import * as z from 'zod'
import { isCurrency, isEmail, isPhoneNumber, readDateTime } from './formats.ts'
import { identifierNames } from './stored.ts'

// What the stand-in reads of each body, and what Klaviyo asks for and its documents say in words alone.

const anyText = z.string().nullish()
const email = z.string().refine(isEmail, 'Invalid email address').nullish()
const phoneNumber = z
  .string()
  .refine(isPhoneNumber, 'Invalid phone number format (Example of a valid format: +12345678901)')
  .nullish()

const data = <Inner extends z.ZodType>(inner: Inner) => z.object({ data: inner })

const attributes = <Inner extends z.ZodType>(inner: Inner) => z.object({ attributes: inner })

const list = <Item extends z.ZodType>(item: Item, max: number) =>
  data(z.array(item).min(1).max(max, `Must not hold more than ${max} items.`))

const reference = z.object({ id: z.string().min(1) })

const ofList = z.object({ list: data(reference).partial().optional() }).optional()

const MAX_BYTES = 100 * 1024

interface Broken {
  path: PropertyKey[]
  message: string
}

/** By the limits of the Events API overview, "Limitations". Recursion ends at the depth limit. */
function brokenLimit(value: unknown, depth = 0): Broken | undefined {
  const broken = (message: string) => ({ path: [], message })
  if (typeof value === 'string') {
    const isTooLong = Buffer.byteLength(value) > MAX_BYTES
    return isTooLong ? broken('A string must not be larger than 100 KB.') : undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= 10) return broken('Must not be nested deeper than 10.')
  if (Array.isArray(value) && value.length > 4000) {
    return broken('An array must not hold more than 4000 items.')
  }
  for (const [name, entry] of Object.entries(value)) {
    const found = brokenLimit(entry, depth + 1)
    if (found) return { ...found, path: [name, ...found.path] }
  }
  return undefined
}

const properties = z.record(z.string(), z.unknown()).superRefine((value, context) => {
  const isLarge = Object.keys(value).length > 400
  const broken = isLarge
    ? { path: [], message: 'Must not exceed 400 properties.' }
    : brokenLimit(value)
  if (broken) context.addIssue({ code: 'custom', ...broken })
})

const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** A profile that nothing identifies could never be found again. */
const profile = z
  .object({
    id: anyText,
    attributes: z.looseObject({
      email,
      phone_number: phoneNumber,
      external_id: anyText,
      anonymous_id: anyText,
      _kx: anyText,
      properties: properties.nullish(),
    }),
  })
  .refine(
    ({ id, attributes }) =>
      isFilled(id) || identifierNames.some((name) => isFilled(attributes[name])),
    {
      message: `One of these identifier fields must be included: id, ${identifierNames.join(', ')}.`,
      path: ['attributes'],
    },
  )

const deletedProfile = z
  .object({ id: anyText, attributes: z.object({ email, phone_number: phoneNumber }).optional() })
  .refine(
    ({ id, attributes = {} }) => [id, ...Object.values(attributes)].filter(isFilled).length === 1,
    {
      message: 'Exactly one of these must be included: id, email, phone_number.',
      path: ['attributes'],
    },
  )

export const metricSlots = [
  'added_to_cart',
  'cancelled_sales',
  'ordered_product',
  'refunded_sales',
  'revenue',
  'started_checkout',
  'viewed_product',
] as const

const mappedMetric = z.object({
  id: z.enum(metricSlots),
  relationships: z
    .object({ metric: data(reference), 'custom-metric': data(reference) })
    .partial()
    .optional(),
})

const FIRST_TIME = Date.UTC(1991, 0, 1)
const YEAR_MS = 365 * 24 * 60 * 60 * 1000

/** What is too old or too far ahead depends on the time. */
function eventBodies(now: () => number) {
  const isTime = (text: string) => {
    const at = readDateTime(text)
    return at !== undefined && at >= FIRST_TIME && at <= now() + YEAR_MS
  }
  const isName = (name: string) => name.trim() !== '' && [...name].length < 128
  const event = z.object({
    properties,
    time: z
      .string()
      .refine(isTime, 'Must be a date-time after the year 1990 and at most 1 year in the future.')
      .nullish(),
    value: z.number().nullish(),
    value_currency: z.string().refine(isCurrency, 'Must be an ISO 4217 currency code.').nullish(),
    unique_id: anyText,
    metric: data(
      attributes(
        z.object({
          name: z.string().refine(isName, 'Must be less than 128 characters and not blank.'),
        }),
      ),
    ),
  })
  const ofProfile = attributes(
    z.object({ profile: data(profile), events: list(attributes(event), 1000) }),
  )
  const groups = list(ofProfile, 1000).refine(
    ({ data }) =>
      data.reduce((sum, { attributes }) => sum + attributes.events.data.length, 0) <= 1000,
    'Must not hold more than 1000 events.',
  )
  return {
    event: data(attributes(event.extend({ profile: data(profile) }))),
    events: data(attributes(z.object({ 'events-bulk-create': groups }))),
  }
}

const ADDRESSES = { email: 'email', sms: 'phone_number', whatsapp: 'phone_number' } as const

/** Who subscribes or leaves. A channel without its address reaches nobody. */
function subscriberOf<Moment extends z.ZodType>(consentedAt: Moment) {
  const marketing = z.object({ consented_at: consentedAt })
  const channel = z.object({ marketing: marketing.nullish() }).nullish()
  return z
    .object({
      id: anyText,
      attributes: z.object({
        email,
        phone_number: phoneNumber,
        subscriptions: z
          .object({ email: channel, sms: channel, whatsapp: channel, push: channel })
          .refine(
            (channels) => Object.values(channels).some(Boolean),
            'At least one channel must be given.',
          ),
      }),
    })
    .superRefine(({ id, attributes }, context) => {
      if (isFilled(id)) return
      for (const [channel, address] of Object.entries(ADDRESSES)) {
        const { subscriptions, [address]: given } = attributes
        if (!subscriptions[channel as keyof typeof ADDRESSES] || isFilled(given)) continue
        const message = `'${address}' must not be empty when the ${channel} channel is included.`
        return context.addIssue({ code: 'custom', message, path: ['attributes', address] })
      }
    })
}

/** Consent in the past has to be in the past, and belongs to a historical import, and only there. */
function subscribeBody(now: () => number) {
  const isPast = (text: string) => (readDateTime(text) ?? Infinity) <= now()
  const subscriber = subscriberOf(z.string().refine(isPast, 'Must be in the past.').nullish())
  const job = z
    .object({
      custom_source: anyText,
      historical_import: z.boolean().nullish(),
      profiles: list(subscriber, 1000),
    })
    .superRefine(({ historical_import: isHistorical, profiles }, context) => {
      for (const [at, { attributes }] of profiles.data.entries()) {
        for (const [channel, messages] of Object.entries(attributes.subscriptions)) {
          if (!messages?.marketing) continue
          const hasMoment = typeof messages.marketing.consented_at === 'string'
          if (hasMoment === (isHistorical === true)) continue
          const place = ['attributes', 'subscriptions', channel, 'marketing', 'consented_at']
          const message = hasMoment
            ? "'consented_at' needs historical_import to be true."
            : "'consented_at' is required for a historical import."
          return context.addIssue({
            code: 'custom',
            message,
            path: ['profiles', 'data', at, ...place],
          })
        }
      }
    })
  return data(z.object({ attributes: job, relationships: ofList }))
}

const addressOf = (channel: string) => (channel === 'EMAIL' ? 'email' : 'phone_number')

/** A channel without its address reaches nobody. */
const waiting = z
  .object({ channels: z.array(z.string()).min(1), profile: data(profile) })
  .superRefine(({ channels, profile: { data } }, context) => {
    const missing = channels
      .filter((channel) => channel !== 'PUSH')
      .map(addressOf)
      .find((address) => !isFilled(data.id) && !isFilled(data.attributes[address]))
    if (missing === undefined) return
    const path = ['profile', 'data', 'attributes', missing]
    context.addIssue({ code: 'custom', message: `'${missing}' must not be empty.`, path })
  })

const ofCatalog = z.object({
  id: z.string().optional(),
  attributes: z.looseObject({ external_id: z.string().optional() }).optional(),
  relationships: z
    .object({
      categories: z.object({ data: z.array(reference).optional() }).optional(),
      item: z.object({ data: reference.optional() }).optional(),
    })
    .optional(),
})

/** One of the lists is there; the documents say which. */
const catalogJob = data(
  attributes(
    z.object({
      categories: list(ofCatalog, 100).optional(),
      items: list(ofCatalog, 100).optional(),
      variants: list(ofCatalog, 100).optional(),
    }),
  ),
)

const couponCode = z.strictObject({
  type: z.literal('coupon-code'),
  attributes: z.strictObject({
    unique_code: z.string().min(1),
    expires_at: z.iso.datetime({ offset: true }).nullish(),
  }),
  relationships: z.strictObject({ coupon: data(reference) }),
})

const couponStatus = z.enum([
  ...['ASSIGNED_TO_PROFILE', 'DELETING', 'PROCESSING', 'UNASSIGNED', 'USED', 'VERSION_NOT_ACTIVE'],
] as const)

/** By the names of the calls. The bodies that have to do with time need to know it. */
export const bodiesAt = (now: () => number) => ({
  ...eventBodies(now),
  profile: data(profile),
  subscribe: subscribeBody(now),
  unsubscribe: data(
    z.object({
      attributes: z.object({ profiles: list(subscriberOf(anyText), 100) }),
      relationships: ofList,
    }),
  ),
  'list-members': list(reference, 1000),
  'delete-profile': data(attributes(z.object({ profile: data(deletedProfile) }))),
  'map-metric': data(mappedMetric),
  'back-in-stock': data(
    z.object({ attributes: waiting, relationships: z.object({ variant: data(reference) }) }),
  ),
  'new-coupon': data(
    attributes(z.strictObject({ external_id: z.string().min(1), description: anyText })),
  ),
  'coupon-job': data(attributes(z.strictObject({ 'coupon-codes': list(couponCode, 1000) }))),
  'coupon-code': data(
    z.strictObject({
      type: z.literal('coupon-code'),
      id: z.string(),
      attributes: z.strictObject({
        status: couponStatus.nullish(),
        expires_at: z.iso.datetime({ offset: true }).nullish(),
      }),
    }),
  ),
  'create-categories': catalogJob,
  'create-items': catalogJob,
  'update-items': catalogJob,
  'delete-items': catalogJob,
  'create-variants': catalogJob,
  'update-variants': catalogJob,
  'delete-variants': catalogJob,
})

export type Bodies = ReturnType<typeof bodiesAt>

/** A body that passed its check. */
export type Body<Name extends keyof Bodies> = z.output<Bodies[Name]>

export type ProfileInput = Body<'profile'>['data']
export type EventInput = Omit<Body<'event'>['data']['attributes'], 'profile'>
export type SubscriberInput = Body<'subscribe'>['data']['attributes']['profiles']['data'][number]
