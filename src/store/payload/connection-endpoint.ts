import { Forbidden, type Endpoint } from 'payload'
import { partsOf } from '../../installation.js'
import type { CallFailure } from '../../marketing/platform.js'
import type { IsAdmin } from './admin-access.js'
import { ownPagesOnly } from './own-pages-only.js'

/** What a test of the connection to the marketing platform says. */
export type ConnectionReport =
  | { is: 'no-key' }
  | { is: 'key-unreadable' }
  | { is: 'refused'; reason: string }
  | { is: 'connected'; account: string; missingScopes: string[] }

/** A person waits for it. */
const testMilliseconds = 15_000

/** `POST …/globals/marketing-settings/test-connection`, for the button in the settings. */
export const connectionEndpoint = (isAdmin: IsAdmin): Omit<Endpoint, 'root'> => ({
  path: '/test-connection',
  method: 'post',
  handler: ownPagesOnly(async (req) => {
    if (!(await isAdmin({ req }))) throw new Forbidden(req.t)
    const { settings, platform } = partsOf(req.payload)
    // The key as it is saved now, not as this process last read it.
    settings.forgetMarketing()
    const { privateApiKey: apiKey, keyProblem } = await settings.marketing()
    if (keyProblem === 'unreadable') return reply({ is: 'key-unreadable' })
    if (apiKey === '') return reply({ is: 'no-key' })
    const signal = AbortSignal.timeout(testMilliseconds)
    const account = await platform.checkAccount({ apiKey, signal })
    if ('failed' in account) return reply({ is: 'refused', reason: reasonOf(account) })
    const { accountName, missingScopes } = account
    return reply({ is: 'connected', account: accountName, missingScopes })
  }),
})

const reply = (report: ConnectionReport) => Response.json(report)

const reasonOf = ({ failed: { error } }: CallFailure): string => `${error.detail} (${error.code})`
