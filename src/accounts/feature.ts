import type { CartParts } from '../carts/feature.js'
import { defineFeature, type StoreConfig } from '../feature.js'
import type { HttpParts } from '../http/feature.js'
import { formAction } from '../http/form-action.js'
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

const build = (shop: Shop<{ marketing: OptionsOf<typeof accountOptions> }>) => ({
  visitorOf: createVisitors(shop),
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

  hooks(store: StoreConfig<object, Needed>) {
    const { customersSlug, isAdmin } = store
    return {
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
          return withSessions(noted, store)
        },
      }),
    }
  },

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

const verifiesEmails = ({ auth }: { auth?: boolean | { verify?: unknown } }): boolean =>
  typeof auth === 'object' && Boolean(auth.verify)
