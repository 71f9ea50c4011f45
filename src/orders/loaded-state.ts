import { createHmac } from 'node:crypto'
import type {
  CollectionBeforeOperationHook,
  FieldHook,
  FlattenedField,
  PayloadRequest,
  TextField,
} from 'payload'
import { z } from 'zod'
import type { ShopNames } from './shop-names.js'
import { valueAt } from '../payload/document-value.js'

/** The same text for equal values: the order of keys, null and undefined do not count. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value ?? null, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(
          Object.entries(part)
            .filter(([, inner]) => inner !== null && inner !== undefined)
            .sort(([one], [other]) => (one < other ? -1 : 1)),
        )
      : part,
  )

type Data = Record<string, unknown>

const loadedStateField = 'loadedState'

/**
 * Digests of the values that a shipment may write, taken when a form is loaded. A form posts the whole
 * order; the digests show which of these values were changed in the form.
 */
export const loadedState = (options: ShopNames): TextField => ({
  name: loadedStateField,
  type: 'text',
  virtual: true,
  access: { create: () => false, read: ({ req }) => Boolean(req.user), update: () => false },
  admin: { hidden: true, disableListColumn: true, disableListFilter: true },
  hooks: { afterRead: [stateOf(options)] },
})

const stateOf =
  ({ fields }: ShopNames): FieldHook =>
  ({ collection, data, req }): string | undefined => {
    if (!req.user || collection === null || data === undefined) return undefined
    const paths = [fields.status, ...rowFields(collection.flattenedFields, fields.items)]
    return JSON.stringify(
      Object.fromEntries(paths.map((path) => [path, digest(valueAt(data, path), req)])),
    )
  }

/** The array and blocks fields except the items: the settings name one of them as the Matrix field. */
const rowFields = (fields: readonly FlattenedField[], items: string): string[] =>
  fields.flatMap(({ name, type }) =>
    (type === 'array' || type === 'blocks') && name !== items ? [name] : [],
  )

const states = z.record(z.string(), z.string())

/** Leaves out of a posted order the values that the form did not change: a shipment may have changed them. */
export const leaveUntouched: CollectionBeforeOperationHook = ({ args, operation, req }) => {
  if (operation !== 'update' || !('data' in args)) return args
  const data = args.data as Data
  const loaded = data[loadedStateField]
  if (typeof loaded !== 'string') return args
  const changed = Object.entries(readStates(loaded))
    .filter(([path, state]) => digest(valueAt(data, path), req) === state)
    .reduce((rest, [path]) => without(rest, path.split('.')), data)
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

function without(data: Data, [name = '', ...below]: readonly string[]): Data {
  const { [name]: value, ...rest } = data
  return below.length === 0 ? rest : { ...rest, [name]: without(value as Data, below) }
}
