import type { CartParts } from '../parts.js'
import type { HttpParts } from '../../core/http/parts.js'
import { formAction } from '../../core/http/form-action.js'
import type { OrderParts } from '../../shop/orders/parts.js'
import type { Shop } from '../../core/shop.js'
import type { SiteParts } from '../../shop/sites/parts.js'
import { createLogin, createLogout } from './login-action.js'
import { createSessionInfo } from './session-info-action.js'
import { createUsers } from './users.js'
import { createVisitors } from './visitors.js'
import { defineParts } from '../../core/feature.js'

export type Needed = HttpParts & SiteParts & OrderParts & CartParts

const build = (shop: Shop) => ({
  visitorOf: createVisitors(shop),
})

export const accountsParts = defineParts({
  build,
  actions: (_shop: Shop, parts: Needed) => ({ 'users/session-info': createSessionInfo(parts) }),
  forwardable(shop: Shop, parts: Needed) {
    const { payload, customersSlug } = shop
    if (customersSlug === undefined || !payload.collections[customersSlug]?.config.auth) return {}
    const users = createUsers(shop, customersSlug)
    return {
      'users/login': formAction(parts.forms, createLogin(shop, parts, users)),
      'users/logout': formAction(parts.forms, createLogout(parts, users)),
    }
  },
})
