import type { CollectionOverride, EcommercePluginConfig } from '@payloadcms/plugin-ecommerce/types'
import type { CollectionConfig, Field } from 'payload'
import { replaceField } from '../../src/core/payload/field-search.js'

/** A collection of the extension with fields of the store's own, and other changes. */
export const withFields =
  (fields: readonly Field[], changes: Partial<CollectionConfig> = {}): CollectionOverride =>
  ({ defaultCollection }) => ({
    ...defaultCollection,
    ...changes,
    fields: [...defaultCollection.fields, ...fields],
  })

/** The fields of orders, with more in each line. */
export const withLineFields = (orderFields: readonly Field[], more: readonly Field[]): Field[] =>
  replaceField(orderFields, 'items', (items) =>
    items.type === 'array' ? { ...items, fields: [...items.fields, ...more] } : items,
  )

/** Those who are in the admin, and those who buy. */
export const staffAndShoppers: CollectionConfig[] = ['staff', 'shoppers'].map((slug) => ({
  slug,
  auth: true,
  fields: [],
}))

/** What the extension is told of them. */
export const sellingToShoppers = {
  access: {
    adminOnlyFieldAccess: ({ req }) => req.user?.collection === 'staff',
    adminOrPublishedStatus: () => true,
    isAdmin: ({ req }) => req.user?.collection === 'staff',
    isAuthenticated: ({ req }) => Boolean(req.user),
    isCustomer: ({ req }) => req.user?.collection === 'shoppers',
    isDocumentOwner: ({ req }) =>
      req.user?.collection === 'shoppers' && { customer: { equals: req.user.id } },
  },
  customers: { slug: 'shoppers' },
} satisfies EcommercePluginConfig

/** A store in which every account may do everything. */
export const openToUsers = {
  access: {
    adminOnlyFieldAccess: () => true,
    adminOrPublishedStatus: () => true,
    isAdmin: () => true,
    isDocumentOwner: () => true,
  },
  customers: { slug: 'users' },
} satisfies EcommercePluginConfig
