import * as z from 'zod/mini'
import type { CallFailure, CallOptions, Reply } from './call-answer.js'
import { ask, call } from './call.js'
import { type CallContext, markOfKey } from './ask-api.js'
import { allScopes, callScopes, type Scope } from './key-scopes.js'
import type { Shop } from '../../core/shop.js'
import { storedMoment, readStored, type KeyValueStore } from '../../core/database/stored-value.js'

interface Probe {
  method: 'GET' | 'POST'
  path: string
  scopes: readonly Scope[]
  query?: Record<string, string>
}

const onePerPage = { 'page[size]': '1' }

/**
 * Requests whose 403 shows a missing scope: the last one of each, as earlier requests test its others. None asks for
 * `metrics:write`, as Klaviyo takes 30 such calls a day.
 */
const probes: readonly Probe[] = [
  { method: 'GET', path: '/api/profiles', query: onePerPage, scopes: callScopes['find-profiles'] },
  { method: 'GET', path: '/api/lists', query: onePerPage, scopes: ['lists:read'] },
  { method: 'GET', path: '/api/metrics', scopes: ['metrics:read'] },
  {
    method: 'GET',
    path: '/api/catalog-items',
    query: onePerPage,
    scopes: callScopes['catalog-list'],
  },
  { method: 'POST', path: '/api/events', scopes: callScopes.event },
  { method: 'POST', path: '/api/profile-import', scopes: callScopes.profile },
  {
    method: 'POST',
    // No list has this id.
    path: '/api/lists/STORECONNECT/relationships/profiles',
    scopes: callScopes['list-members'],
  },
  {
    method: 'POST',
    path: '/api/profile-subscription-bulk-create-jobs',
    scopes: callScopes.subscribe,
  },
  {
    method: 'POST',
    path: '/api/data-privacy-deletion-jobs',
    scopes: callScopes['delete-profile'],
  },
  {
    method: 'POST',
    path: '/api/catalog-item-bulk-create-jobs',
    scopes: callScopes['catalog-job'],
  },
]

/** The same for a shop with coupons. */
const couponProbes: readonly Probe[] = [
  {
    method: 'GET',
    // No coupon has this id, and the answer says nothing of it.
    path: '/api/coupons/STORECONNECT/coupon-codes',
    query: onePerPage,
    scopes: callScopes['coupon-codes'],
  },
  { method: 'POST', path: '/api/coupons', scopes: callScopes['new-coupon'] },
  { method: 'POST', path: '/api/coupon-code-bulk-create-jobs', scopes: callScopes['coupon-job'] },
]

const probesOf = (hasCoupons = false): readonly Probe[] =>
  hasCoupons ? [...probes, ...couponProbes] : probes

/** How a key is checked. */
export interface AccountCheckOptions extends CallOptions {
  /** Whether the shop has coupons, whose scopes others do not need. Default false. */
  hasCoupons?: boolean
}

const accountsDocument = z.object({
  data: z
    .array(
      z.object({
        id: z.string(),
        attributes: z.object({
          contact_information: z.nullish(z.object({ organization_name: z.nullish(z.string()) })),
        }),
      }),
    )
    .check(z.minLength(1)),
})

/** Finds the account of a key and the scopes that the answers show to be missing. */
export async function checkAccount(
  context: CallContext,
  hasCoupons?: boolean,
): Reply<{ accountName: string; missingScopes: Scope[] }> {
  const account = await ask(context, { path: '/api/accounts', schema: accountsDocument })
  const missing = new Set<Scope>()
  if ('failed' in account) {
    if (!isForbidden(account.failed)) return account
    missing.add('accounts:read')
  }
  const results = await Promise.all(probesOf(hasCoupons).map((probe) => readProbe(context, probe)))
  for (const { scopes, result, ...rate } of results) {
    if (result.is !== 'later' && result.is !== 'misconfigured') continue
    if (!isForbidden(result)) return { failed: result, ...rate }
    for (const scope of missingOf(scopes, result.error.detail, missing)) missing.add(scope)
  }
  const [owner] = 'document' in account ? account.document.data : []
  return {
    accountName: owner?.attributes.contact_information?.organization_name ?? owner?.id ?? '',
    missingScopes: allScopes.filter((scope) => missing.has(scope)),
  }
}

/** Write probes post no `data`: Klaviyo refuses that with 400, and changes nothing, when the scope is there. */
async function readProbe(context: CallContext, { scopes, ...request }: Probe) {
  const body = request.method === 'POST' && { body: {} }
  return { scopes, ...(await call(context, { ...request, ...body })) }
}

/** Whether the 403 comes from Klaviyo itself and not from a shield in front of it. */
const isForbidden = ({ is, error }: CallFailure['failed']): boolean =>
  is === 'misconfigured' && error.status === 403

/** The scopes that the answer names, or else the last one, unless another one of the call is known to be missing. */
function missingOf(scopes: readonly Scope[], detail: string, known: ReadonlySet<Scope>): Scope[] {
  const named = scopes.filter((scope) => detail.includes(scope))
  if (named.length > 0 && named.length < scopes.length) return named
  return scopes.some((scope) => known.has(scope)) ? [] : scopes.slice(-1)
}

const place = 'storeconnect:last-connection-test'

const testSchema = z.object({
  at: storedMoment,
  key: z.string(),
  /** Why Klaviyo refused the key. */
  refusal: z.exactOptional(z.string()),
  refusalCode: z.exactOptional(z.string()),
  missingScopes: z.array(z.string()),
})

export type ConnectionTest = Omit<z.infer<typeof testSchema>, 'key'>

interface AccountCheck {
  checkAccount: (options: AccountCheckOptions) => ReturnType<typeof checkAccount>
}

/** Stores the result of each connection test for the overview page. */
export const withTestsNoted = <Client extends AccountCheck>(
  klaviyo: Client,
  { payload, effects }: Shop,
): Client => ({
  ...klaviyo,
  async checkAccount(options: AccountCheckOptions) {
    const account = await klaviyo.checkAccount(options)
    const result =
      'failed' in account
        ? { ...refusalOf(account.failed), missingScopes: [] }
        : { missingScopes: account.missingScopes }
    const at = effects.now().toISOString()
    await payload.kv.set(place, { at, key: markOfKey(options.apiKey), ...result })
    return account
  },
})

const refusalOf = ({ error }: CallFailure['failed']) => ({
  refusal: error.detail,
  refusalCode: error.code,
})

/** The last test, if it tested this key. */
export async function readLastTest(
  store: KeyValueStore,
  apiKey: string,
): Promise<ConnectionTest | undefined> {
  const { key, ...test } = (await readStored(store, place, testSchema)) ?? {}
  return key === markOfKey(apiKey) ? (test as ConnectionTest) : undefined
}
