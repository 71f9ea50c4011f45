import { defineParts } from '../../core/feature.js'
import type { Products } from '../../core/shop.js'
import type { OrderShop } from '../../shop/orders/order-options.js'
import { loadOverview, type Read } from './overview.js'

export async function loadOverviewParts(products: Products) {
  const createOverview = await loadOverview(products)
  return defineParts({
    build: (shop: OrderShop, read: Read) => ({ overview: createOverview(shop, read) }),
  })
}
