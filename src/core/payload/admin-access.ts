import {
  createLocalReq,
  type BasePayload,
  type CollectionConfig,
  type Config,
  type PayloadRequest,
} from 'payload'
import type { DocumentId } from '../database/document-id.js'
import { findField } from './field-search.js'

/** Whether the user of a request is an admin. It is an access rule of collections and fields, too. */
export type IsAdmin = (args: { req: PayloadRequest }) => boolean | Promise<boolean>

/**
 * The default of the option `isAdmin`: all users of the collection that logs in to the admin or, where
 * that collection has a `roles` or `role` field, its users with the role `admin`.
 *
 * @throws {TypeError} when customers are in that collection too and it has no such field.
 */
export function defaultIsAdmin(config: Config, customersSlug: string | undefined): IsAdmin {
  const adminSlug = config.admin?.user ?? firstAuthCollection(config)?.slug
  const users = config.collections?.find(({ slug }) => slug === adminSlug)
  const role = ['roles', 'role'].find((name) => users && findField(users.fields, name))
  if (role === undefined && adminSlug === customersSlug) {
    throw new TypeError(
      `storeConnect(): customers and admins are both in "${adminSlug}", and it has no "roles" field. ` +
        'Pass the option isAdmin, so that customers cannot change the settings.',
    )
  }
  return ({ req: { user } }) => {
    if (!user || user.collection !== adminSlug) return false
    return role === undefined || [(user as Record<string, unknown>)[role]].flat().includes('admin')
  }
}

/** Whether an account is that of an admin. */
export type IsAdminAccount = (account: { id: DocumentId; collection: string }) => Promise<boolean>

/** Asks `isAdmin` about an account as if it were logged in. */
export const createIsAdminAccount =
  (payload: BasePayload, isAdmin: IsAdmin): IsAdminAccount =>
  async (account) => {
    const user = account as NonNullable<PayloadRequest['user']>
    return isAdmin({ req: await createLocalReq({ user }, payload) })
  }

const firstAuthCollection = (config: Config): CollectionConfig | undefined =>
  config.collections?.find(({ auth }) => auth)

/** What collections have in common whose records only Storeconnect writes. Admins can read them. */
export const recordCollection = (isAdmin: IsAdmin) =>
  ({
    access: { read: isAdmin, create: () => false, update: () => false, delete: () => false },
    disableDuplicate: true,
    lockDocuments: false,
    versions: false,
  }) satisfies Partial<CollectionConfig>
