import { depthLimit, parameterLimit, tooDeep, tooMany } from './parameter-tree.js'

/**
 * How many values a JSON text holds, told by its commas and brackets alone, before anything is made
 * of it.
 *
 * @throws {Problem} PARAMETER_INVALID as soon as there are too many, or one is nested too deep.
 */
export function countJson(text: string): number {
  let count = 1
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === ',') count += 1
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1

    if (count > parameterLimit) throw tooMany()
    // The object around all of it is no level.
    if (depth > depthLimit + 1) throw tooDeep()
  }
  return count
}

/** Where the string that begins here ends; the end of the text when nothing ends it. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return at
    if (text[at] === '\\') at += 1
  }
  return text.length
}
