import type { CachedValue } from '../../core/database/cached-value.js'
import { resolveText } from '../../core/payload/environment-reference.js'
import type { Translator } from '../../core/payload/label.js'
import type { Shop } from '../../core/shop.js'
import { featuresLacking } from '../klaviyo/key-scopes.js'
import { klaviyoErrorText } from '../klaviyo/klaviyo-error-text.js'
import type { Klaviyo } from '../klaviyo/klaviyo.js'
import type { ConnectionReport } from './connection-lines.js'
import type { MarketingSettings } from './marketing-settings.js'

/** Short, because a person waits for the answer. */
const testMilliseconds = 15_000

/** Tests a key as a person typed it, even if it is not saved yet. Without one the stored key is tested. */
export type TestConnection = (translate: Translator, typed?: string) => Promise<ConnectionReport>

export const createConnectionTest =
  (
    { effects: { deadline }, options }: Shop<{ marketing: { coupons?: unknown } }>,
    {
      marketingSettings,
      klaviyo,
    }: {
      marketingSettings: CachedValue<MarketingSettings>
      klaviyo: Pick<Klaviyo, 'checkAccount'>
    },
  ): TestConnection =>
  async (translate, typed) => {
    const resolved = typed === undefined ? undefined : resolveText(typed, process.env)
    if (resolved?.missingVariable !== undefined) {
      return { is: 'no-variable', name: resolved.missingVariable }
    }
    // Reads the saved key again, because another process may have changed it.
    marketingSettings.forget()
    const stored = await marketingSettings.get()
    if (!resolved && stored.keyProblem === 'unreadable') return { is: 'key-unreadable' }
    const apiKey = resolved?.value.trim() ?? stored.privateApiKey
    if (apiKey === '') return { is: 'no-key' }
    const account = await klaviyo.checkAccount({
      apiKey,
      signal: deadline(testMilliseconds),
      hasCoupons: options.marketing.coupons !== undefined,
    })
    if ('failed' in account) {
      const { error } = account.failed
      const reason = klaviyoErrorText(error, translate)
      return { is: 'refused', reason: `${reason} (${error.code})` }
    }
    const { accountName, missingScopes } = account
    const lacking = featuresLacking((scope) => missingScopes.includes(scope), stored)
    return { is: 'connected', account: accountName, lacking }
  }
