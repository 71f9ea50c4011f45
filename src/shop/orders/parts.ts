import { createIsAdminAccount } from '../../core/payload/admin-access.js'
import type { OrderShop } from './order-options.js'
import { createOrderReader } from './order-reader.js'
import { defineParts } from '../../core/feature.js'

export type OrderParts = ReturnType<typeof build>

function build(shop: OrderShop) {
  return {
    reader: createOrderReader(shop),
    isAdminAccount: createIsAdminAccount(shop.payload, shop.isAdmin),
  }
}

export const ordersParts = defineParts({
  build,
})
