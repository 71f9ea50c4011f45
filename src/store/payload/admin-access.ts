import type { Access, CollectionConfig, Config, FieldAccess, PayloadRequest } from 'payload'
import type { StoreConnectOptions } from '../../options/options.js'
import { findField } from './field-search.js'

export type IsAdmin = NonNullable<StoreConnectOptions['isAdmin']>

/**
 * Who counts as an admin where the store does not say: users of the admin's collection, and of
 * those only the ones with the role `admin` where the collection has roles.
 *
 * @throws {TypeError} when shop customers are in that collection and nothing tells them apart.
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

const firstAuthCollection = (config: Config): CollectionConfig | undefined =>
  config.collections?.find(({ auth }) => auth)

export const adminsOnly =
  (isAdmin: IsAdmin): Access =>
  ({ req }) =>
    isAdmin({ req })

export const adminsOnlyField =
  (isAdmin: IsAdmin): FieldAccess =>
  ({ req }: { req: PayloadRequest }) =>
    isAdmin({ req })

/** Storeconnect writes these records itself; people only read them. */
export const readOnlyAccess = (isAdmin: IsAdmin): NonNullable<CollectionConfig['access']> => ({
  read: adminsOnly(isAdmin),
  create: () => false,
  update: () => false,
  delete: () => false,
})
