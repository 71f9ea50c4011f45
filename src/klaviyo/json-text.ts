/**
 * JSON with every text well-formed: half of a surrogate pair is no character, and a platform that
 * chokes on it would have the send tried for days.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value)
  // Whole pairs are written as they are. An escape here is a half, or harmless text that looks so.
  return text.includes('\\ud') ? JSON.stringify(value, wellFormed) : text
}

function wellFormed(_name: string, value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name.toWellFormed(), inner]),
  )
}
