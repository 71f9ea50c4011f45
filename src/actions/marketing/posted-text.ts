import type { LeaveOut } from '../../marketing/left-out.js'
import { isShortText, longText } from '../../marketing/properties.js'

/**
 * A posted text, trimmed. Undefined when nothing was posted or an empty field, which says nothing;
 * a list, an object or a text longer than the platform takes is left out.
 */
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

/** Posted members by name, `profile[…]`; undefined when there are none. */
export function postedMembers(
  value: unknown,
  field: string,
  leaveOut: LeaveOut,
): Readonly<Record<string, unknown>> | undefined {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>
  }
  if (value !== undefined && value !== null && value !== '') leaveOut(field, 'without names')
  return undefined
}
