import type { JsonValue } from '../marketing/profile.js'

/** The members that have a value: blank texts, empty lists and what is unknown are left out. */
export function presentValues<Value extends JsonValue>(
  values: Record<string, Value | undefined>,
): Record<string, Value> {
  const present = Object.entries(values).filter(
    (entry): entry is [string, Value] => !isBlank(entry[1]),
  )
  return Object.fromEntries(present)
}

const isBlank = (value: JsonValue | undefined) =>
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
