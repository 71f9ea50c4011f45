import type {
  Access,
  BasePayload,
  CollectionAfterChangeHook,
  CollectionConfig,
  FieldHook,
  PayloadRequest,
  TextFieldSingleValidation,
} from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'
import { readRedirectTarget } from '../../core/http/redirect-target.js'
import type { IsAdmin } from '../../core/payload/admin-access.js'
import { withHooks } from '../../core/payload/collection-hooks.js'
import { label, labels, type TranslationKey } from '../../core/payload/label.js'

/** The sites that the installation serves (`docs/interface.md` (Sites)). */
export const siteCollection = (slug: string, isAdmin: IsAdmin): CollectionConfig => ({
  slug,
  labels: labels('site', 'sites'),
  admin: {
    group: false,
    useAsTitle: 'name',
    defaultColumns: ['name', 'handle', 'baseUrl', 'store', 'enabled'],
  },
  access: {
    read: enabledOrAdmin(isAdmin),
    create: isAdmin,
    update: isAdmin,
    delete: isAdmin,
  },
  versions: false,
  hooks: { afterChange: [leaveOnePrimary] },
  fields: [
    { name: 'name', type: 'text', label: label('siteName'), required: true },
    {
      name: 'handle',
      type: 'text',
      label: label('siteHandle'),
      required: true,
      unique: true,
      hooks: { beforeValidate: [trimmed] },
      validate: validated((text) => /^[a-z\d-]+$/.test(text), 'siteHandleInvalid'),
    },
    {
      name: 'baseUrl',
      type: 'text',
      label: label('siteBaseUrl'),
      required: true,
      admin: { description: label('siteBaseUrlDescription') },
      hooks: { beforeValidate: [withoutEndSlash] },
      validate: validated(isBaseUrl, 'siteBaseUrlInvalid'),
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
      hooks: { beforeValidate: [trimmed] },
      validate: validated(isRedirectTarget, 'siteCartUrlInvalid'),
    },
    {
      name: 'language',
      type: 'text',
      label: label('siteLanguage'),
      admin: { description: label('siteLanguageDescription') },
      hooks: { beforeValidate: [trimmed] },
      validate: validated(isLanguage, 'siteLanguageInvalid'),
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

/** Visitors read enabled sites only, which is all that a storefront needs. */
const enabledOrAdmin =
  (isAdmin: IsAdmin): Access =>
  async ({ req }) =>
    (await isAdmin({ req })) || { enabled: { not_equals: false } }

const validated =
  (isValid: (text: string) => boolean, problem: TranslationKey): TextFieldSingleValidation =>
  (value, { req, required }) => {
    if (!value) return !required || req.t('validation:required')
    return isValid(value.trim()) || label(problem)(req)
  }

const trimmed: FieldHook = ({ value }: { value?: unknown }) =>
  typeof value === 'string' ? value.trim() : value

const withoutEndSlash: FieldHook = ({ value }: { value?: unknown }) =>
  typeof value === 'string' ? value.trim().replace(/\/+$/, '') : value

const isRedirectTarget = (text: string) => readRedirectTarget(text) !== undefined

/** Whether a text is an absolute http(s) URL without a query, fragment or login. */
const isBaseUrl = (text: string) => /^https?:\/\/[^?#]+$/i.test(text) && isRedirectTarget(text)

/** Whether a text is a BCP 47 tag, as in HTML's `lang`. */
function isLanguage(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Adds hooks that clear the cached sites, so that this process sees a change at once. */
export function withSitesForgotten(
  sites: CollectionConfig,
  forget: (payload: BasePayload) => Promise<void>,
): CollectionConfig {
  const forgetSites = async ({ req }: { req: PayloadRequest }) => forget(req.payload)
  return withHooks(sites, { afterChange: [forgetSites], afterDelete: [forgetSites] })
}

/** When a site becomes primary, the others stop being primary. */
const leaveOnePrimary: CollectionAfterChangeHook = async ({ collection, doc, req }) => {
  const { id, primary } = doc as { id: DocumentId; primary?: boolean | null }
  if (!primary) return
  // Without hooks and validation, so that an invalid field of another site cannot block this.
  await req.payload.db.updateMany({
    collection: collection.slug,
    where: { and: [{ primary: { equals: true } }, { id: { not_equals: id } }] },
    data: { primary: false },
    req,
  })
}
