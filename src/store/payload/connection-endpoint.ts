import { Forbidden, type Endpoint } from 'payload'
import { z } from 'zod'
import { partsOf } from '../../installation.js'
import type { CallFailure } from '../../marketing/platform.js'
import { resolveText } from '../../settings/environment-reference.js'
import type { IsAdmin } from './admin-access.js'
import { ownPagesOnly } from './own-pages-only.js'
import { secretMask } from './setting-fields.js'

/** What a test of the connection to the marketing platform says. */
export type ConnectionReport =
  | { is: 'no-key' }
  | { is: 'key-unreadable' }
  | { is: 'no-variable'; name: string }
  | { is: 'refused'; reason: string }
  | { is: 'connected'; account: string; missingScopes: string[] }

/** A person waits for it. */
const testMilliseconds = 15_000

/**
 * `POST …/globals/marketing-settings/test-connection`, for the button in the settings. It tests the
 * key of the form, saved or not.
 */
export const connectionEndpoint = (isAdmin: IsAdmin): Omit<Endpoint, 'root'> => ({
  path: '/test-connection',
  method: 'post',
  handler: ownPagesOnly(async (req) => {
    if (!(await isAdmin({ req }))) throw new Forbidden(req.t)
    const { settings, platform } = partsOf(req.payload)
    const { privateApiKey } = parseForm(await req.json?.().catch(() => undefined))
    const typed = privateApiKey === secretMask ? undefined : privateApiKey
    const resolved = typed === undefined ? undefined : resolveText(typed, process.env)
    if (resolved?.missingVariable !== undefined) {
      return reply({ is: 'no-variable', name: resolved.missingVariable })
    }
    // The key as it is saved now, not as this process last read it.
    settings.forgetMarketing()
    const stored = await settings.marketing()
    if (!resolved && stored.keyProblem === 'unreadable') return reply({ is: 'key-unreadable' })
    const apiKey = resolved?.value.trim() ?? stored.privateApiKey
    if (apiKey === '') return reply({ is: 'no-key' })
    const signal = AbortSignal.timeout(testMilliseconds)
    const account = await platform.checkAccount({ apiKey, signal })
    if ('failed' in account) return reply({ is: 'refused', reason: reasonOf(account) })
    const { accountName, missingScopes } = account
    return reply({ is: 'connected', account: accountName, missingScopes })
  }),
})

/** What the settings' form holds; a request without it asks for the stored key. */
const parseForm = (body: unknown): { privateApiKey?: string | undefined } =>
  form.safeParse(body).data ?? {}

const form = z.object({ privateApiKey: z.string().max(1000).optional() })

const reply = (report: ConnectionReport) => Response.json(report)

const reasonOf = ({ failed: { error } }: CallFailure): string => `${error.detail} (${error.code})`
