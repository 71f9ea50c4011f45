import type {
  Access,
  CollectionAfterChangeHook,
  CollectionAfterDeleteHook,
  CollectionConfig,
  PayloadRequest,
} from 'payload'
import { installedIn } from '../../installation.js'
import { adminsOnly, type IsAdmin } from './admin-access.js'
import { adminGroup, label, labels } from './label.js'
import { baseUrlField, cartUrlField, handleField, languageField } from './site-fields.js'

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
    read: enabledOrAdmin(isAdmin),
    create: adminsOnly(isAdmin),
    update: adminsOnly(isAdmin),
    delete: adminsOnly(isAdmin),
  },
  hooks: { afterChange: [leaveOnePrimary] },
  fields: [
    { name: 'name', type: 'text', label: label('siteName'), required: true },
    handleField(),
    baseUrlField(),
    {
      name: 'store',
      type: 'text',
      label: label('siteStore'),
      admin: { description: label('siteStoreDescription') },
    },
    cartUrlField(),
    languageField(),
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

/** A storefront needs no more than the sites that shoppers see. */
const enabledOrAdmin =
  (isAdmin: IsAdmin): Access =>
  async ({ req }) =>
    (await isAdmin({ req })) || { enabled: { not_equals: false } }

/** A process goes by the sites that it remembers; one that is changed here is to be seen at once. */
export const withSitesForgotten = (sites: CollectionConfig): CollectionConfig => ({
  ...sites,
  hooks: {
    ...sites.hooks,
    afterChange: [...(sites.hooks?.afterChange ?? []), forgetAfterChange],
    afterDelete: [...(sites.hooks?.afterDelete ?? []), forgetAfterDelete],
  },
})

const forgetSites = ({ payload }: PayloadRequest) => installedIn(payload)?.sites.forget()
const forgetAfterChange: CollectionAfterChangeHook = ({ req }) => forgetSites(req)
const forgetAfterDelete: CollectionAfterDeleteHook = ({ req }) => forgetSites(req)

/** A site that becomes the primary one takes the mark from the others. */
const leaveOnePrimary: CollectionAfterChangeHook = async ({ collection, doc, req }) => {
  const { id, primary } = doc as { id: number | string; primary?: boolean | null }
  if (!primary) return
  // Below the pipeline: nothing else of the others changes, whatever else is wrong with them.
  await req.payload.db.updateMany({
    collection: collection.slug,
    where: { and: [{ primary: { equals: true } }, { id: { not_equals: id } }] },
    data: { primary: false },
    req,
  })
}
