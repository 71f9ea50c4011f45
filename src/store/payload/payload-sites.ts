import type { BasePayload, PayloadRequest } from 'payload'
import { baseOf, currentSite } from '../../commerce/current-site.js'
import type { DocumentId } from '../../commerce/order.js'
import type { Site } from '../../commerce/site.js'
import { shoppingSite, type ApiRequest } from '../../http/shopping-site.js'
import type { SiteDocument } from '../../options/options.js'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import type { Sites } from '../sites.js'

/** How long a process goes by the sites that it has read. */
const freshForMilliseconds = 3000

/**
 * What is asked in the midst of a write names its request, and is read on that one's connection: a
 * crowd of writes that each waited for a second one would empty the pool and wait for ever.
 */
export interface PayloadSites extends Sites {
  at(url: string, req?: PayloadRequest): Promise<Site | undefined>
  ofRequest(request: ApiRequest, req?: PayloadRequest): Promise<Site | undefined>
  find(id: DocumentId | undefined, req?: PayloadRequest): Promise<Site | undefined>
}

/** The documents of the sites' collection, or of what the store has in its place. */
export function createSites(
  payload: BasePayload,
  { collections, mapSite = siteOfDocument }: Pick<ResolvedOptions, 'collections' | 'mapSite'>,
  now: () => Date,
): PayloadSites {
  let reading: { sites: Promise<Site[]>; since: number } | undefined

  async function read(req?: PayloadRequest): Promise<Site[]> {
    const { docs } = await payload.find({
      collection: collections.sites,
      depth: 0,
      pagination: false,
      // The oldest first, so that of two that fit alike it is always the same.
      sort: 'createdAt',
      ...(req && { req }),
    })
    return docs.flatMap((document) => mapSite(document) ?? [])
  }

  function all(req?: PayloadRequest): Promise<Site[]> {
    if (reading !== undefined && now().getTime() - reading.since < freshForMilliseconds) {
      return reading.sites
    }
    const sites = read(req)
    reading = { sites, since: now().getTime() }
    // What could not be read is not kept; whoever asked learns why.
    sites.catch(() => {
      if (reading?.sites === sites) reading = undefined
    })
    return sites
  }

  return {
    at: async (url, req) => currentSite(await all(req), url),
    ofRequest: async (request, req) => shoppingSite(await all(req), request),
    hasPath: async (path) => (await all()).some((site) => baseOf(site)?.path === path),
    find: async (id, req) =>
      id === undefined ? undefined : (await all(req)).find((site) => site.id === id),
    ofStore: async (store) => (await all()).filter((site) => site.store === store),
    forget() {
      reading = undefined
    },
  }
}

/** A document of Storeconnect's own collection. */
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
