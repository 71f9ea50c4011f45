/**
 * The URL of a text; undefined when the text is none. In place of `URL.canParse`, which on Node.js 20 and 22
 * refuses hosts with umlauts after some thousand calls.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
