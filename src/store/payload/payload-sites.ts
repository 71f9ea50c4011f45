import type { BasePayload } from 'payload'
import { currentSite } from '../../commerce/current-site.js'
import type { Site } from '../../commerce/site.js'
import type { SiteDocument } from '../../options/options.js'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import type { Sites } from '../sites.js'

/** How long a process goes by the sites that it has read. */
const freshForMilliseconds = 3000

/** The documents of the sites' collection, or of what the store has in its place. */
export function createSites(
  payload: BasePayload,
  { collections, mapSite = siteOfDocument }: Pick<ResolvedOptions, 'collections' | 'mapSite'>,
  now: () => Date,
): Sites {
  let reading: { sites: Promise<Site[]>; since: number } | undefined

  async function read(): Promise<Site[]> {
    const { docs } = await payload.find({
      collection: collections.sites,
      depth: 0,
      pagination: false,
      // The oldest first, so that of two that fit alike it is always the same.
      sort: 'createdAt',
    })
    return docs.flatMap((document) => mapSite(document) ?? [])
  }

  function all(): Promise<Site[]> {
    if (reading !== undefined && now().getTime() - reading.since < freshForMilliseconds) {
      return reading.sites
    }
    const sites = read()
    reading = { sites, since: now().getTime() }
    // What could not be read is not kept; whoever asked learns why.
    sites.catch(() => (reading = undefined))
    return sites
  }

  return {
    at: async (url) => currentSite(await all(), url),
    find: async (id) =>
      id === undefined ? undefined : (await all()).find((site) => site.id === id),
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
