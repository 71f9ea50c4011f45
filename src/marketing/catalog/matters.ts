import { gone, matterRows, open, watchedSetting } from '../../core/matter.js'
import type { KlaviyoError } from '../klaviyo/call-answer.js'
import { klaviyoErrorText } from '../klaviyo/klaviyo-error-text.js'

/** What Klaviyo refuses of the catalog: how many entries, and the first one. */
export interface CatalogFacts {
  refused: { count: number; title: string; error: KlaviyoError } | undefined
}

const row = matterRows<CatalogFacts>()

export const catalogMatters = {
  catalogRefused: row({
    of: 'Klaviyo',
    adminPath: '/globals/marketing-settings',
    show: 'overviewMarketingSettings',
    text: 'alertCatalogRefused',
    advice: 'alertCatalogRefusedAdvice',
    over: 'alertCatalogRefusedOver',
    sayReason: klaviyoErrorText,
    settings: { catalogRefused: watchedSetting() },
    read({ facts: { refused } }) {
      if (refused === undefined) return gone
      const { count, title, error } = refused
      return open({ count, reason: { code: error.code, detail: `${title}: ${error.detail}` } })
    },
  }),
} as const
