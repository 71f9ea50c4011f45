import { ecommercePlugin } from '@payloadcms/plugin-ecommerce'
import { formBuilderPlugin } from '@payloadcms/plugin-form-builder'
import type { Plugin } from 'payload'
import { isAdmin, isAdminOrPublished, isCustomer, isDocumentOwner } from '@/access'
import { ProductsCollection } from '@/collections/Products'

export const plugins: Plugin[] = [
  formBuilderPlugin({ fields: { payment: false } }),
  ecommercePlugin({
    access: {
      adminOnlyFieldAccess: isAdmin,
      adminOrPublishedStatus: isAdminOrPublished,
      customerOnlyFieldAccess: isCustomer,
      isAdmin,
      isDocumentOwner,
    },
    customers: { slug: 'users' },
    orders: {
      ordersCollectionOverride: ({ defaultCollection }) => ({
        ...defaultCollection,
        fields: [
          ...defaultCollection.fields,
          {
            name: 'accessToken',
            type: 'text',
            unique: true,
            hooks: { beforeValidate: [({ value }) => (value as string) || crypto.randomUUID()] },
          },
        ],
      }),
    },
    products: { productsCollectionOverride: ProductsCollection },
  }),
]
