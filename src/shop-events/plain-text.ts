/** Characters of a single text of an event: longer than any that is meant. */
const textLength = 1000

/** A shop's text as every platform takes it: well-formed, and cut at a whole character. */
export function plainText(text: string): string {
  const whole = text.toWellFormed().replaceAll('\0', '').trim()
  return whole.length <= textLength
    ? whole
    : whole.slice(0, textLength).replace(/[\uD800-\uDBFF]$/, '')
}
