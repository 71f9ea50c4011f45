import { z } from 'zod'
import type { AccountCheck, CallFailure, MarketingPlatform } from '../marketing/platform.js'
import { errorsOf } from './meaning.js'
import { failureOf } from './outcomes.js'
import type { ApiAnswer, ApiRequest } from './exchange.js'
import { rateOf, type CallParts } from './call.js'
import { readAnswer } from './read-answer.js'

/** Every scope that the calls here need. */
export const neededScopes = [
  'accounts:read',
  'events:write',
  'profiles:read',
  'profiles:write',
  'lists:read',
  'lists:write',
  'subscriptions:write',
] as const

type Scope = (typeof neededScopes)[number]

/** A request that shows by 403 that a scope is missing, and changes nothing. */
interface Probe {
  request: ApiRequest
  /** In the order in which a missing one is looked for. */
  scopes: Scope[]
}

/**
 * Reads ask for one item. No scope to write can be seen without a write, so these post a body without
 * the `data` that every document of the API must have: with the scopes it is refused with 400, and
 * nothing can come of it.
 */
const probes: Probe[] = [
  { request: read('/api/profiles'), scopes: ['profiles:read'] },
  { request: read('/api/lists'), scopes: ['lists:read'] },
  { request: write('/api/events'), scopes: ['events:write'] },
  { request: write('/api/profile-import'), scopes: ['profiles:write'] },
  {
    request: write('/api/profile-bulk-import-jobs'),
    scopes: ['profiles:write', 'lists:write'],
  },
  {
    request: write('/api/profile-subscription-bulk-create-jobs'),
    scopes: ['profiles:write', 'lists:write', 'subscriptions:write'],
  },
]

function read(path: string): ApiRequest {
  return { method: 'GET', path, query: { 'page[size]': '1' } }
}

function write(path: string): ApiRequest {
  return { method: 'POST', path, body: {} }
}

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
export function checkAccount({ exchange, now }: CallParts): MarketingPlatform['checkAccount'] {
  return async (options) => {
    const reading = { now: now(), apiKey: options.apiKey }
    const answer = await exchange({ method: 'GET', path: '/api/accounts' }, options)
    const account = readAnswer(answer, accountsDocument, reading)
    const missing = new Set<Scope>()
    if ('failed' in account) {
      if (!isForbidden(answer, account.failed)) return { ...account, ...rateOf(answer, now()) }
      missing.add('accounts:read')
    }

    const answers = await Promise.all(
      probes.map(async ({ request, scopes }) => ({
        scopes,
        answer: await exchange(request, options),
      })),
    )
    for (const { scopes, answer } of answers) {
      const failed = failureOf(answer, reading)
      if (failed === undefined) continue
      if (!isForbidden(answer, failed)) return { failed, ...rateOf(answer, now()) }
      for (const scope of missingOf(scopes, answer, missing)) missing.add(scope)
    }
    return {
      accountName: 'document' in account ? nameOf(account.document) : '',
      missingScopes: neededScopes.filter((scope) => missing.has(scope)),
    }
  }
}

/** A 403 of the platform itself, not of what stands before it. */
const isForbidden = (answer: ApiAnswer, failed: CallFailure['failed']): boolean =>
  answer.is === 'answered' && answer.status === 403 && failed.is === 'misconfigured'

/**
 * Which of a call's scopes are missing: those that the answer names, else the only one that is not
 * yet accounted for. Where several might be, nothing is claimed of the others.
 */
function missingOf(scopes: Scope[], answer: ApiAnswer, known: ReadonlySet<Scope>): Scope[] {
  const told =
    'status' in answer
      ? errorsOf(answer)
          .map(({ detail }) => detail)
          .join(' ')
      : ''
  const named = scopes.filter((scope) => told.includes(scope))
  if (named.length > 0 && named.length < scopes.length) return named
  return scopes.some((scope) => known.has(scope)) ? [] : scopes.slice(-1)
}

const nameOf = ({ data }: z.infer<typeof accountsDocument>): AccountCheck['accountName'] =>
  data[0]?.attributes.contact_information?.organization_name ?? data[0]?.id ?? ''
