import { defineFeature, type StoreConfig } from '../../core/feature.js'
import { withHooks } from '../../core/payload/collection-hooks.js'
import { addFields } from '../../core/payload/field-search.js'
import { rememberVerifiedEmail, verifiedEmailFields } from './verified-email.js'
import { withSessions } from './with-sessions.js'
import type { Needed } from './parts.js'

/** Logins, sessions and the visitor of a request. */
export const accountsFeature = defineFeature({
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
          const beforeChange = [rememberVerifiedEmail(isAdmin)]
          return withSessions(
            verifiesEmails(customers) ? withHooks(customers, { beforeChange }) : customers,
            store,
          )
        },
      }),
    }
  },
  parts: async () => (await import('./parts.js')).accountsParts,
})

const verifiesEmails = ({ auth }: { auth?: boolean | { verify?: unknown } }): boolean =>
  typeof auth === 'object' && Boolean(auth.verify)
