import type { CartParts } from '../carts/feature.js'
import { defineFeature, type StoreConfig } from '../feature.js'
import type { HttpParts } from '../http/feature.js'
import { formAction } from '../http/form-action.js'
import { createLoginThrottle } from '../http/login-throttle.js'
import type { OptionsOf } from '../options-schema.js'
import type { OrderParts } from '../orders/feature.js'
import { addFields } from '../payload/field-search.js'
import type { Shop } from '../shop.js'
import type { SiteParts } from '../sites/feature.js'
import { accountOptions } from './account-options.js'
import { createLogin } from './login-action.js'
import { createLogout } from './logout-action.js'
import { createSessionInfo } from './session-info-action.js'
import { createUsers } from './users.js'
import { rememberVerifiedEmail, verifiedEmailFields } from './verified-email.js'
import { createVisitors } from './visitors.js'
import { withSessions } from './with-sessions.js'

type Needed = HttpParts & SiteParts & OrderParts & CartParts

const build = ({ payload, options }: Shop<{ marketing: OptionsOf<typeof accountOptions> }>) => ({
  visitorOf: createVisitors(payload, options.marketing),
})

/** Logins, sessions and the visitor of a request. */
export const accountsFeature = defineFeature({
  options: { marketing: accountOptions },

  fields: ({ customersSlug }: StoreConfig) => ({
    ...(customersSlug && {
      [customersSlug]: (customers) =>
        verifiesEmails(customers)
          ? { ...customers, fields: addFields(customers.fields, verifiedEmailFields()) }
          : customers,
    }),
  }),

  hooks: ({ options, customersSlug, isAdmin, partsOf }: StoreConfig<object, Needed>) => ({
    ...(customersSlug && {
      [customersSlug]: (customers) => {
        if (!customers.auth) return customers
        const noted = verifiesEmails(customers)
          ? {
              ...customers,
              hooks: {
                ...customers.hooks,
                beforeChange: [
                  ...(customers.hooks?.beforeChange ?? []),
                  rememberVerifiedEmail(isAdmin),
                ],
              },
            }
          : customers
        return withSessions(noted, { cartsSlug: options.collections.carts, partsOf })
      },
    }),
  }),

  build,

  actions: (_shop: Shop, { forms: { csrf, redirects }, carts, sites, isAdminAccount }: Needed) => ({
    'users/session-info': createSessionInfo({
      csrf,
      redirects,
      shop: carts && { carts, sites },
      isAdminAccount,
    }),
  }),

  forwardable(shop: Shop, { forms, counts, carts, sites, texts }: Needed) {
    const { payload, log, customersSlug, effects } = shop
    if (customersSlug === undefined || !payload.collections[customersSlug]?.config.auth) return {}
    const users = createUsers(shop, customersSlug)
    const throttle = createLoginThrottle('customers', { counts, log, now: effects.now })
    return {
      'users/login': formAction(forms, createLogin({ users, carts, sites, throttle, texts })),
      'users/logout': formAction(forms, createLogout({ users, sites, texts })),
    }
  },
})

const verifiesEmails = ({ auth }: { auth?: boolean | { verify?: unknown } }): boolean =>
  typeof auth === 'object' && Boolean(auth.verify)
