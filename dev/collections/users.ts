import type { CollectionConfig } from 'payload'
import { anyone, hasRole, isAdmin, isAdminField, isAdminOrSelf } from './access.ts'

/** Shop staff and shoppers with an account. */
export const Users: CollectionConfig = {
  slug: 'users',
  auth: true,
  access: {
    admin: ({ req }) => hasRole(req.user, 'admin'),
    create: anyone,
    delete: isAdmin,
    read: isAdminOrSelf,
    unlock: isAdmin,
    update: isAdminOrSelf,
  },
  admin: { useAsTitle: 'email', defaultColumns: ['email', 'firstName', 'lastName', 'roles'] },
  fields: [
    {
      type: 'row',
      fields: [
        { name: 'firstName', type: 'text' },
        { name: 'lastName', type: 'text' },
      ],
    },
    { name: 'phone', type: 'text' },
    {
      name: 'roles',
      type: 'select',
      access: { create: isAdminField, update: isAdminField },
      defaultValue: ['customer'],
      hasMany: true,
      options: [
        { label: 'Admin', value: 'admin' },
        { label: 'Customer', value: 'customer' },
      ],
      saveToJWT: true,
    },
    {
      name: 'cart',
      type: 'join',
      collection: 'carts',
      on: 'customer',
      // The extension takes the first for the customer's cart, and a bought one is none.
      defaultSort: '-updatedAt',
      where: { purchasedAt: { exists: false } },
    },
    { name: 'orders', type: 'join', collection: 'orders', on: 'customer' },
  ],
}
