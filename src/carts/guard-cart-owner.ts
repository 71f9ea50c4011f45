import type {
  Access,
  CollectionAfterChangeHook,
  CollectionBeforeChangeHook,
  CollectionConfig,
  Field,
  FieldAccess,
  PayloadRequest,
  FlattenedField,
} from 'payload'
import { sql } from 'drizzle-orm'
import { column, sqlDatabase } from '../core/database/database.js'
import { isSameEmail } from '../core/people/email.js'
import { giverFields, sharedAtField, consentField, cartNotes } from '../shop/orders/order-fields.js'
import type { ShopNames } from '../core/shop-names.js'
import type { Effects } from '../core/effects.js'
import type { IsAdmin } from '../core/payload/admin-access.js'
import { withHooks } from '../core/payload/collection-hooks.js'
import { idOf, valueAt } from '../core/payload/document-value.js'
import { replaceField, type NamedField, writtenFieldTypes } from '../core/payload/field-search.js'
import { isDeepStrictEqual } from 'node:util'
import { orderFieldRows } from '../shop/orders/order.js'

/** The key in a request's context of the cart that is taken over. */
const takenOver = 'storeconnectTakenOverCart'

interface Owners {
  names: ShopNames
  customersSlug: string | undefined
  isAdmin: IsAdmin
  effects: Effects
}

/**
 * Guards carts. Through REST and GraphQL, customers can set only themselves as a cart's customer. A cart with a
 * customer loses its secret. Whoever takes over a cart gets nothing that somebody else typed in it.
 */
export function guardCartOwner(carts: CollectionConfig, owners: Owners): CollectionConfig {
  const { read, update, delete: remove } = carts.access ?? {}
  const guarded = {
    ...carts,
    fields: replaceField(carts.fields, owners.names.fields.customer, (field) =>
      guardField(field, owners),
    ),
    access: {
      ...carts.access,
      ...(read && { read: closedToSecrets(read, owners) }),
      ...(update && { update: closedToSecrets(update, owners) }),
      ...(remove && { delete: closedToSecrets(remove, owners) }),
    },
  }
  return withHooks(guarded, {
    beforeChange: [leaveTypedBehind(owners), dropSecret(owners)],
    afterChange: [leaveTranslationsBehind(owners)],
  })
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
  { names, customersSlug, isAdmin }: Owners,
): boolean | Promise<boolean> {
  const given: unknown = siblingData?.[name]
  if (given === undefined) return true
  const { user } = req
  const before = idText(valueAt(doc, names.fields.customer))
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
  (access: Access, { names, customersSlug }: Owners): Access =>
  async (args) => {
    const path = names.fields.customer
    const allowed = await access(args)
    const { user, context, query } = args.req
    const hasSecret = context.cartSecret !== undefined || query.secret !== undefined
    if (typeof allowed !== 'object' || (user && !hasSecret)) return allowed
    const own = user?.collection === customersSlug ? [{ [path]: { equals: user?.id ?? null } }] : []
    return { and: [allowed, { or: [{ [path]: { exists: false } }, ...own] }] }
  }

const dropSecret =
  ({ names: { fields } }: Owners): CollectionBeforeChangeHook =>
  ({ data }) => {
    const cart = data as Record<string, unknown>
    const isClosed =
      idOf(valueAt(cart, fields.customer)) !== undefined && valueAt(cart, 'secret') !== undefined
    return isClosed ? { ...cart, secret: null } : cart
  }

/** A customer who takes over a cart gets its lines, and what was typed in it only when it is surely their own. */
const leaveTypedBehind =
  ({ names, customersSlug, effects: { now } }: Owners): CollectionBeforeChangeHook =>
  async ({ collection, context, data, operation, originalDoc: before, req }) => {
    const cart = data as Record<string, unknown>
    const { customer } = names.fields
    const own = req.user?.collection === customersSlug ? idText(req.user?.id) : undefined
    const isTakenOver =
      operation === 'update' &&
      own !== undefined &&
      idText(valueAt(cart, customer)) === own &&
      idText(valueAt(before, customer)) !== own
    if (!isTakenOver || (await isTypedByVisitor(before, { names, req }))) return cart
    context[takenOver] = idOf(before)
    const left = withoutTyped(cart, { before, fields: collection.flattenedFields, names })
    return { ...left, [sharedAtField]: valueAt(before, sharedAtField) ?? now().toISOString() }
  }

/** A save writes one language, so the others go afterwards. */
const leaveTranslationsBehind =
  ({ names: { fields } }: Owners): CollectionAfterChangeHook =>
  async ({ collection: { slug }, context, doc, req }) => {
    const id = idOf(doc)
    if (id === undefined || context[takenOver] !== id) return doc as unknown
    const database = sqlDatabase(req.payload)
    const connection = await database.within(req)
    const path = fields.items.split('.')
    const lines = sql`(select "id" from ${database.optionalTable(slug, ...path)} where "_parent_id" = ${id})`
    for (const { table, parents } of [
      { table: database.optionalTable(slug, 'locales'), parents: sql`(${id})` },
      { table: database.optionalTable(slug, ...path, 'locales'), parents: lines },
    ]) {
      if (table === undefined) continue
      const isOther = sql`cast(${column(table, '_locale')} as text) <> ${req.locale ?? ''}`
      const isTheirs = sql`${column(table, '_parentID')} in ${parents}`
      await connection.delete(table, sql`${isTheirs} and ${isOther}`)
    }
    return doc as unknown
  }

/** Whether the cart began as a guest's at this browser, and names nobody else. */
async function isTypedByVisitor(
  cart: unknown,
  { names: { collections, fields }, req }: { names: ShopNames; req: PayloadRequest },
): Promise<boolean> {
  const isOfGuest =
    valueAt(cart, 'secret') !== undefined && valueAt(cart, fields.customer) === undefined
  if (!isOfGuest || valueAt(cart, sharedAtField) !== undefined) return false
  const { docs: payments } =
    req.payload.collections[collections.transactions] === undefined
      ? { docs: [] }
      : await req.payload.find({
          collection: collections.transactions,
          where: { cart: { equals: idOf(cart) } },
          depth: 0,
          pagination: false,
          req,
        })
  const { user } = req
  const emails = [cart, ...payments].flatMap((document: unknown) =>
    [giverFields.email, 'customerEmail'].map((name) => valueAt(document, name)),
  )
  const payers = payments.map((payment: unknown) => idText(valueAt(payment, 'customer')))
  return (
    emails.every((email) => typeof email !== 'string' || isSameEmail(email, user?.email ?? '')) &&
    payers.every((payer) => payer === undefined || payer === idText(user?.id))
  )
}

type Data = Record<string, unknown>

/** What the shop writes itself. The answers of the checkout have a rule of their own. */
const writtenByShop = [
  ...['id', 'createdAt', 'updatedAt', 'deletedAt', 'purchasedAt', 'secret', 'subtotal'],
  ...[...cartNotes, consentField, ...Object.values(giverFields)],
]

/**
 * A cart's values without what somebody typed before and the amounts that follow from it. What the same write changes
 * stays.
 */
function withoutTyped(
  cart: Data,
  {
    before,
    fields,
    names,
  }: { before: unknown; fields: readonly FlattenedField[]; names: ShopNames },
): Data {
  const { items, number, currency, shippingAddress, billingAddress } = names.fields
  const kept = new Set([...writtenByShop, number, currency, `${items}.id`, `${items}.quantity`])
  const whole = new Set([
    ...[shippingAddress, billingAddress],
    ...orderFieldRows.map(([name]) => names.fields[name]),
  ])

  const valueOf = (field: FlattenedField, value: unknown, { above, isAll }: Place): unknown => {
    const path = `${above}${field.name}`
    if (value === undefined || value === null || kept.has(path) || isReference(field)) return value
    const below = { above: `${path}.`, isAll: isAll || whole.has(path) }
    if (field.type === 'group' || field.type === 'tab') {
      return emptied(value as Data, field.flattenedFields, below)
    }
    if (path === items && field.type === 'array') {
      return (value as Data[]).map((row) => emptied(row, field.flattenedFields, below))
    }
    const isTyped = below.isAll || isWritten(field)
    // The values of a line are at no path.
    const isOld = above === `${items}.` || isDeepStrictEqual(value, valueAt(before, path))
    return isTyped && isOld ? blankOf(field) : value
  }
  const emptied = (values: Data, within: readonly FlattenedField[], place: Place): Data => ({
    ...values,
    ...Object.fromEntries(
      within.map((field) => [field.name, valueOf(field, values[field.name], place)]),
    ),
  })
  return emptied(cart, fields, { above: '', isAll: false })
}

interface Place {
  /** The path that the fields are below; blank at the top. */
  above: string
  /** Whether all of it goes, also what was chosen from a list. */
  isAll: boolean
}

const isReference = (field: FlattenedField) => 'unique' in field && field.unique === true

const isWritten = (field: FlattenedField) => writtenFieldTypes.has(field.type) || hasOwnRows(field)

const hasOwnRows = ({ type }: FlattenedField): boolean => type === 'array' || type === 'blocks'

function blankOf(field: FlattenedField): unknown {
  const preset: unknown = 'defaultValue' in field ? field.defaultValue : undefined
  if (preset !== undefined && typeof preset !== 'function') return preset
  const hasMany = 'hasMany' in field && field.hasMany === true
  return hasMany || hasOwnRows(field) ? [] : null
}
