import { accountProfilesFeature } from './accounts/feature.js'
import { catalogFeature } from './catalog/feature.js'
import { consentFeature } from './consent/feature.js'
import { couponsFeature } from './coupons/feature.js'
import { deliveryFeature } from './delivery/feature.js'
import { feedsFeature } from './feeds/feature.js'
import { formsFeature } from './forms/feature.js'
import { historyFeature } from './history/feature.js'
import { klaviyoFeature } from './klaviyo/feature.js'
import { metricsFeature } from './metrics/feature.js'
import { onsiteFeature } from './onsite/feature.js'
import { productFeedFeature } from './product-feed/feature.js'
import { reviewsFeature } from './reviews/feature.js'
import { marketingSettingsFeature } from './settings/feature.js'

/** What a shop with Klaviyo has, each above those that it stands on. It is loaded only there. */
export const marketingFeatures = [
  klaviyoFeature,
  accountProfilesFeature,
  marketingSettingsFeature,
  deliveryFeature,
  consentFeature,
  feedsFeature,
  productFeedFeature,
  catalogFeature,
  couponsFeature,
  reviewsFeature,
  historyFeature,
  formsFeature,
  onsiteFeature,
  metricsFeature,
] as const
