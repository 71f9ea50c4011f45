import type { Field } from 'payload'
import { findField } from './field-search.js'

/**
 * The existing fields and behind them those of ours that they lack. A field that the store has
 * under the same name, or under a name that says where it is (`details.reference`), stays as it is.
 */
export function addFields(existing: readonly Field[], ours: readonly Field[]): Field[] {
  return [...existing, ...missing(existing, ours)]
}

function missing(existing: readonly Field[], ours: readonly Field[]): Field[] {
  return ours.flatMap((field): Field[] => {
    if ('name' in field && field.name !== undefined) {
      return field.name.includes('.') || findField(existing, field.name) ? [] : [field]
    }
    if (!('fields' in field)) return [field]
    const left = missing(existing, field.fields)
    return left.length === 0 ? [] : [{ ...field, fields: left }]
  })
}
