import { defineFeature, type StoreConfig } from '../../core/feature.js'
import type { KlaviyoParts } from '../klaviyo/parts.js'
import { orderStatuses } from '../../shop/orders/order-choices.js'
import { listEndpoint } from './list-endpoint.js'
import { marketingSettingsGlobal } from './marketing-settings-global.js'
import { marketingSettingsOptions } from './marketing-settings-options.js'
import type { Options, MarketingSettingsParts } from './parts.js'

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
  parts: async () => (await import('./parts.js')).marketingSettingsParts,
})
