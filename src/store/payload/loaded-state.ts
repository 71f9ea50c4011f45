import { createHmac } from 'node:crypto'
import type {
  CollectionBeforeOperationHook,
  FieldHook,
  FlattenedField,
  PayloadRequest,
  TextField,
} from 'payload'
import { z } from 'zod'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import { canonical } from './canonical.js'
import { valueAt } from './document-value.js'

type Data = Record<string, unknown>

const loadedStateField = 'loadedState'

/**
 * What a shipment may write, as it was when a form was loaded. A form posts the whole order; by this it
 * can be told what of that has been changed in the form.
 */
export const loadedState = (options: ResolvedOptions): TextField => ({
  name: loadedStateField,
  type: 'text',
  virtual: true,
  access: { create: () => false, read: ({ req }) => Boolean(req.user), update: () => false },
  admin: { hidden: true, disableListColumn: true, disableListFilter: true },
  hooks: { afterRead: [stateOf(options)] },
})

const stateOf =
  ({ fields }: ResolvedOptions): FieldHook =>
  ({ collection, data, req }): string | undefined => {
    if (!req.user || collection === null || data === undefined) return undefined
    const paths = [fields.status, ...rowFields(collection.flattenedFields, fields.items)]
    return JSON.stringify(
      Object.fromEntries(paths.map((path) => [path, digest(valueAt(data, path), req)])),
    )
  }

/** The settings name the one that shipments write to. */
const rowFields = (fields: readonly FlattenedField[], items: string): string[] =>
  fields.flatMap(({ name, type }) =>
    (type === 'array' || type === 'blocks') && name !== items ? [name] : [],
  )

const states = z.record(z.string(), z.string())

/** Leaves out of a posted order what is as the form had loaded it: a shipment may have come since. */
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

/** None in a text that is not ours. */
function readStates(text: string): Record<string, string> {
  try {
    return states.parse(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Says nothing of the value to those who may not read it. A form posts 0 for a field without rows. */
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
