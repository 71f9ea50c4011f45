import type { Site } from './site.js'

/**
 * The enabled site whose base URL fits the URL best: same origin, and the longest path that the URL's
 * path is or is below; else, or where no URL is known, the primary one (`decisions.md`, Cart restore).
 */
export const currentSite = (sites: readonly Site[], url: string | undefined): Site | undefined =>
  (url === undefined ? undefined : fittingSite(sites, url)) ?? sites.find(({ primary }) => primary)

/** As the current site, but undefined where none fits. */
export function fittingSite(sites: readonly Site[], url: string): Site | undefined {
  const { origin, pathname } = new URL(url)
  const fitting = sites.flatMap((site) => {
    const base = site.enabled ? baseOf(site) : undefined
    const fits = base?.origin === origin && `${pathname}/`.startsWith(`${base.path}/`)
    return fits ? [{ site, length: base.path.length }] : []
  })
  const [best] = fitting.sort((one, other) => other.length - one.length)
  return best?.site
}

/** Where a site is; undefined when its base URL is none. The path has no slash at its end. */
export function baseOf({
  baseUrl,
}: Pick<Site, 'baseUrl'>): { origin: string; path: string } | undefined {
  if (!URL.canParse(baseUrl)) return undefined
  const { origin, pathname } = new URL(baseUrl)
  return { origin, path: pathname.replace(/\/+$/, '') }
}
