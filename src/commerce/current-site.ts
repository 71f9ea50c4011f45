import type { Site } from './site.js'

/**
 * The enabled site whose base URL fits the URL best: same origin, and the longest path that the URL's
 * path is or is below; else the primary one (`decisions.md`, Cart restore).
 */
export function currentSite(sites: readonly Site[], url: string): Site | undefined {
  const { origin, pathname } = new URL(url)
  const fitting = sites.flatMap((site) => {
    const base = site.enabled ? baseOf(site) : undefined
    const fits = base?.origin === origin && `${pathname}/`.startsWith(`${base.path}/`)
    return fits ? [{ site, length: base.path.length }] : []
  })
  const [best] = fitting.sort((one, other) => other.length - one.length)
  return best?.site ?? sites.find(({ primary }) => primary)
}

function baseOf({ baseUrl }: Site): { origin: string; path: string } | undefined {
  if (!URL.canParse(baseUrl)) return undefined
  const { origin, pathname } = new URL(baseUrl)
  return { origin, path: pathname.replace(/\/+$/, '') }
}
