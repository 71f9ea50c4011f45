import { Problem } from '../errors.js'

/** Limits for the parameters of query string and body together (`docs/interface.md` (Front door)). */
export const parameterLimit = 1000
export const depthLimit = 5

/** The longest name, in characters, with its brackets. */
export const nameLimit = 512

/** Nested parameters by name. The objects have no prototype, so no parameter can change one. */
export interface ParameterTree {
  readonly [name: string]: unknown
}

/** A parameter as it was sent: a text or, from JSON, any value. */
export type Parameter = readonly [name: string, value: unknown]

type Group = Map<string, Group | string>

/**
 * Turns `profile[location][city]=Bonn` into nested objects. When a name comes twice, the last one counts,
 * unless it ends in `[]`, which makes a list.
 *
 * @throws {Problem} PARAMETER_INVALID when a name is too long or too deep, or something holds U+0000.
 */
export function nest(parameters: readonly Parameter[]): ParameterTree {
  const root: Group = new Map()
  for (const [name, value] of parameters) {
    if (name.length > nameLimit) throw nameTooLong()
    const path = pathOf(name)
    if (path.length > depthLimit + 1) throw tooDeep()
    const last = path.pop()
    if (last === undefined || path.includes(forbidden)) continue
    let group = root
    path.forEach((key, index) => {
      group = groupAt(group, keyIn(group, key, path[index + 1] ?? last))
    })
    put(group, last, { value, nameLength: name.length, depth: path.length })
  }
  return asObject(root)
}

/** Merges two trees. Values of `over` replace those of `under`. */
export function overlay(under: ParameterTree, over: ParameterTree): ParameterTree {
  const both: Record<string, unknown> = Object.assign(emptyObject(), under)
  for (const [name, value] of Object.entries(over)) {
    const below = both[name]
    both[name] = isObject(below) && isObject(value) ? overlay(below, value) : value
  }
  return both
}

/** The name is harmless here, but code that copies the tree later may set a prototype by it. */
const forbidden = '__proto__'

interface Placing {
  value: unknown
  nameLength: number
  depth: number
}

function put(group: Group, name: string, { value, nameLength, depth }: Placing): void {
  if (value === null || name === forbidden) return
  const key = keyIn(group, name)
  if (typeof value !== 'object') {
    group.set(key, cleanText(key, String(value)))
    return
  }
  if (depth === depthLimit) throw tooDeep()
  for (const [inner, item] of Object.entries(value)) {
    const length = nameLength + inner.length + 2
    if (length > nameLimit) throw nameTooLong()
    put(groupAt(group, key), inner, { value: item, nameLength: length, depth: depth + 1 })
  }
}

/** The key for a name. For `[]`, it depends on the next name whether a new group begins. */
function keyIn(group: Group, name: string, next?: string): string {
  return name === '' ? keyAtEnd(group, next) : cleanText(name, name)
}

function groupAt(group: Group, key: string): Group {
  const there = group.get(key)
  if (there instanceof Map) return there
  const made: Group = new Map()
  group.set(key, made)
  return made
}

/** The key for `[]`: that of the last group while this lacks the next name, else the next free index. */
function keyAtEnd(group: Group, next: string | undefined): string {
  const last = String(group.size - 1)
  const there = group.get(last)
  if (next !== undefined && there instanceof Map && !there.has(next)) return last
  let index = group.size
  while (group.has(String(index))) index += 1
  return String(index)
}

/** `profile`, `location` and `city` for `profile[location][city]`. */
function pathOf(name: string): string[] {
  const start = name.search(inBrackets)
  if (start === -1) return name === '' ? [] : [name]
  const keys = (name.match(allInBrackets) ?? []).map((key) => key.slice(1, -1))
  return start === 0 ? keys : [name.slice(0, start), ...keys]
}

const inBrackets = /\[[^[\]]*\]/
const allInBrackets = new RegExp(inBrackets, 'g')

function asObject(group: Group): ParameterTree {
  const object: Record<string, unknown> = emptyObject()
  for (const [key, member] of group) {
    const value = typeof member === 'string' ? member : asValue(member)
    if (value !== undefined) object[key] = value
  }
  return object
}

/** A list when all keys are indexes, else an object; undefined for an empty group. */
function asValue(group: Group): unknown {
  const object = asObject(group)
  // JavaScript lists keys that are indexes first, and in order.
  const keys = Object.keys(object)
  if (keys.length === 0) return undefined
  return keys.every(isIndex) ? Object.values(object) : object
}

const isIndex = (key: string) => /^(?:0|[1-9]\d{0,3})$/.test(key) && Number(key) <= parameterLimit

const emptyObject = () => Object.create(null) as Record<string, unknown>

const isObject = (value: unknown): value is ParameterTree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Databases cannot store U+0000 or half of a surrogate pair. */
function cleanText(name: string, text: string): string {
  if (!text.includes('\0')) return text.toWellFormed()
  throw invalidParameter(`The parameter "${name.replaceAll('\0', '')}" holds a NUL character.`)
}

export const tooMany = () => invalidParameter(`There are more than ${parameterLimit} parameters.`)

export const tooDeep = () =>
  invalidParameter(`A parameter is nested deeper than ${depthLimit} levels.`)

const nameTooLong = () =>
  invalidParameter(`The name of a parameter is longer than ${nameLimit} characters.`)

export const invalidParameter = (message: string, cause?: unknown) =>
  new Problem('PARAMETER_INVALID', { message, cause })
