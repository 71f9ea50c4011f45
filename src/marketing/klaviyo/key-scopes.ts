import type { TranslationKey } from '../../core/translations/translation.js'
import type { CallName } from './limits.js'

/** What a private API key of Klaviyo may be allowed. */
export const allScopes = [
  'accounts:read',
  'catalogs:read',
  'catalogs:write',
  'coupon-codes:read',
  'coupon-codes:write',
  'coupons:write',
  'data-privacy:write',
  'events:write',
  'lists:read',
  'lists:write',
  'metrics:read',
  'metrics:write',
  'profiles:read',
  'profiles:write',
  'subscriptions:write',
] as const

export type Scope = (typeof allScopes)[number]

/** The scopes of each call, as the documents of revision 2026-07-15 state them. */
export const callScopes: Readonly<Record<CallName, readonly Scope[]>> = {
  event: ['events:write'],
  events: ['events:write'],
  profile: ['profiles:write'],
  subscribe: ['profiles:write', 'lists:write', 'subscriptions:write'],
  unsubscribe: ['profiles:write', 'lists:write', 'subscriptions:write'],
  'delete-profile': ['data-privacy:write'],
  'find-profiles': ['profiles:read'],
  'find-subscribed': ['profiles:read', 'lists:read'],
  'list-members': ['profiles:write', 'lists:write'],
  'back-in-stock': ['catalogs:write', 'profiles:write'],
  'catalog-job': ['catalogs:write'],
  'catalog-state': ['catalogs:read'],
  'catalog-list': ['catalogs:read'],
  'new-coupon': ['coupons:write'],
  'coupon-job': ['coupon-codes:write'],
  'coupon-state': ['coupon-codes:read'],
  'coupon-codes': ['coupon-codes:read'],
  'coupon-code': ['coupon-codes:write'],
}

/** The settings by which a shop uses a feature, or does not. */
interface UsedBy {
  followUnsubscribes: boolean
  catalog: string
}

interface KeyFeature {
  /** Each is off when the key lacks a scope of one of them. */
  calls: readonly CallName[]
  /** What only a person who looks at a page asks for. */
  pageScopes?: readonly Scope[]
  /** What does not work without its scopes, in words without a full stop. */
  off: TranslationKey
  /** Default: always. */
  isUsed?: (by: UsedBy) => boolean
}

/** What the key is needed for. */
export const keyFeatures = {
  events: { calls: ['event', 'events'], off: 'eventsOff' },
  profiles: { calls: ['profile'], off: 'profilesOff' },
  lists: { calls: ['find-profiles', 'list-members'], off: 'listsOff' },
  subscriptions: { calls: ['subscribe', 'unsubscribe'], off: 'subscriptionsOff' },
  consents: {
    calls: ['find-profiles'],
    off: 'consentsOff',
    isUsed: ({ followUnsubscribes }) => followUnsubscribes,
  },
  catalog: {
    calls: ['catalog-job', 'catalog-state', 'catalog-list'],
    off: 'catalogOff',
    isUsed: ({ catalog }) => catalog === 'api',
  },
  backInStock: {
    // Nobody is told of what the catalog does not get.
    calls: ['back-in-stock', 'catalog-job'],
    off: 'backInStockOff',
    isUsed: ({ catalog }) => catalog === 'api',
  },
  /** A shop without coupons makes no such call, and asks for no such scope. */
  coupons: {
    calls: ['new-coupon', 'coupon-job', 'coupon-state', 'coupon-codes', 'coupon-code'],
    off: 'couponsOff',
  },
  erasures: { calls: ['delete-profile'], off: 'erasuresOff' },
  account: { calls: [], pageScopes: ['accounts:read', 'lists:read'], off: 'accountOff' },
  /** Buttons that nothing else needs, and that say themselves what the key lacks. */
  metrics: {
    calls: [],
    pageScopes: ['metrics:read', 'metrics:write'],
    off: 'metricsOff',
    isUsed: () => false,
  },
} as const satisfies Record<string, KeyFeature>

export type KeyFeatureName = keyof typeof keyFeatures

const features = Object.entries(keyFeatures) as [KeyFeatureName, KeyFeature][]

export const scopesOf = (name: KeyFeatureName): Scope[] => {
  const { calls, pageScopes = [] }: KeyFeature = keyFeatures[name]
  return [...new Set([...calls.flatMap((call) => callScopes[call]), ...pageScopes])]
}

/** A feature that does not work, and the scopes that its key lacks for it. */
export interface LackingFeature {
  name: KeyFeatureName
  off: TranslationKey
  scopes: Scope[]
  isUsed: boolean
}

/**
 * The features that the key lacks a scope for.
 *
 * @param lacks Whether it lacks the scope, as far as a feature with these calls shows.
 */
export const featuresLacking = (
  lacks: (scope: Scope, calls: readonly CallName[]) => boolean,
  by: UsedBy,
): LackingFeature[] =>
  features.flatMap(([name, { calls, off, isUsed = () => true }]) => {
    const scopes = scopesOf(name).filter((scope) => lacks(scope, calls))
    return scopes.length === 0 ? [] : [{ name, off, scopes, isUsed: isUsed(by) }]
  })
