/**
 * The words of a rich text, or of a plain one, on one line. Both of Payload's editors keep a tree whose
 * leaves have `text`.
 */
export function wordsOf(value: unknown): string {
  const words: string[] = []
  collect(value, words)
  return words.join('').replaceAll(/\s+/g, ' ').trim()
}

interface TextNode {
  type?: unknown
  text?: unknown
  root?: unknown
  children?: unknown
}

/** What stands within a line; the end of anything else parts words. */
const inline: readonly unknown[] = ['link', 'autolink', 'text']

function collect(value: unknown, words: string[]): void {
  if (typeof value === 'string') words.push(value)
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const node of value) collect(node, words)
    return
  }
  const { type, text, root, children } = value as TextNode
  if (typeof text === 'string') words.push(text)
  else collect(root ?? children, words)
  if (!inline.includes(type) && typeof text !== 'string') words.push(' ')
}
