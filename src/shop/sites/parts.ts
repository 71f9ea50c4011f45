import type { OptionsOf } from '../../core/options-schema.js'
import type { Shop } from '../../core/shop.js'
import { createPageTexts } from '../../core/translations/page-texts.js'
import { createProblemPages } from './problem-pages.js'
import type { siteOptions } from './site-options.js'
import { createSites } from './sites.js'
import { defineParts } from '../../core/feature.js'

export type SiteParts = ReturnType<typeof build>

function build({ payload, options, effects }: Shop<OptionsOf<typeof siteOptions>>) {
  const sites = createSites(payload, options, effects.now)
  const texts = createPageTexts(payload)
  return { sites, texts, problemPage: createProblemPages({ sites, texts }) }
}

export const sitesParts = defineParts({
  build,
})
