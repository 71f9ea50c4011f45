import type { Site } from '../../commerce/site.js'
import { Problem } from '../../errors.js'
import { siteUrl } from '../../http/site-url.js'
import type { PageTexts, ReadPageTexts, RestoreRefusal } from '../../store/page-texts.js'

/** The same refusal with a page for a person, in the words of the site that they are on. */
export function withPage(
  refusal: Problem,
  { site, texts: textsIn }: { site: Site | undefined; texts: ReadPageTexts },
): Problem {
  const { code } = refusal
  const texts = textsIn(site?.language ?? '')
  if (!isRefusal(code, texts)) return refusal
  const url = site && siteUrl(site.baseUrl, '/')
  const page = {
    language: texts.language,
    message: texts.refusals[code],
    brand: site?.name ?? '',
    link: url === undefined ? undefined : { text: texts.toShop, url },
  }
  return new Problem(code, { page, cause: refusal })
}

const isRefusal = (code: string, { refusals }: PageTexts): code is RestoreRefusal =>
  Object.hasOwn(refusals, code)
