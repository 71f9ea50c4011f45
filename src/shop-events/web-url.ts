import type { Site } from '../commerce/site.js'

/** The longest URL that is told. */
const urlLength = 2000

/**
 * An absolute http(s) URL; a path is below the site's base URL. Blank for anything else: a mail could
 * not link to it.
 */
export function webUrl(text: string, site: Pick<Site, 'baseUrl'> | undefined): string {
  return isPath(text) && site !== undefined
    ? webAddress(site.baseUrl.replace(/\/+$/, '') + text)
    : webAddress(text)
}

/** The same for a picture: uploads have one path, whichever site shows them. */
export function pictureUrl(text: string, site: Pick<Site, 'baseUrl'> | undefined): string {
  const isOnSite = isPath(text) && site !== undefined && URL.canParse(site.baseUrl)
  return webAddress(isOnSite ? new URL(text, site.baseUrl).href : text)
}

const isPath = (text: string) => /^\/(?![/\\])/.test(text)

function webAddress(whole: string): string {
  if (!URL.canParse(whole)) return ''
  const { protocol, href } = new URL(whole)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && href.length <= urlLength ? href : ''
}
