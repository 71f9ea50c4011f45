import type { CollectionBeforeOperationHook } from 'payload'
import { getSelectMode } from 'payload/shared'

/** A hook of a collection whose other hooks need fields that a reader has not asked for. */
export const alwaysReads =
  (...fields: string[]): CollectionBeforeOperationHook =>
  ({ args }) => {
    if (!('select' in args && args.select) || getSelectMode(args.select) === 'exclude') return args
    const needed = Object.fromEntries(fields.map((field) => [field, true as const]))
    return { ...args, select: { ...args.select, ...needed } }
  }
