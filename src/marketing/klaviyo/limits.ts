/**
 * Klaviyo's documented limits; the stricter one where its pages disagree (Events API overview,
 * Limitations; the endpoints' own descriptions at revision 2026-07-15).
 */
export const messageLimits = {
  /** How many properties an event may have; we apply the same limit to a profile. */
  properties: 400,
  /** A single text, in bytes of UTF-8. */
  textBytes: 100 * 1024,
  /** One profile in a call, in bytes. */
  profileBytes: 100 * 1024,
  /** An event's name is shorter than this, in characters, prefix included. */
  eventNameLength: 128,
  arrayItems: 4000,
  depth: 10,
} as const

/** The calls that have rate limits of their own. */
export type CallName =
  | 'event'
  | 'events'
  | 'profile'
  | 'subscribe'
  | 'delete-profile'
  | 'unsubscribe'
  | 'find-profiles'
  | 'find-subscribed'
  | 'list-members'
  | 'back-in-stock'
  | 'catalog-job'
  | 'catalog-state'
  | 'catalog-list'
  | 'new-coupon'
  | 'coupon-job'
  | 'coupon-state'
  | 'coupon-codes'
  | 'coupon-code'

export interface CallLimits {
  /** How many calls any second may have. */
  burst: number
  /** How many calls any minute may have. */
  steady: number
  /** How many items a call may have. */
  items: number
}

/**
 * The rate limits at revision 2026-07-15, the stricter ones where pages disagree (L: 750 or 700 a minute); the real
 * ones are read from the answers.
 */
const size = {
  S: { burst: 3, steady: 60 },
  M: { burst: 10, steady: 150 },
  L: { burst: 75, steady: 700 },
  XL: { burst: 350, steady: 3500 },
} as const

export const callLimits: Readonly<Record<CallName, CallLimits>> = {
  event: { ...size.XL, items: 1 },
  events: { ...size.M, items: 1000 },
  profile: { ...size.L, items: 1 },
  subscribe: { ...size.L, items: 1000 },
  'delete-profile': { ...size.S, items: 1 },
  unsubscribe: { ...size.L, items: 100 },
  'find-profiles': { ...size.L, items: 100 },
  'find-subscribed': { ...size.L, items: 100 },
  'list-members': { ...size.M, items: 1000 },
  'back-in-stock': { ...size.XL, items: 1 },
  // Seven kinds of jobs of the catalog, and of their states. Each has these limits or larger ones; all together keep these.
  'catalog-job': { ...size.L, items: 100 },
  'catalog-state': { ...size.L, items: 1 },
  'catalog-list': { ...size.XL, items: 100 },
  'new-coupon': { ...size.S, items: 1 },
  'coupon-job': { ...size.L, items: 1000 },
  'coupon-state': { ...size.L, items: 1 },
  'coupon-codes': { ...size.L, items: 100 },
  'coupon-code': { ...size.XL, items: 1 },
}

/** How many bytes of messages one bulk call may carry: 5 MB, less the JSON around 1,000 events. */
export const bulkBytes = 4_500_000

/** The most bytes of a request body: Klaviyo documents 5 MB, and this is the smaller kind of megabyte. */
export const bodyBytesLimit = 5_000_000
