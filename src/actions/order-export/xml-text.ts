// What XML 1.0 allows (https://www.w3.org/TR/xml/#charsets). A surrogate is only legal in a pair,
// which the u flag sees as one character.
const illegal = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const special = /[&<>"'\r]/g

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  // Also keeps "]]>" legal in text.
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // A parser turns a bare carriage return into a line feed.
  '\r': '&#13;',
}

/**
 * Text for an XML element: characters that XML forbids are dropped, what is longer than the
 * schema's `maxLength` is cut at a whole character (the schema counts code points), the rest is
 * escaped.
 */
export function xmlText(text: string, maxLength: number): string {
  return cut(legalText(text), maxLength).replace(special, (character) => entities[character] ?? '')
}

/** The text without the characters that XML forbids. */
export const legalText = (text: string): string => text.replace(illegal, '')

/** The text's first characters, never half of a surrogate pair. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  let end = 0
  for (let count = 0; count < maxLength && end < text.length; count++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}
