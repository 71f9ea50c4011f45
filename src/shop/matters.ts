import { gone, holding, matterRows } from '../core/matter.js'

const row = matterRows<{ hasSites: boolean }>()

/** What a new shop does once, whatever it is connected with. */
export const shopMatters = {
  sitesMissing: row({
    of: 'shop',
    step: 'stepSites',
    read: ({ facts: { hasSites } }) => (hasSites ? gone : holding({})),
  }),
  proxyMissing: row({
    of: 'shop',
    step: 'stepProxy',
    // Only pages of the shop run through the proxy, so nothing here can tell.
    read: () => 'unknown',
  }),
} as const
