import type { BasePayload, PayloadRequest } from 'payload'
import { baseOf, currentSite } from '../../commerce/current-site.js'
import type { DocumentId } from '../../commerce/order.js'
import type { Site } from '../../commerce/site.js'
import { shoppingSite, type ApiRequest } from '../../http/shopping-site.js'
import type { SiteDocument } from '../../options/options.js'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import type { Sites } from '../sites.js'
import { createKeptReading } from './kept-reading.js'

/** What is asked in the midst of a write names its request, and is read on that one's connection. */
export interface PayloadSites extends Sites {
  at(url: string, req?: PayloadRequest): Promise<Site | undefined>
  ofRequest(request: ApiRequest, req?: PayloadRequest): Promise<Site | undefined>
  find(id: DocumentId | undefined, req?: PayloadRequest): Promise<Site | undefined>
  /** Of the enabled ones. */
  baseUrls(): Promise<string[]>
}

/** The documents of the sites' collection, or of what the store has in its place. */
export function createSites(
  payload: BasePayload,
  { collections, mapSite = siteOfDocument }: Pick<ResolvedOptions, 'collections' | 'mapSite'>,
  now: () => Date,
): PayloadSites {
  const kept = createKeptReading(read, now)
  const all = (req?: PayloadRequest) => kept.get(req)

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

  return {
    at: async (url, req) => currentSite(await all(req), url),
    ofRequest: async (request, req) => shoppingSite(await all(req), request),
    hasPath: async (path) => (await all()).some((site) => baseOf(site)?.path === path),
    hasOrigin: async (origin) =>
      (await all()).some((site) => site.enabled && baseOf(site)?.origin === origin),
    find: async (id, req) =>
      id === undefined ? undefined : (await all(req)).find((site) => site.id === id),
    ofStore: async (store) => (await all()).filter((site) => site.store === store),
    baseUrls: async () =>
      (await all()).filter(({ enabled }) => enabled).map(({ baseUrl }) => baseUrl),
    forget: () => kept.forget(),
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
