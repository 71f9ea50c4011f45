/** The value at a path such as `meta.image`, through groups and populated documents. */
export function valueAt(document: unknown, path: string): unknown {
  let value = document
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value ?? undefined
}

/** Sets the value at a path such as `details.reference`, making the groups on the way. */
export function setAt(document: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split('.')
  const last = names.pop() ?? path
  let place = document
  for (const name of names) {
    const next = place[name]
    const isGroup = typeof next === 'object' && next !== null
    place = (place[name] = isGroup ? next : {}) as Record<string, unknown>
  }
  place[last] = value
}

/** The id of a relationship, populated or not. */
export function idOf(related: unknown): number | string | undefined {
  const id = typeof related === 'object' && related !== null ? valueAt(related, 'id') : related
  return typeof id === 'number' || typeof id === 'string' ? id : undefined
}
