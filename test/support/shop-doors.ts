import type { BasePayload } from 'payload'
import { createUpdateCart } from '../../src/actions/cart/update-cart-action.js'
import { formAction } from '../../src/actions/form-action.js'
import { createFrontDoor, type Handle } from '../../src/actions/front-door.js'
import { createLogin } from '../../src/actions/users/login-action.js'
import { createLogout } from '../../src/actions/users/logout-action.js'
import { createCsrfTokens } from '../../src/http/csrf.js'
import { createLoginThrottle } from '../../src/http/login-throttle.js'
import { createOwnOrigins } from '../../src/http/same-site.js'
import { createSessions } from '../../src/http/session.js'
import { createSignedRedirects } from '../../src/http/signed-redirect.js'
import { resolveOptions } from '../../src/options/resolve-options.js'
import { cartSchemaOf } from '../../src/store/payload/cart-documents.js'
import { sqlDatabase } from '../../src/store/payload/database.js'
import { createCarts } from '../../src/store/payload/payload-carts.js'
import { createCatalogue } from '../../src/store/payload/payload-catalogue.js'
import { createUsers } from '../../src/store/payload/payload-users.js'
import { createVisitors } from '../../src/store/payload/visitors.js'

/** The doors to accounts and carts. */
export function shopDoors(payload: BasePayload): Handle {
  const options = resolveOptions({})
  const { secret, serverURL } = payload.config
  const form = {
    csrf: createCsrfTokens({ secret }),
    redirects: createSignedRedirects({ secret }),
    isOwnOrigin: createOwnOrigins([serverURL]),
  }
  const schema = cartSchemaOf(payload, options)
  const database = sqlDatabase(payload)
  const now = () => new Date()
  const customersSlug = 'users'
  const carts = createCarts({ payload, database, options, schema, customersSlug, now })
  const catalogue = createCatalogue(payload, schema)
  const users = createUsers(payload, { customersSlug })
  const throttle = createLoginThrottle()
  return createFrontDoor({
    actions: {
      'commerce/cart/update-cart': formAction(form, createUpdateCart({ carts, catalogue })),
      'users/login': formAction(form, createLogin({ users, carts, throttle })),
      'users/logout': formAction(form, createLogout({ users })),
    },
    log: payload.logger,
    sessions: createSessions({ secret }),
    visitorOf: createVisitors(payload),
  })
}
