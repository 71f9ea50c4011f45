import type { Access, FieldAccess } from 'payload'

export type Role = 'admin' | 'customer'

/** True when the signed-in user has the role. Works on whatever the store knows of the user. */
export function hasRole(user: object | null | undefined, role: Role): boolean {
  const roles = user && 'roles' in user ? user.roles : undefined
  return Array.isArray(roles) && roles.includes(role)
}

export const anyone: Access = () => true

export const isAdmin: Access = ({ req }) => hasRole(req.user, 'admin')

export const isAdminField: FieldAccess = ({ req }) => hasRole(req.user, 'admin')

export const isCustomerField: FieldAccess = ({ req }) =>
  Boolean(req.user) && !hasRole(req.user, 'admin')

export const isAdminOrSelf: Access = ({ req }) => {
  if (!req.user) return false
  return hasRole(req.user, 'admin') || { id: { equals: req.user.id } }
}

export const isDocumentOwner: Access = ({ req }) =>
  req.user ? { customer: { equals: req.user.id } } : false

export const isAdminOrPublished: Access = ({ req }) =>
  hasRole(req.user, 'admin') || { _status: { equals: 'published' } }
