import type { BasePayload, PayloadRequest } from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'
import type { MapSite, Site, SiteDocument } from './site.js'
import { createCachedValue } from '../../core/database/cached-value.js'
import { visibleUrl, type VisibleRequest, parseUrl } from '../../core/http/public-origin.js'

/**
 * The site that a shopper was on: the site of the `Referer` if that is a page of the store, otherwise
 * the site of the request's URL, otherwise the primary site.
 */
export function shoppingSite(sites: readonly Site[], request: VisibleRequest): Site | undefined {
  const own = visibleUrl(request)
  const page = request.headers.get('referer')
  const isOurs = page !== null && isHttp(page) && (isOn(own, page) || fittingSite(sites, page))
  return currentSite(sites, isOurs ? page : own)
}

const isHttp = (text: string) => /^https?:$/.test(parseUrl(text)?.protocol ?? '')

const isOn = (own: string | undefined, page: string) =>
  own !== undefined && new URL(own).origin === new URL(page).origin

/**
 * The enabled site that a URL belongs to: its base URL has the same origin and the longest matching path.
 * Without a URL or a match, the primary site (`docs/interface.md` (Sites)).
 */
export const currentSite = (sites: readonly Site[], url: string | undefined): Site | undefined =>
  (url === undefined ? undefined : fittingSite(sites, url)) ?? sites.find(({ primary }) => primary)

/** Like `currentSite`, but undefined when no base URL matches. */
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

/** Origin and path of the base URL, no slash at the end of the path. Undefined when it is not a URL. */
function baseOf({ baseUrl }: Site): { origin: string; path: string } | undefined {
  const url = parseUrl(baseUrl)
  return url && { origin: url.origin, path: url.pathname.replace(/\/+$/, '') }
}

export type Sites = ReturnType<typeof createSites>

/** The sites, which each process caches. A caller inside a write passes its request, to read on its connection. */
export function createSites(
  payload: BasePayload,
  {
    collections,
    mapSite = siteOfDocument,
  }: { collections: { sites: string }; mapSite?: MapSite | undefined },
  now: () => Date,
) {
  const cached = createCachedValue(read, now)

  async function read(req?: PayloadRequest): Promise<Site[]> {
    const { docs } = await payload.find({
      collection: collections.sites,
      depth: 0,
      pagination: false,
      // When two sites match equally well, the older one always wins.
      sort: 'createdAt',
      ...(req && { req }),
    })
    return docs.flatMap((document) => mapSite(document) ?? [])
  }

  return {
    /** The enabled site that the URL belongs to, else the primary one, also without a URL; undefined when there is neither. */
    at: async (url: string | undefined, req?: PayloadRequest): Promise<Site | undefined> =>
      currentSite(await cached.get(req), url),
    /** The site that the shopper was on when they sent a request to Payload's own API. */
    ofRequest: async (request: VisibleRequest, req?: PayloadRequest): Promise<Site | undefined> =>
      shoppingSite(await cached.get(req), request),
    /** Whether any site, enabled or not, has a base URL with this path, such as `/de`. */
    hasPath: async (path: string): Promise<boolean> =>
      (await cached.get()).some((site) => baseOf(site)?.path === path),
    /** Whether an enabled site has this origin, such as `https://shop.example`. */
    hasOrigin: async (origin: string): Promise<boolean> =>
      (await cached.get()).some((site) => site.enabled && baseOf(site)?.origin === origin),
    /** The site of this id. Undefined when there is none, or when `mapSite` returns none for its document. */
    find: async (id: DocumentId | undefined, req?: PayloadRequest): Promise<Site | undefined> =>
      id === undefined ? undefined : (await cached.get(req)).find((site) => site.id === id),
    ofCommerceStore: async (store: string): Promise<Site[]> =>
      (await cached.get()).filter((site) => site.store === store),
    hasAny: async (): Promise<boolean> => (await cached.get()).length > 0,
    baseUrls: async (): Promise<string[]> =>
      (await cached.get()).filter(({ enabled }) => enabled).map(({ baseUrl }) => baseUrl),
    forget: (): void => cached.forget(),
  }
}

function siteOfDocument(document: SiteDocument): Site {
  const text = (name: string) => {
    const value = document[name]
    return typeof value === 'string' ? value.trim() : ''
  }
  return {
    id: document.id,
    handle: text('handle'),
    name: text('name'),
    baseUrl: text('baseUrl').replace(/\/+$/, ''),
    enabled: document.enabled !== false,
    primary: document.primary === true,
    store: text('store'),
    cartUrl: text('cartUrl'),
    language: text('language'),
  }
}
