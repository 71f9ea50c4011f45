/** More digits than any number that is meant. */
const numberLength = 40

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

/** The number that a text is from its first to its last character; undefined for any other text. */
export function readNumber(text: string): number | undefined {
  const trimmed = text.trim()
  if (trimmed.length > numberLength || !decimal.test(trimmed)) return undefined
  const number = Number(trimmed)
  return Number.isFinite(number) ? number : undefined
}
