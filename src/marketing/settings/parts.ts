import type { KlaviyoParts } from '../klaviyo/parts.js'
import { createKlaviyoLists } from '../klaviyo/klaviyo-lists.js'
import type { OptionsOf } from '../../core/options-schema.js'
import { createSettings } from '../../core/payload/settings-table.js'
import type { Shop } from '../../core/shop.js'
import { withTrial } from '../../core/trial.js'
import type { marketingSettingsOptions } from './marketing-settings-options.js'
import { createConnectionTest } from './connection-test.js'
import { marketingSettingsPage } from './marketing-settings.js'
import { defineParts } from '../../core/feature.js'

export interface Options {
  /** Of coupons, a test of the key has to know only whether there are any. */
  marketing: OptionsOf<typeof marketingSettingsOptions> & { coupons?: unknown }
}

/** Events of Klaviyo's that a store may give to a status of its own that ends an order. */
const endingEvents: ReadonlySet<string> = new Set([
  'Cancelled Order',
  'Canceled Order',
  'Refunded Order',
])

export type MarketingSettingsParts = ReturnType<typeof build>

function build(shop: Shop<Options>, { klaviyo, trialUrls }: KlaviyoParts) {
  const marketingSettings = withTrial(
    createSettings(shop, marketingSettingsPage, shop.options.marketing.settings),
    shop,
    {
      // A key that cannot be read is a key: the shop has an account.
      isMissing: ({ privateApiKey, keyProblem }) =>
        privateApiKey === '' && keyProblem !== 'unreadable',
      lend(settings, { klaviyo: lent }) {
        if (lent === undefined) return settings
        trialUrls.set(lent.apiKey, `http://127.0.0.1:${lent.port}`)
        return { ...settings, privateApiKey: lent.apiKey, keyProblem: undefined }
      },
    },
  )
  const settings = marketingSettings.get
  return {
    /** The statuses whose event says that an order was cancelled or refunded. */
    ownEndingStatuses: async () =>
      (await settings()).statusEvents
        .filter(({ event }) => endingEvents.has(event))
        .map(({ status }) => status),
    marketingSettings,
    klaviyoLists: createKlaviyoLists(shop, { klaviyo, settings }),
    testConnection: createConnectionTest(shop, { klaviyo, marketingSettings }),
  }
}

export const marketingSettingsParts = defineParts({
  build,
})
