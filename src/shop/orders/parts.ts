import { createIsAdminAccount } from '../../core/payload/admin-access.js'
import { featureMatters } from '../../core/matter.js'
import type { Shop } from '../../core/shop.js'
import { shopMatters } from '../matters.js'
import { homeUrl } from '../sites/home-url.js'
import type { SiteParts } from '../sites/parts.js'
import type { OrderShop } from './order-options.js'
import { createOrderReader } from './order-reader.js'
import { defineParts } from '../../core/feature.js'

export type OrderParts = ReturnType<typeof build>

const build = (shop: OrderShop) => ({
  reader: createOrderReader(shop),
  isAdminAccount: createIsAdminAccount(shop.payload, shop.isAdmin),
})

export const ordersParts = defineParts({
  build,
  matters(shop: Shop, { sites }: SiteParts) {
    const adminPath = `/collections/${shop.options.collections.sites}` as const
    const rows = { ...shopMatters, sitesMissing: { ...shopMatters.sitesMissing, adminPath } }
    return featureMatters(rows, async () => ({
      isSomewhere: homeUrl(shop.payload) !== '' || (await sites.baseUrls()).length > 0,
    }))
  },
})
