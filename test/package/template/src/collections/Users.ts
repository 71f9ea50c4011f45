import type { CollectionConfig } from 'payload'
import { isAdmin, isAdminOrSelf, isEverybody } from '@/access'

/** Those who buy and those who work here. */
export const Users: CollectionConfig = {
  slug: 'users',
  auth: true,
  access: {
    admin: isAdmin,
    create: isEverybody,
    delete: isAdmin,
    read: isAdminOrSelf,
    update: isAdminOrSelf,
  },
  admin: { useAsTitle: 'name' },
  fields: [
    { name: 'name', type: 'text' },
    {
      name: 'roles',
      type: 'select',
      hasMany: true,
      options: ['admin', 'customer'],
      defaultValue: ['customer'],
      access: { create: isAdmin, read: isAdmin, update: isAdmin },
    },
    { name: 'orders', type: 'join', collection: 'orders', on: 'customer' },
    { name: 'cart', type: 'join', collection: 'carts', on: 'customer' },
    { name: 'addresses', type: 'join', collection: 'addresses', on: 'customer' },
  ],
}
