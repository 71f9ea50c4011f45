import type { OptionsOf } from '../../core/options-schema.js'
import type { Shop } from '../../core/shop.js'
import { createPageTexts, type ReadPageTexts } from '../../core/translations/page-texts.js'
import type { siteOptions } from './site-options.js'
import { createSites, type Sites } from './sites.js'
import { defineParts } from '../../core/feature.js'
import { problemText, type Problem, type ProblemPageText } from '../../core/errors.js'
import { publicUrl, type Addressed } from '../../core/http/public-origin.js'

export type SiteParts = ReturnType<typeof build>

function build({ payload, options, effects }: Shop<OptionsOf<typeof siteOptions>>) {
  const sites = createSites(payload, options, effects.now)
  const texts = createPageTexts(payload)
  return { sites, texts, problemPage: createProblemPages({ sites, texts }) }
}

export const sitesParts = defineParts({ build })

/** Writes the page of an error in the shopper's language; undefined where only the English sentence is known. */
export const createProblemPages =
  ({ sites, texts }: { sites: Pick<Sites, 'at'>; texts: ReadPageTexts }) =>
  async ({ code, status }: Problem, request: Addressed): Promise<ProblemPageText | undefined> => {
    // The database may be what failed, so the page of a failure does not ask it for the site.
    const site = status < 500 ? await sites.at(publicUrl(request)) : undefined
    const own = await texts(site, request.headers)
    const text = own.problem(problemText(code))
    return text && { ...text, isOfBrowser: own.isOfBrowser, brand: '', link: undefined }
  }
