import type { LeaveOut } from '../klaviyo/left-out.js'
import { isShortText, longText } from '../klaviyo/properties.js'

const numberLength = 40

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

/** Undefined unless the whole text is a decimal number, but for spaces around it. */
export function readNumber(text: string): number | undefined {
  const trimmed = text.trim()
  if (trimmed.length > numberLength || !decimal.test(trimmed)) return undefined
  const number = Number(trimmed)
  return Number.isFinite(number) ? number : undefined
}

/** Trimmed; undefined when it is empty. A list, an object or a text that is too long for Klaviyo is left out. */
export function postedText(value: unknown, field: string, leaveOut: LeaveOut): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'object') {
    leaveOut(field, 'not one text')
    return undefined
  }
  const text = String(value).trim()
  if (isShortText(text)) return text === '' ? undefined : text
  leaveOut(field, longText)
  return undefined
}

export interface TextRules<Value> {
  read: (text: string) => Value | undefined
  /** Why a text that cannot be read is left out. */
  reason: string
  leaveOut: LeaveOut
}

export function readPosted<Value>(
  value: unknown,
  field: string,
  { read, reason, leaveOut }: TextRules<Value>,
): Value | undefined {
  const text = postedText(value, field, leaveOut)
  if (text === undefined) return undefined
  const result = read(text)
  if (result === undefined) leaveOut(field, reason)
  return result
}
