import { problemText, type Problem, type ProblemPageText } from '../../core/errors.js'
import { publicUrl, type Addressed } from '../../core/http/public-origin.js'
import type { ReadPageTexts } from '../../core/translations/page-texts.js'
import type { Sites } from './sites.js'

/**
 * Makes the function that writes the page of an error in the language of the shopper; undefined where
 * only the English sentence is known.
 */
export const createProblemPages =
  ({ sites, texts }: { sites: Pick<Sites, 'at'>; texts: ReadPageTexts }) =>
  async ({ code, status }: Problem, request: Addressed): Promise<ProblemPageText | undefined> => {
    // The database may be what failed, so the page of a failure does not ask it for the site.
    const site = status < 500 ? await sites.at(publicUrl(request)) : undefined
    const own = await texts(site, request.headers)
    const text = own.problem(problemText(code))
    return text && { ...text, isOfBrowser: own.isOfBrowser, brand: '', link: undefined }
  }
