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

/**
 * Reads a filter: https://developers.klaviyo.com/en/docs/filtering_ . Texts stand in double or single
 * quotes, where a backslash takes the next character as it is.
 */
export function parseFilter(source: string): Filter {
  const opening = /^(equals|any)\(\s*([A-Za-z_.]+)\s*,\s*/.exec(source)
  if (!opening) throw new FilterError('The filter is not one this endpoint knows.')
  const [whole, operator = '', field = ''] = opening
  const reader = new ValueReader(source, whole.length)
  const isList = reader.take('[')
  if (operator === 'any' && !isList) throw new FilterError("'any' needs a list of values.")
  const values = isList ? reader.list() : [reader.value()]
  reader.skipSpace()
  if (!reader.take(')') || !reader.isAtEnd)
    throw new FilterError('The filter does not end as it should.')
  return { operator: operator as Filter['operator'], field, values }
}

class ValueReader {
  readonly #source: string
  #at: number

  constructor(source: string, at: number) {
    this.#source = source
    this.#at = at
  }

  get isAtEnd(): boolean {
    return this.#at === this.#source.length
  }

  take(character: string): boolean {
    if (this.#source[this.#at] !== character) return false
    this.#at += 1
    return true
  }

  skipSpace(): void {
    while (this.take(' '));
  }

  list(): string[] {
    const values: string[] = []
    this.skipSpace()
    if (this.take(']')) return values
    do {
      this.skipSpace()
      values.push(this.value())
      this.skipSpace()
    } while (this.take(','))
    if (!this.take(']')) throw new FilterError('The list of the filter does not end.')
    return values
  }

  value(): string {
    const quote = this.#source[this.#at]
    if (quote !== '"' && quote !== "'") throw new FilterError('A text must stand in quotes.')
    this.#at += 1
    let value = ''
    while (!this.take(quote)) {
      if (this.#source[this.#at] === '\\') this.#at += 1
      const character = this.#source[this.#at]
      if (character === undefined) throw new FilterError('A text of the filter does not end.')
      value += character
      this.#at += 1
    }
    return value
  }
}
