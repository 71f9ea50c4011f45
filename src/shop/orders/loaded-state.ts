import { createHmac } from 'node:crypto'
import type {
  CollectionAfterReadHook,
  CollectionBeforeOperationHook,
  FlattenedField,
  PayloadRequest,
  TextField,
  TypeWithID,
} from 'payload'
import * as z from 'zod/mini'
import { notAColumn, notFilterable } from '../../core/payload/either-version.js'
import type { ShopNames } from '../../core/shop-names.js'
import { valueAt } from '../../core/payload/document-value.js'
import { canonical, isData, isGroup, type Document } from './stored-difference.js'

const loadedStateField = 'loadedState'

/**
 * Digests of the values that a shipment may write or an erasure may empty, taken when a form is loaded. The form posts
 * the whole order, and the digests show which of these values were changed in it.
 */
export const loadedState: TextField = {
  name: loadedStateField,
  type: 'text',
  virtual: true,
  access: { create: () => false, read: ({ req }) => Boolean(req.user), update: () => false },
  admin: { hidden: true, ...notAColumn, ...notFilterable },
  hooks: { afterRead: [({ req }) => (req.user ? '' : undefined)] },
}

/** Fills in the digests where the order is read with them. It runs last, to see what the form gets. */
export const noteLoadedState =
  ({ fields }: ShopNames): CollectionAfterReadHook<Document & TypeWithID> =>
  ({ collection, doc, req }) => {
    if (doc[loadedStateField] === undefined) return doc
    const { flattenedFields } = collection
    const paths = [
      ...[fields.status, fields.customer],
      ...rowFields(flattenedFields, fields.items),
      ...typedFields(flattenedFields),
    ]
    const states = paths.map((path) => [path, digest(valueAt(doc, path), req)])
    return { ...doc, [loadedStateField]: JSON.stringify(Object.fromEntries(states)) }
  }

/** The array and blocks fields except the items: the settings name one of them as the Matrix field. */
const rowFields = (fields: readonly FlattenedField[], items: string, above = ''): string[] =>
  fields.flatMap((field) => {
    const path = `${above}${field.name}`
    if (field.type === 'array' || field.type === 'blocks') return path === items ? [] : [path]
    return isGroup(field) ? rowFields(field.flattenedFields, items, `${path}.`) : []
  })

const typedTypes = new Set<FlattenedField['type']>([
  'text',
  'textarea',
  'email',
  'richText',
  'json',
  'code',
  'group',
  'tab',
])

const typedFields = (fields: readonly FlattenedField[]): string[] =>
  fields.flatMap(({ name, type }) =>
    typedTypes.has(type) && name !== loadedStateField ? [name] : [],
  )

const states = z.record(z.string(), z.string())

/** Leaves out of a posted order the values that the form did not change. */
export const leaveUntouched: CollectionBeforeOperationHook = ({ args, operation, req }) => {
  if (operation !== 'update' || !('data' in args)) return args
  const data = args.data as Document
  const loaded = data[loadedStateField]
  if (typeof loaded !== 'string') return args
  const changed = Object.entries(readStates(loaded))
    .filter(([path, state]) => digest(valueAt(data, path), req) === state)
    .reduce((rest, [path]) => withoutValueAt(rest, path.split('.')), data)
  return { ...args, data: changed }
}

/** Empty for a text that Storeconnect did not make. */
function readStates(text: string): Record<string, string> {
  try {
    return states.parse(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Reveals nothing to users who may not read the value. A form posts 0 for a field without rows. */
function digest(value: unknown, req: PayloadRequest): string {
  const isEmpty = value === 0 || (Array.isArray(value) && value.length === 0)
  return createHmac('sha256', req.payload.secret)
    .update(canonical(isEmpty ? null : value))
    .digest('base64url')
    .slice(0, 16)
}

function withoutValueAt(data: Document, [name = '', ...below]: readonly string[]): Document {
  const { [name]: value, ...rest } = data
  if (below.length === 0) return rest
  return isData(value) ? { ...rest, [name]: withoutValueAt(value, below) } : data
}
