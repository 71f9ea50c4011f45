import { defineFeature, type StoreConfig } from '../feature.js'
import type { KlaviyoParts } from '../klaviyo/feature.js'
import { createKnownLists } from '../klaviyo/known-lists.js'
import type { OptionsOf } from '../options-schema.js'
import { createSettings } from '../payload/settings-table.js'
import { orderStatuses } from '../shipping/feature.js'
import type { Shop } from '../shop.js'
import { listEndpoint } from './list-endpoint.js'
import { marketingSettingsGlobal } from './marketing-settings-global.js'
import { marketingSettingsOptions } from './marketing-settings-options.js'
import { marketingSettingsPage } from './marketing-settings.js'

interface Options {
  marketing: OptionsOf<typeof marketingSettingsOptions>
}

export type MarketingSettingsParts = ReturnType<typeof build>

function build(shop: Shop<Options>, { platform }: KlaviyoParts) {
  const marketingSettings = createSettings(
    shop,
    marketingSettingsPage,
    shop.options.marketing.settings,
  )
  const settings = marketingSettings.get
  return {
    marketingSettings,
    knownLists: createKnownLists(shop, { platform, settings }),
  }
}

/** What a merchant sets for Klaviyo. */
export const marketingSettingsFeature = defineFeature({
  options: { marketing: marketingSettingsOptions },
  globals: (store: StoreConfig<Options, MarketingSettingsParts & KlaviyoParts>) => [
    marketingSettingsGlobal(store.options.marketing.settings, {
      ...store,
      ...orderStatuses(store.options),
    }),
  ],
  endpoints: (store: StoreConfig<object, MarketingSettingsParts>) => [listEndpoint(store)],
  build,
})
