import { z } from 'zod'
import type { CallFailure, Reply } from '../marketing/platform.js'
import { ask } from './ask.js'
import type { CallContext } from './exchange.js'
import { call } from './call.js'

/** Every scope that the calls here need. */
const neededScopes = [
  'accounts:read',
  'events:write',
  'profiles:read',
  'profiles:write',
  'lists:read',
  'lists:write',
  'subscriptions:write',
] as const

type Scope = (typeof neededScopes)[number]

/** Requests that show by 403 that a scope is missing; scopes in the order of a search for it. */
const probes: [method: 'GET' | 'POST', path: string, ...scopes: Scope[]][] = [
  ['GET', '/api/profiles', 'profiles:read'],
  ['GET', '/api/lists', 'lists:read'],
  ['POST', '/api/events', 'events:write'],
  ['POST', '/api/profile-import', 'profiles:write'],
  ['POST', '/api/profile-bulk-import-jobs', 'profiles:write', 'lists:write'],
  [
    'POST',
    '/api/profile-subscription-bulk-create-jobs',
    'profiles:write',
    'lists:write',
    'subscriptions:write',
  ],
]

const accountsDocument = z.object({
  data: z
    .array(
      z.object({
        id: z.string(),
        attributes: z.object({
          contact_information: z.object({ organization_name: z.string().nullish() }).nullish(),
        }),
      }),
    )
    .min(1),
})

/** Whose key it is, and which scopes it lacks as far as the answers show. */
export async function checkAccount(
  context: CallContext,
): Reply<{ accountName: string; missingScopes: Scope[] }> {
  const account = await ask(context, { path: '/api/accounts', schema: accountsDocument })
  const missing = new Set<Scope>()
  if ('failed' in account) {
    if (!isForbidden(account.failed)) return account
    missing.add('accounts:read')
  }
  const readings = await Promise.all(probes.map((probe) => readProbe(context, probe)))
  for (const { scopes, reading, ...rate } of readings) {
    if (reading.is !== 'later' && reading.is !== 'misconfigured') continue
    if (!isForbidden(reading)) return { failed: reading, ...rate }
    for (const scope of missingOf(scopes, reading.error.detail, missing)) missing.add(scope)
  }
  const [owner] = 'document' in account ? account.document.data : []
  return {
    accountName: owner?.attributes.contact_information?.organization_name ?? owner?.id ?? '',
    missingScopes: neededScopes.filter((scope) => missing.has(scope)),
  }
}

/**
 * Reads ask for one item. No scope to write can be seen without a write, so these post a body without
 * the `data` that every document of the API must have: with the scopes it is refused with 400, and
 * nothing can come of it.
 */
async function readProbe(context: CallContext, [method, path, ...scopes]: (typeof probes)[number]) {
  const what = method === 'GET' ? { query: { 'page[size]': '1' } } : { body: {} }
  return { scopes, ...(await call(context, { method, path, ...what })) }
}

/** A 403 of the platform itself, not of what stands before it. */
const isForbidden = ({ is, error }: CallFailure['failed']): boolean =>
  is === 'misconfigured' && error.status === 403

/**
 * Which of a call's scopes are missing: those that the answer names, else the only one that is not
 * yet accounted for. Where several might be, nothing is claimed of the others.
 */
function missingOf(scopes: Scope[], told: string, known: ReadonlySet<Scope>): Scope[] {
  const named = scopes.filter((scope) => told.includes(scope))
  if (named.length > 0 && named.length < scopes.length) return named
  return scopes.some((scope) => known.has(scope)) ? [] : scopes.slice(-1)
}
