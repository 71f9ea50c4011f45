import { escapeHtml } from '../core/http/html-page.js'

// What XML 1.0 allows (https://www.w3.org/TR/xml/#charsets). A surrogate is only legal in a pair,
// which the u flag sees as one character.
const legal = String.raw`\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}`
const illegal = new RegExp(`[^${legal}]`, 'gu')
const visible = new RegExp(String.raw`(?!\s)[${legal}]`, 'u')

export const legalText = (text: string): string => text.replace(illegal, '')

/** Whether nothing, or only white space, is left of a text in XML. */
export const isBlank = (text: string): boolean => !visible.test(text)

/** The lengths of the texts that a notice brings back. */
export const lengths = { number: 50, sku: 50, name: 200, lineId: 50 }

/** Text for an XML element: escaped, without what XML forbids, and cut to the schema's `maxLength` of code points. */
export const xmlText = (text: string, maxLength: number): string =>
  text.length <= maxLength && plain.test(text) ? text : escaped(writtenText(text, maxLength))

/**
 * An exported text as a notice brings it back, where spaces at its ends are lost. Both sides are compared in this
 * form.
 */
export const saidBack = (text: string, maxLength: number): string =>
  writtenText(text, maxLength).trim()

const writtenText = (text: string, maxLength: number): string => cut(legalText(text), maxLength)

// Most texts are as they stay, and one look at them tells so.
const plain = /^[ !#-%'-;=?-\uD7FF\uE000-\uFFFD]*$/

// A parser turns a bare carriage return into a line feed.
const escaped = (text: string): string => escapeHtml(text).replaceAll('\r', '&#13;')

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  // A character has at most two code units.
  return [...text.slice(0, 2 * maxLength)].slice(0, maxLength).join('')
}
