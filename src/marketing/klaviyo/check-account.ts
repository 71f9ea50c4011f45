import * as z from 'zod/mini'
import type { CallFailure, CallOptions, Reply } from './call-answer.js'
import { ask, call } from './call.js'
import { type CallContext, markOfKey } from './ask-api.js'
import type { Shop } from '../../core/shop.js'
import { storedMoment, readStored, type KeyValueStore } from '../../core/database/stored-value.js'

const neededScopes = [
  'accounts:read',
  'events:write',
  'profiles:read',
  'profiles:write',
  'lists:read',
  'lists:write',
  'subscriptions:write',
  'data-privacy:write',
] as const

type Scope = (typeof neededScopes)[number]

/** Requests whose 403 shows a missing scope: the last one of each, as earlier requests test its others. */
const probes: [method: 'GET' | 'POST', path: string, ...scopes: Scope[]][] = [
  ['GET', '/api/profiles', 'profiles:read'],
  ['GET', '/api/lists', 'lists:read'],
  ['POST', '/api/events', 'events:write'],
  ['POST', '/api/profile-import', 'profiles:write'],
  // No list has this id.
  ['POST', '/api/lists/STORECONNECT/relationships/profiles', 'profiles:write', 'lists:write'],
  [
    'POST',
    '/api/profile-subscription-bulk-create-jobs',
    'profiles:write',
    'lists:write',
    'subscriptions:write',
  ],
  ['POST', '/api/data-privacy-deletion-jobs', 'data-privacy:write'],
]

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
): Reply<{ accountName: string; missingScopes: Scope[] }> {
  const account = await ask(context, { path: '/api/accounts', schema: accountsDocument })
  const missing = new Set<Scope>()
  if ('failed' in account) {
    if (!isForbidden(account.failed)) return account
    missing.add('accounts:read')
  }
  const results = await Promise.all(probes.map((probe) => readProbe(context, probe)))
  for (const { scopes, result, ...rate } of results) {
    if (result.is !== 'later' && result.is !== 'misconfigured') continue
    if (!isForbidden(result)) return { failed: result, ...rate }
    for (const scope of missingOf(scopes, result.error.detail, missing)) missing.add(scope)
  }
  const [owner] = 'document' in account ? account.document.data : []
  return {
    accountName: owner?.attributes.contact_information?.organization_name ?? owner?.id ?? '',
    missingScopes: neededScopes.filter((scope) => missing.has(scope)),
  }
}

/** Write probes post no `data`: Klaviyo refuses that with 400, and changes nothing, when the scope is there. */
async function readProbe(context: CallContext, [method, path, ...scopes]: (typeof probes)[number]) {
  const what = method === 'GET' ? { query: { 'page[size]': '1' } } : { body: {} }
  return { scopes, ...(await call(context, { method, path, ...what })) }
}

/** Whether the 403 comes from Klaviyo itself and not from a shield in front of it. */
const isForbidden = ({ is, error }: CallFailure['failed']): boolean =>
  is === 'misconfigured' && error.status === 403

/** The scopes that the answer names, or else the last one, unless another one of the call is known to be missing. */
function missingOf(scopes: Scope[], detail: string, known: ReadonlySet<Scope>): Scope[] {
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
  checkAccount: (options: CallOptions) => ReturnType<typeof checkAccount>
}

/** Stores the result of each connection test for the overview page. */
export const withTestsNoted = <Client extends AccountCheck>(
  klaviyo: Client,
  { payload, effects }: Shop,
): Client => ({
  ...klaviyo,
  async checkAccount(options: CallOptions) {
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
