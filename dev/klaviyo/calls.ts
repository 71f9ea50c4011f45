import type { WindowLimits } from './rate-windows.ts'

export type Scope =
  | 'accounts:read'
  | 'catalogs:read'
  | 'catalogs:write'
  | 'coupon-codes:read'
  | 'coupon-codes:write'
  | 'coupons:write'
  | 'data-privacy:write'
  | 'events:write'
  | 'lists:read'
  | 'lists:write'
  | 'metrics:read'
  | 'metrics:write'
  | 'profiles:read'
  | 'profiles:write'
  | 'subscriptions:write'

interface CallFacts {
  /**
   * The file that Klaviyo publishes about the endpoint. Undefined where `CONTRACTS_DIR` has none: what the stand-in does
   * there follows Klaviyo's reference at revision 2026-07-15, and no test checks that.
   */
  document: string | undefined
  method: 'GET' | 'PATCH' | 'POST'
  /** With one group at most: the id. */
  path: RegExp
  scopes: readonly Scope[]
  limits: WindowLimits
}

// Rate limit tiers and scopes as the documents of revision 2026-07-15 state them for each endpoint.
const XS: WindowLimits = { burst: 1, steady: 15 }
const MAPPINGS: WindowLimits = { burst: 1, steady: 15, daily: 30 }
const S: WindowLimits = { burst: 3, steady: 60 }
const M: WindowLimits = { burst: 10, steady: 150 }
const L: WindowLimits = { burst: 75, steady: 750 }
const XL: WindowLimits = { burst: 350, steady: 3500 }

const catalogJob = (kind: string, verb: string, document: string) =>
  ({
    document,
    method: 'POST',
    path: new RegExp(`^/api/catalog-${kind}-bulk-${verb}-jobs$`),
    scopes: ['catalogs:write'],
    limits: L,
  }) as const

const catalogRead = (path: RegExp, document: string, limits: WindowLimits) =>
  ({ document, method: 'GET', path, scopes: ['catalogs:read'], limits }) as const

const coupon = (facts: Omit<CallFacts, 'document'>) => ({ document: undefined, ...facts }) as const

/** The endpoints that the stand-in has. */
export const calls = {
  event: {
    document: 'create_event',
    method: 'POST',
    path: /^\/api\/events$/,
    scopes: ['events:write'],
    limits: XL,
  },
  events: {
    document: 'bulk_create_events',
    method: 'POST',
    path: /^\/api\/event-bulk-create-jobs$/,
    scopes: ['events:write'],
    limits: M,
  },
  profile: {
    document: 'create_or_update_profile',
    method: 'POST',
    path: /^\/api\/profile-import$/,
    scopes: ['profiles:write'],
    limits: L,
  },
  subscribe: {
    document: 'bulk_subscribe_profiles',
    method: 'POST',
    path: /^\/api\/profile-subscription-bulk-create-jobs$/,
    scopes: ['lists:write', 'profiles:write', 'subscriptions:write'],
    limits: L,
  },
  'delete-profile': {
    document: 'request_profile_deletion',
    method: 'POST',
    path: /^\/api\/data-privacy-deletion-jobs$/,
    scopes: ['data-privacy:write'],
    limits: S,
  },
  unsubscribe: {
    document: 'bulk_unsubscribe_profiles',
    method: 'POST',
    path: /^\/api\/profile-subscription-bulk-delete-jobs$/,
    scopes: ['lists:write', 'profiles:write', 'subscriptions:write'],
    limits: L,
  },
  'list-members': {
    document: 'add_profiles_to_list',
    method: 'POST',
    path: /^\/api\/lists\/([^/]+)\/relationships\/profiles$/,
    scopes: ['lists:write', 'profiles:write'],
    limits: M,
  },
  'find-profiles': {
    document: 'get_profiles',
    method: 'GET',
    path: /^\/api\/profiles$/,
    scopes: ['profiles:read'],
    limits: L,
  },
  'find-subscribed': {
    document: 'get_profiles_for_list',
    method: 'GET',
    path: /^\/api\/lists\/([^/]+)\/profiles$/,
    scopes: ['lists:read', 'profiles:read'],
    limits: L,
  },
  lists: {
    document: 'get_lists',
    method: 'GET',
    path: /^\/api\/lists$/,
    scopes: ['lists:read'],
    limits: L,
  },
  list: {
    document: 'get_list',
    method: 'GET',
    path: /^\/api\/lists\/([^/]+)$/,
    scopes: ['lists:read'],
    limits: L,
  },
  metrics: {
    document: 'get_metrics',
    method: 'GET',
    path: /^\/api\/metrics$/,
    scopes: ['metrics:read'],
    limits: M,
  },
  'mapped-metrics': {
    document: 'get_mapped_metrics',
    method: 'GET',
    path: /^\/api\/mapped-metrics$/,
    scopes: ['metrics:read'],
    limits: S,
  },
  'map-metric': {
    document: 'update_mapped_metric',
    method: 'PATCH',
    path: /^\/api\/mapped-metrics\/([^/]+)$/,
    scopes: ['metrics:write'],
    limits: MAPPINGS,
  },
  account: {
    document: 'get_accounts',
    method: 'GET',
    path: /^\/api\/accounts$/,
    scopes: ['accounts:read'],
    limits: XS,
  },
  'back-in-stock': {
    document: 'create_back_in_stock_subscription',
    method: 'POST',
    path: /^\/api\/back-in-stock-subscriptions$/,
    scopes: ['catalogs:write', 'profiles:write'],
    limits: XL,
  },
  'create-categories': catalogJob('category', 'create', 'bulk_create_catalog_categories'),
  'create-items': catalogJob('item', 'create', 'bulk_create_catalog_items'),
  'update-items': catalogJob('item', 'update', 'bulk_update_catalog_items'),
  'delete-items': catalogJob('item', 'delete', 'bulk_delete_catalog_items'),
  'create-variants': catalogJob('variant', 'create', 'bulk_create_catalog_variants'),
  'update-variants': catalogJob('variant', 'update', 'bulk_update_catalog_variants'),
  'delete-variants': catalogJob('variant', 'delete', 'bulk_delete_catalog_variants'),
  'created-items': catalogRead(
    /^\/api\/catalog-item-bulk-create-jobs\/([^/]+)$/,
    'get_bulk_create_catalog_items_job',
    L,
  ),
  'updated-items': catalogRead(
    /^\/api\/catalog-item-bulk-update-jobs\/([^/]+)$/,
    'get_bulk_update_catalog_items_job',
    L,
  ),
  'deleted-items': catalogRead(
    /^\/api\/catalog-item-bulk-delete-jobs\/([^/]+)$/,
    'get_bulk_delete_catalog_items_job',
    XL,
  ),
  // Klaviyo publishes the document of one of them alone, and the limits of all in its reference.
  'other-catalog-job': catalogRead(
    /^\/api\/catalog-(?:variant-bulk-(?:create|update|delete)|category-bulk-create)-jobs\/([^/]+)$/,
    'get_bulk_create_variants_job',
    L,
  ),
  'catalog-items': catalogRead(/^\/api\/catalog-items$/, 'get_catalog_items', XL),
  'catalog-variants': catalogRead(/^\/api\/catalog-variants$/, 'get_catalog_variants', XL),
  'new-coupon': coupon({
    method: 'POST',
    path: /^\/api\/coupons$/,
    scopes: ['coupons:write'],
    limits: S,
  }),
  'coupon-job': coupon({
    method: 'POST',
    path: /^\/api\/coupon-code-bulk-create-jobs$/,
    scopes: ['coupon-codes:write'],
    limits: L,
  }),
  'coupon-state': coupon({
    method: 'GET',
    path: /^\/api\/coupon-code-bulk-create-jobs\/([^/]+)$/,
    scopes: ['coupon-codes:read'],
    limits: L,
  }),
  'coupon-codes': coupon({
    method: 'GET',
    path: /^\/api\/coupons\/([^/]+)\/coupon-codes$/,
    scopes: ['coupon-codes:read'],
    limits: L,
  }),
  'coupon-code': coupon({
    method: 'PATCH',
    path: /^\/api\/coupon-codes\/([^/]+)$/,
    scopes: ['coupon-codes:write'],
    limits: XL,
  }),
} as const satisfies Record<string, CallFacts>

export type CallName = keyof typeof calls

export const callNames = Object.keys(calls) as CallName[]

/** Every scope that some call needs. */
export const allScopes: readonly Scope[] = [
  ...new Set(callNames.flatMap((name): readonly Scope[] => calls[name].scopes)),
]

export interface Route {
  name: CallName
  id: string
}

/** The calls of a path; the method decides between them. A trailing slash is the same path. */
export function routesOf(pathname: string): Route[] {
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname
  return callNames.flatMap((name) => {
    const found = calls[name].path.exec(path)
    return found ? [{ name, id: decodeId(found[1] ?? '') }] : []
  })
}

function decodeId(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // No percent-encoding: then nothing has this id, and the call answers so.
    return text
  }
}
