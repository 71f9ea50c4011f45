import { readDateTime } from './formats.ts'

/** `equals(email,"a@b.c")` and `any(email,["a@b.c"])`: the operators that look profiles up. */
export interface Filter {
  operator: 'equals' | 'any'
  field: string
  values: string[]
}

const comparisons = {
  'greater-than': (one: number, other: number) => one > other,
  'greater-or-equal': (one: number, other: number) => one >= other,
  'less-than': (one: number, other: number) => one < other,
  'less-or-equal': (one: number, other: number) => one <= other,
}

export type Comparison = keyof typeof comparisons

/** `greater-than(updated,2026-07-15T12:00:00Z)`: a moment stands without quotes. */
export interface MomentFilter {
  operator: Comparison
  field: string
  isMet: (at: number) => boolean
}

/** Undefined for a filter of another kind. */
export function parseMomentFilter(source: string): MomentFilter | undefined {
  const found = /^((?:greater|less)-(?:than|or-equal))\(\s*([a-z_.]+)\s*,\s*([^"'\s)]+)\s*\)$/.exec(
    source,
  )
  if (!found) return undefined
  const [, name = '', field = '', text = ''] = found
  const moment = readDateTime(text)
  if (moment === undefined) throw new FilterError('A moment must be an ISO 8601 date-time.')
  const operator = name as Comparison
  return { operator, field, isMet: (at) => comparisons[operator](at, moment) }
}

/** Thrown with what is wrong, for the error's detail. */
export class FilterError extends Error {
  override readonly name = 'FilterError'
}

const text = /(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/.source
const texts = `\\[\\s*(?:${text}(?:\\s*,\\s*${text})*)?\\s*\\]`
const lookup = new RegExp(`^(equals|any)\\(\\s*([a-z_.]+)\\s*,\\s*(${text}|${texts})\\s*\\)$`, 'is')

/**
 * Reads a filter: https://developers.klaviyo.com/en/docs/filtering_ . Texts stand in double or single
 * quotes, where a backslash takes the next character as it is.
 */
export function parseFilter(source: string): Filter {
  const [, operator, field = '', value = ''] = lookup.exec(source) ?? []
  if (operator !== 'equals' && operator !== 'any') {
    throw new FilterError('The filter is not one this endpoint knows.')
  }
  if (operator === 'any' && !value.startsWith('[')) {
    throw new FilterError("'any' needs a list of values.")
  }
  const quoted = value.match(new RegExp(text, 'gs')) ?? []
  return {
    operator,
    field,
    values: quoted.map((each) => each.slice(1, -1).replace(/\\(.)/gs, '$1')),
  }
}
