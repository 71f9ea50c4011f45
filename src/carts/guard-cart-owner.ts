import type {
  Access,
  CollectionBeforeChangeHook,
  CollectionConfig,
  Field,
  FieldAccess,
} from 'payload'
import type { IsAdmin } from '../payload/admin-access.js'
import { idOf, valueAt } from '../payload/document-value.js'
import { replaceField, type NamedField } from '../payload/field-search.js'

interface Owners {
  /** Path of the carts' customer. */
  path: string
  customersSlug: string | undefined
  isAdmin: IsAdmin
}

/**
 * Guards the customer and the secret of carts. Through REST and GraphQL, customers can set only themselves
 * as a cart's customer; only an admin can set somebody else. Payload ignores a refused value without an
 * error. A cart that has a customer loses its secret, and cannot be opened by one.
 */
export function guardCartOwner(carts: CollectionConfig, owners: Owners): CollectionConfig {
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
  { path, customersSlug, isAdmin }: Owners,
): boolean | Promise<boolean> {
  const given: unknown = siblingData?.[name]
  if (given === undefined) return true
  const { user } = req
  const before = idText(valueAt(doc, path))
  const own = user?.collection === customersSlug ? idText(user?.id) : undefined
  const id = idText(given)
  const isKept = given === null && before === undefined
  return isKept || (id !== undefined && [before, own].includes(id)) || isAdmin({ req })
}

/** As text, since a browser may send the id of a numbered account as a text. */
function idText(related: unknown): string | undefined {
  const id = idOf(related)
  return id === undefined ? undefined : String(id)
}

/** Limits access by a secret to carts without a customer. */
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
