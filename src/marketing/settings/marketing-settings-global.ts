import type { GlobalConfig, PayloadRequest } from 'payload'
import * as z from 'zod/mini'
import type { CachedValue } from '../../core/database/cached-value.js'
import type { StoreConfig } from '../../core/feature.js'
import { adminEndpoint } from '../../core/payload/admin-endpoint.js'
import { translatorOf } from '../../core/payload/label.js'
import { secretMask } from '../../core/payload/secret-mask.js'
import { settingsGlobal } from '../../core/payload/settings-table.js'
import type { TestConnection } from './connection-test.js'
import type { ListCheck } from './list-setting.js'
import {
  marketingSettingsPage,
  type MarketingSettings,
  type StoredMarketingSettings,
} from './marketing-settings.js'
import type { OrderStatuses } from '../../shop/orders/order-choices.js'

interface Built extends ListCheck {
  marketingSettings: CachedValue<MarketingSettings>
  testConnection: TestConnection
}

export const marketingSettingsGlobal = (
  presets: StoredMarketingSettings,
  { statusesIn, partsOf, workingPartsOf, ...access }: StoreConfig<object, Built> & OrderStatuses,
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
      async answer(req) {
        const { testConnection } = await partsOf(req.payload)
        return Response.json(await testConnection(translatorOf(req), await typedIn(req)))
      },
    }),
  ],
})

const form = z.object({ privateApiKey: z.optional(z.string().check(z.maxLength(1000))) })

/** The key in the form, which may not be saved yet; undefined: the stored one. */
async function typedIn(req: PayloadRequest): Promise<string | undefined> {
  const { privateApiKey } = form.safeParse(await req.json?.().catch(() => undefined)).data ?? {}
  return privateApiKey === secretMask ? undefined : privateApiKey
}
