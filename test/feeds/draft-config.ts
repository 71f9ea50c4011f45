import { ecommercePlugin } from '@payloadcms/plugin-ecommerce'
import { buildConfig, type SanitizedConfig } from 'payload'
import { storeConnect } from '../../src/plugin.js'
import { bareConfig, type DatabaseKind } from '../support/bare-config.js'

/** A store whose staff write orders as drafts first. */
export function draftConfig(
  kind: DatabaseKind,
  url: string,
  push = false,
): Promise<SanitizedConfig> {
  return buildConfig({
    ...bareConfig({ kind, url, push }),
    collections: [
      { slug: 'staff', auth: true, fields: [] },
      { slug: 'shoppers', auth: true, fields: [] },
    ],
    plugins: [
      ecommercePlugin({
        access: {
          adminOnlyFieldAccess: ({ req }) => Boolean(req.user),
          adminOrPublishedStatus: () => true,
          isAdmin: ({ req }) => Boolean(req.user),
          isAuthenticated: ({ req }) => Boolean(req.user),
          isCustomer: () => false,
          isDocumentOwner: () => false,
        },
        customers: { slug: 'shoppers' },
        addresses: {
          addressesCollectionOverride: ({ defaultCollection }) => ({
            ...defaultCollection,
            versions: true,
          }),
        },
        products: { variants: false },
        orders: {
          ordersCollectionOverride: ({ defaultCollection }) => ({
            ...defaultCollection,
            // On PostgreSQL the type of its values would have the name of that of Payload's `_status`.
            fields: defaultCollection.fields.map((field) =>
              field.type === 'select' && field.name === 'status'
                ? { ...field, enumName: 'order_states' }
                : field,
            ),
            versions: { drafts: true },
          }),
        },
      }),
      storeConnect({ marketing: { delivery: 'task' } }),
    ],
  })
}
