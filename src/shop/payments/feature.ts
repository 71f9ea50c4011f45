import type { Config, Endpoint, UIField } from 'payload'
import { readDocumentId } from '../../core/database/document-id.js'
import { defineFeature, type StoreConfig } from '../../core/feature.js'
import { adminEndpoint } from '../../core/payload/admin-endpoint.js'
import { notAColumn } from '../../core/payload/either-version.js'
import { addFields } from '../../core/payload/field-search.js'
import { paymentMatters } from './matters.js'
import { withOwnClaims } from './own-claim.js'
import type { PaymentParts } from './parts.js'
import { finishOrderPath } from './payment-paths.js'
import { paymentOptions } from './payment-options.js'

type Store = StoreConfig<object, PaymentParts>

/** Whether every payment has its order, and what makes the order of one that has none. */
export const paymentsFeature = defineFeature({
  options: paymentOptions.shape,
  matters: paymentMatters,
  fields: ({ options: { collections } }: StoreConfig) => ({
    [collections.transactions]: (payments) => ({
      ...payments,
      fields: addFields(payments.fields, [finishField]),
    }),
  }),
  endpoints: (store: Store): Endpoint[] => [
    adminEndpoint(store, {
      method: 'post',
      path: `${finishOrderPath}/:id`,
      async answer({ payload, routeParams }) {
        const slug = store.options.collections.transactions
        const id = readDocumentId(payload, slug, String(routeParams?.id))
        if (id === undefined) return Response.json({ errors: [] }, { status: 404 })
        return Response.json(await (await store.partsOf(payload)).finishOrder(id))
      },
    }),
  ],
  config: (config: Config, { options: { enabled, collections } }: StoreConfig): Config => ({
    ...config,
    ...(enabled && { db: withOwnClaims(config.db, collections.transactions) }),
  }),
  parts: async () => (await import('./parts.js')).paymentParts,
})

const finishField: UIField = {
  name: 'storeconnectFinish',
  type: 'ui',
  admin: {
    position: 'sidebar',
    components: { Field: 'payload-storeconnect/client#FinishOrder' },
    ...notAColumn,
  },
}
