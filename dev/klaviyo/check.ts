/** What a value breaks; the pointer is relative to the value, empty for the value itself. */
export interface Finding {
  pointer: string
  detail: string
}

/** Says what is wrong with a value. Pointers are only put together where something is. */
export type Check = (value: unknown) => readonly Finding[]

/** Shared, since nearly every value is right. */
export const fine: readonly Finding[] = []

export const wrong = (detail: string, pointer = ''): readonly Finding[] => [{ pointer, detail }]

/** More findings than this say nothing new. */
const MAX_FINDINGS = 20

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const below = (name: string | number, findings: readonly Finding[]): readonly Finding[] =>
  findings.map(({ pointer, detail }) => ({ pointer: `/${name}${pointer}`, detail }))

interface Shape {
  /** What the document calls it, for the message. */
  resource: string
  required?: readonly string[]
  fields: Readonly<Record<string, Check>>
}

/** An object with these fields and no others. */
export function object({ resource, required = [], fields }: Shape): Check {
  const checks = new Map(Object.entries(fields))
  return (value) => {
    if (!isObject(value)) return wrong('Must be an object.')
    let found = fine
    for (const name of required) {
      if (value[name] === undefined) {
        found = [...found, { pointer: `/${name}`, detail: `'${name}' is a required field.` }]
      }
    }
    for (const name of Object.keys(value)) {
      const check = checks.get(name)
      const of = check
        ? check(value[name])
        : wrong(`'${name}' is not a valid field for the resource '${resource}'.`)
      if (of.length > 0) found = [...found, ...below(name, of)]
    }
    return found
  }
}

export interface ListShape {
  item: Check
  min?: number
  max: number
  of: string
}

export function list({ item, min = 1, max, of }: ListShape): Check {
  return (value) => {
    if (!Array.isArray(value)) return wrong('Must be an array.')
    if (value.length < min) return wrong(`Must hold at least ${min} of ${of}.`)
    if (value.length > max) return wrong(`Must not hold more than ${max} of ${of}.`)
    let found = fine
    for (const [at, entry] of value.entries()) {
      const of = item(entry)
      if (of.length > 0) found = [...found, ...below(at, of)]
      if (found.length >= MAX_FINDINGS) break
    }
    return found
  }
}

/** A text of at most 100 KB that also passes the test. */
export function text(
  test: (text: string) => boolean = () => true,
  detail = 'Is not valid.',
): Check {
  return (value) => {
    if (typeof value !== 'string') return wrong('Must be a string.')
    if (isTooLong(value)) return wrong('A string must not be larger than 100 KB.')
    return test(value) ? fine : wrong(detail)
  }
}

/** `null` is allowed, and clears the field. */
export const nullable =
  (check: Check): Check =>
  (value) =>
    value === null ? fine : check(value)

export const oneOf = (...allowed: readonly string[]): Check => {
  const known = new Set<unknown>(allowed)
  const detail = `Must be one of: ${allowed.join(', ')}.`
  return (value) => (known.has(value) ? fine : wrong(detail))
}

export const trueOrFalse: Check = (value) =>
  typeof value === 'boolean' ? fine : wrong('Must be true or false.')

export const amount: Check = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? fine : wrong('Must be a number.')

/** Both have to pass; the second only sees what the first lets through. */
export const both =
  (first: Check, second: Check): Check =>
  (value) => {
    const found = first(value)
    return found.length > 0 ? found : second(value)
  }

const MAX_TEXT_BYTES = 100 * 1024

/** A UTF-16 unit is at most three bytes: most texts need not be counted. */
const isTooLong = (value: string): boolean =>
  value.length * 3 > MAX_TEXT_BYTES && Buffer.byteLength(value) > MAX_TEXT_BYTES

interface TreeLimits {
  names: number
  items: number
  depth: number
}

/** Custom properties: any JSON within the limits of the Events API overview, "Limitations". */
export const properties =
  (limits: TreeLimits = { names: 400, items: 4000, depth: 10 }): Check =>
  (value) => {
    if (!isObject(value)) return wrong('Must be an object.')
    if (Object.keys(value).length > limits.names) {
      return wrong(`Must not exceed ${limits.names} properties.`)
    }
    return treeFindings(value, limits, 0)
  }

/** Recursion ends at the depth limit. */
function treeFindings(value: unknown, limits: TreeLimits, depth: number): readonly Finding[] {
  if (typeof value === 'string') {
    return isTooLong(value) ? wrong('A string must not be larger than 100 KB.') : fine
  }
  if (typeof value !== 'object' || value === null) return fine
  if (depth >= limits.depth) return wrong(`Must not be nested deeper than ${limits.depth}.`)
  if (Array.isArray(value) && value.length > limits.items) {
    return wrong(`An array must not hold more than ${limits.items} items.`)
  }
  for (const [name, entry] of Object.entries(value)) {
    const found = treeFindings(entry, limits, depth + 1)
    if (found.length > 0) return below(name.replaceAll('~', '~0').replaceAll('/', '~1'), found)
  }
  return fine
}
