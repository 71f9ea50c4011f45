import { gone, open, matterRows } from '../core/matter.js'

/** Whether links can say where the shop is: it has sites, or a URL of its own. */
const row = matterRows<{ isSomewhere: boolean }>()

/** What a new shop does once, whatever it is connected with. */
export const shopMatters = {
  sitesMissing: row({
    of: 'shop',
    step: 'stepSites',
    read: ({ facts: { isSomewhere } }) => (isSomewhere ? gone : open({})),
  }),
  proxyMissing: row({
    of: 'shop',
    step: 'stepProxy',
    // Only pages of the shop run through the proxy, so nothing here can tell.
    read: () => 'unknown',
  }),
} as const
