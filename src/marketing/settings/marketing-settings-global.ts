import type { GlobalConfig, PayloadRequest } from 'payload'
import * as z from 'zod/mini'
import type { CachedValue } from '../../core/database/cached-value.js'
import type { Effects } from '../../core/effects.js'
import type { StoreConfig } from '../../core/feature.js'
import { adminEndpoint } from '../../core/payload/admin-endpoint.js'
import { translatorOf } from '../../core/payload/label.js'
import { resolveText } from '../../core/payload/environment-reference.js'
import { secretMask } from '../../core/payload/secret-mask.js'
import { settingsGlobal } from '../../core/payload/settings-table.js'
import type { ListCheck } from './list-setting.js'
import {
  marketingSettingsPage,
  type MarketingSettings,
  type StoredMarketingSettings,
} from './marketing-settings.js'
import { featuresLacking, type LackingFeature } from '../klaviyo/key-scopes.js'
import type { Klaviyo } from '../klaviyo/klaviyo.js'
import { klaviyoErrorText } from '../klaviyo/klaviyo-error-text.js'
import type { OrderStatuses } from '../../shop/orders/order-choices.js'

interface Built extends ListCheck {
  marketingSettings: CachedValue<MarketingSettings>
  klaviyo: Pick<Klaviyo, 'checkAccount'>
}

export const marketingSettingsGlobal = (
  presets: StoredMarketingSettings,
  {
    statusesIn,
    partsOf,
    workingPartsOf,
    effects,
    ...access
  }: StoreConfig<object, Built> & OrderStatuses,
): GlobalConfig => ({
  ...settingsGlobal(
    // The menu leads to the settings for ShipStation, where the store has any.
    { ...marketingSettingsPage, isInMenu: !access.options.products.shipping },
    {
      presets,
      parts: { statusesIn, workingPartsOf },
      settingsOf: async (payload) => (await workingPartsOf(payload))?.marketingSettings,
    },
    access,
  ),
  endpoints: [
    adminEndpoint(access, {
      method: 'post',
      path: '/test-connection',
      answer: async (req) =>
        Response.json(await testConnection(req, await partsOf(req.payload), effects)),
    }),
  ],
})

export type ConnectionReport =
  | { is: 'no-key' }
  | { is: 'key-unreadable' }
  | { is: 'no-variable'; name: string }
  | { is: 'refused'; reason: string }
  | { is: 'connected'; account: string; lacking: LackingFeature[] }

/** Short, because a person waits for the answer. */
const testMilliseconds = 15_000

const form = z.object({ privateApiKey: z.optional(z.string().check(z.maxLength(1000))) })

/** Tests the key in the form, even if it is not saved yet. Without one the stored key is tested. */
async function testConnection(
  req: PayloadRequest,
  { marketingSettings, klaviyo }: Built,
  { deadline }: Effects,
): Promise<ConnectionReport> {
  const { privateApiKey } = form.safeParse(await req.json?.().catch(() => undefined)).data ?? {}
  const typed = privateApiKey === secretMask ? undefined : privateApiKey
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
  const account = await klaviyo.checkAccount({ apiKey, signal: deadline(testMilliseconds) })
  if ('failed' in account) {
    const { error } = account.failed
    const reason = klaviyoErrorText(error, translatorOf(req))
    return { is: 'refused', reason: `${reason} (${error.code})` }
  }
  const { accountName, missingScopes } = account
  const lacking = featuresLacking((scope) => missingScopes.includes(scope), stored)
  return { is: 'connected', account: accountName, lacking }
}
