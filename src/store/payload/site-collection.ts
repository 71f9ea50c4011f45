import type { CollectionConfig } from 'payload'
import { adminsOnly, type IsAdmin } from './admin-access.js'
import { adminGroup, label, labels } from './label.js'

/** The sites that the installation serves (`decisions.md`, Cart restore). */
export const siteCollection = (slug: string, isAdmin: IsAdmin): CollectionConfig => ({
  slug,
  labels: labels('site', 'sites'),
  admin: {
    group: adminGroup,
    useAsTitle: 'name',
    defaultColumns: ['name', 'handle', 'baseUrl', 'store', 'enabled'],
  },
  access: {
    read: () => true,
    create: adminsOnly(isAdmin),
    update: adminsOnly(isAdmin),
    delete: adminsOnly(isAdmin),
  },
  fields: [
    { name: 'name', type: 'text', label: label('siteName'), required: true },
    { name: 'handle', type: 'text', label: label('siteHandle'), required: true, unique: true },
    {
      name: 'baseUrl',
      type: 'text',
      label: label('siteBaseUrl'),
      required: true,
      admin: { description: label('siteBaseUrlDescription') },
    },
    {
      name: 'store',
      type: 'text',
      label: label('siteStore'),
      admin: { description: label('siteStoreDescription') },
    },
    {
      name: 'cartUrl',
      type: 'text',
      label: label('siteCartUrl'),
      admin: { description: label('siteCartUrlDescription') },
    },
    {
      name: 'enabled',
      type: 'checkbox',
      label: label('siteEnabled'),
      defaultValue: true,
      admin: { position: 'sidebar' },
    },
    {
      name: 'primary',
      type: 'checkbox',
      label: label('sitePrimary'),
      defaultValue: false,
      admin: { position: 'sidebar', description: label('sitePrimaryDescription') },
    },
  ],
})
