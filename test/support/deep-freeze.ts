/** Freezes a value and everything plain below it, so that whoever changes it fails. */
export function deepFreeze<Value>(value: Value): Value {
  const isPlain =
    Array.isArray(value) ||
    (typeof value === 'object' &&
      value !== null &&
      Object.getPrototypeOf(value) === Object.prototype)
  if (!isPlain || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const part of Object.values(value as object)) deepFreeze(part)
  return value
}
