import type { Access, FieldAccess, PayloadRequest } from 'payload'

const hasRole = ({ user }: PayloadRequest, role: 'admin' | 'customer'): boolean =>
  user?.roles?.includes(role) ?? false

export const isAdmin = ({ req }: { req: PayloadRequest }) => hasRole(req, 'admin')

export const isCustomer: FieldAccess = ({ req }) => hasRole(req, 'customer')

export const isEverybody = () => true

export const isAdminOrSelf: Access = ({ req }) =>
  isAdmin({ req }) || (req.user ? { id: { equals: req.user.id } } : false)

export const isAdminOrPublished: Access = ({ req }) =>
  isAdmin({ req }) || { _status: { equals: 'published' } }

export const isDocumentOwner: Access = ({ req }) =>
  isAdmin({ req }) || (req.user ? { customer: { equals: req.user.id } } : false)
