import { escapeHtml } from '../http/html-page.js'

// What XML 1.0 allows (https://www.w3.org/TR/xml/#charsets). A surrogate is only legal in a pair,
// which the u flag sees as one character.
const illegal = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

export const legalText = (text: string): string => text.replace(illegal, '')

/**
 * Text for an XML element: without the characters that XML forbids, cut at a whole character to the
 * schema's `maxLength` (the schema counts code points), and escaped.
 */
export const xmlText = (text: string, maxLength: number): string =>
  // A parser turns a bare carriage return into a line feed.
  escapeHtml(cut(legalText(text), maxLength)).replaceAll('\r', '&#13;')

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  // A character has at most two code units.
  return [...text.slice(0, 2 * maxLength)].slice(0, maxLength).join('')
}
