const nameStart =
  ':A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}\\u{200D}' +
  '\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}'
const name = `[${nameStart}][${nameStart}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}]*`
const equals = '[ \\t\\r\\n]*=[ \\t\\r\\n]*'
const space = '[ \\t\\r\\n]+'

/** Each matches at the place where the last one ended. */
const at = (pattern: string) => new RegExp(pattern, 'uy')

const declaration = at(
  `<\\?xml${space}version${equals}(["'])1\\.[0-9]+\\1` +
    `(?:${space}encoding${equals}(["'])[A-Za-z][\\w.\\-]*\\2)?` +
    `(?:${space}standalone${equals}(["'])(?:yes|no)\\3)?(?:${space})?\\?>`,
)
const instruction = at(`<\\?(${name})(?:${space}[^]*?)?\\?>`)
const comment = at('<!--[^]*?--')
const cdata = at('<!\\[CDATA\\[[^]*?\\]\\]>')
const endTag = at(`</(${name})(?:${space})?>`)
const startTag = at(`<(${name})`)
const attribute = at(`${space}(${name})${equals}(?:"[^<"]*"|'[^<']*')`)
const startTagEnd = at(`(?:${space})?(/?)>`)
const text = at('[^<]+')

/**
 * Whether the markup of a document without a DTD is well-formed XML 1.0. References such as `&amp;` are
 * left to whoever decodes them. The validator of `fast-xml-parser` lets too much pass.
 */
export function isWellFormed(xml: string): boolean {
  let place = 0
  const read = (token: RegExp): RegExpExecArray | undefined => {
    token.lastIndex = place
    const match = token.exec(xml) ?? undefined
    place = match ? token.lastIndex : place
    return match
  }

  const open: string[] = []
  let roots = 0
  /** The rest of a start tag; false when it is none. */
  const readStart = (element: string): boolean => {
    const names = new Set<string>()
    for (let found = read(attribute); found; found = read(attribute)) {
      if (names.has(found[1] ?? '')) return false
      names.add(found[1] ?? '')
    }
    const end = read(startTagEnd)
    if (open.length === 0) roots += 1
    if (end?.[1] === '') open.push(element)
    return end !== undefined && roots === 1
  }
  const readNext = (): boolean => {
    const words = read(text)?.[0]
    if (words !== undefined)
      return open.length > 0 ? !words.includes(']]>') : /^[ \t\r\n]+$/.test(words)
    if (read(comment)) return xml[place++] === '>'
    if (read(cdata)) return open.length > 0
    const target = read(instruction)?.[1]
    if (target !== undefined) return target.toLowerCase() !== 'xml'
    const ended = read(endTag)?.[1]
    if (ended !== undefined) return open.pop() === ended
    const started = read(startTag)?.[1]
    return started !== undefined && readStart(started)
  }

  read(declaration)
  while (place < xml.length) if (!readNext()) return false
  return roots === 1 && open.length === 0
}
