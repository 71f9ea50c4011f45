import type { Shop } from '../core/shop.js'
import type { SiteParts } from './sites/parts.js'

export type ShopFacts = Awaited<ReturnType<ReturnType<typeof createShopFacts>>>

/** Reads what shows whether the shop itself is set up. */
export const createShopFacts =
  (_shop: Shop, { sites }: Pick<SiteParts, 'sites'>) =>
  async () => ({
    hasSites: (await sites.baseUrls()).length > 0,
  })
