import { defineFeature, type StoreConfig } from '../../core/feature.js'
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
  parts: async () => (await import('./parts.js')).accountsParts,
})

const verifiesEmails = ({ auth }: { auth?: boolean | { verify?: unknown } }): boolean =>
  typeof auth === 'object' && Boolean(auth.verify)
