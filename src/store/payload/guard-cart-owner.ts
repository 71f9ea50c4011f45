import type {
  Access,
  CollectionBeforeChangeHook,
  CollectionConfig,
  Field,
  FieldAccess,
  PayloadRequest,
} from 'payload'
import type { DocumentId } from '../../commerce/order.js'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import type { IsAdmin } from './admin-access.js'
import { idOf, valueAt } from './document-value.js'
import { replaceField, type NamedField } from './field-search.js'

interface Owners {
  /** Path of the carts' customer. */
  path: string
  customersSlug: string | undefined
  isAdmin: IsAdmin
}

/**
 * A cart's customer is the one who is logged in: through REST and GraphQL nobody but an admin sets
 * somebody else. What is refused is left out, as Payload does it. No secret opens a cart that has a
 * customer, and such a cart keeps none.
 */
export function guardCartOwner(
  carts: CollectionConfig,
  {
    options,
    ...known
  }: { options: ResolvedOptions; isAdmin: IsAdmin; customersSlug: string | undefined },
): CollectionConfig {
  const owners = { ...known, path: options.fields.customer }
  const { read, update, delete: remove } = carts.access ?? {}
  return {
    ...carts,
    fields: replaceField(carts.fields, owners.path, (field) => guardField(field, owners)),
    access: {
      ...carts.access,
      ...(read && { read: closedToSecrets(read, owners) }),
      ...(update && { update: closedToSecrets(update, owners) }),
      ...(remove && { delete: closedToSecrets(remove, owners) }),
    },
    hooks: {
      ...carts.hooks,
      beforeChange: [...(carts.hooks?.beforeChange ?? []), dropSecret(owners)],
    },
  }
}

function guardField(field: NamedField, owners: Owners): Field {
  if (field.type !== 'relationship') return field
  const guarded =
    (own: FieldAccess | undefined): FieldAccess =>
    async (args) =>
      (own === undefined || (await own(args))) && setsNobodyElse(args, field.name, owners)
  const { create, update } = field.access ?? {}
  return { ...field, access: { ...field.access, create: guarded(create), update: guarded(update) } }
}

function setsNobodyElse(
  { req, doc, siblingData }: Parameters<FieldAccess>[0],
  name: string,
  owners: Owners,
): boolean | Promise<boolean> {
  const given: unknown = siblingData?.[name]
  const before = idOf(valueAt(doc, owners.path))
  const id = idOf(given)
  const isKept = given === null ? before === undefined : id !== undefined && isSame(id, before)
  if (given === undefined || isKept || isCustomer(req, id, owners)) return true
  return owners.isAdmin({ req })
}

/** What opens a cart by its secret does so only while the cart is a guest's. */
const closedToSecrets =
  (access: Access, { path, customersSlug }: Owners): Access =>
  async (args) => {
    const allowed = await access(args)
    const { user, context, query } = args.req
    const hasSecret = context.cartSecret !== undefined || query.secret !== undefined
    if (typeof allowed !== 'object' || (user && !hasSecret)) return allowed
    const own = user?.collection === customersSlug ? [{ [path]: { equals: user?.id ?? null } }] : []
    return { and: [allowed, { or: [{ [path]: { exists: false } }, ...own] }] }
  }

const dropSecret =
  ({ path }: Owners): CollectionBeforeChangeHook =>
  ({ data }) => {
    const cart = data as Record<string, unknown>
    const isClosed =
      idOf(valueAt(cart, path)) !== undefined && valueAt(cart, 'secret') !== undefined
    return isClosed ? { ...cart, secret: null } : cart
  }

const isCustomer = (
  { user }: PayloadRequest,
  id: DocumentId | undefined,
  { customersSlug }: Owners,
): boolean => user?.collection === customersSlug && isSame(user?.id, id)

const isSame = (one: DocumentId | undefined, other: DocumentId | undefined): boolean =>
  one !== undefined && String(one) === String(other)
