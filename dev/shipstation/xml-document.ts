import { XMLParser, XMLValidator, type EntityDecoderOptions } from 'fast-xml-parser'

/** Thrown for a text that is no well-formed XML, with the place or the reason. */
export class MalformedXml extends Error {
  override readonly name = 'MalformedXml'
}

/** The elements that repeat: a single one is a list too. */
const LISTS = new Set([
  'Orders.Order',
  'Orders.Order.Items.Item',
  'Orders.Order.Items.Item.Options.Option',
])

/**
 * Reads an XML text strictly. An element with children becomes an object (texts between them under
 * `#text`, the attribute `pages` under `@_pages`), any other its text, untouched.
 */
export function readXml(xml: string): unknown {
  checkWellFormed(xml)
  // One parser per document, as the decoder throws and the parser keeps state while it reads.
  const parser = new XMLParser({
    ignoreAttributes: (name) => name !== 'pages',
    ignoreDeclaration: true,
    ignorePiTags: true,
    isArray: (_name, path) => LISTS.has(String(path)),
    // "007" stays "007", and spaces around a text stay.
    parseTagValue: false,
    trimValues: false,
    entityDecoder: strictDecoder,
  })
  try {
    return parser.parse(xml) as unknown
  } catch (cause) {
    if (cause instanceof MalformedXml) throw cause
    throw new MalformedXml(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/** What the parser's own validator finds, and what it lets pass. */
function checkWellFormed(xml: string): void {
  const illegal = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.exec(xml)
  if (illegal) {
    throw new MalformedXml(
      `character ${codePointName(illegal[0])} at ${illegal.index} is not allowed in XML`,
    )
  }
  const encoding = /^<\?xml[^>]*?\sencoding=["']([^"']*)["']/.exec(xml)?.[1]
  if (encoding !== undefined && encoding.toLowerCase() !== 'utf-8') {
    throw new MalformedXml(`the declaration says ${encoding}, the text is UTF-8`)
  }
  const markup = xml.replace(/<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, (part) =>
    part.startsWith('<![CDATA') ? 'text' : ' ',
  )
  if (markup.includes('<!DOCTYPE')) throw new MalformedXml('a document type is not accepted')
  if (markup.includes(']]>')) throw new MalformedXml('"]]>" stands in a text')

  const validity = XMLValidator.validate(xml)
  if (validity !== true) {
    const { msg, line, col } = validity.err
    throw new MalformedXml(`${msg} (line ${line}${col === undefined ? '' : `, column ${col}`})`)
  }
  if (/[^>\s]\s*$/.test(markup)) throw new MalformedXml('text follows the root element')
}

const NAMED_ENTITIES = new Map([
  ['amp', '&'],
  ['apos', "'"],
  ['gt', '>'],
  ['lt', '<'],
  ['quot', '"'],
])

/** XML's own five entities and character references. The parser's decoder also lets unknown ones through. */
const strictDecoder: EntityDecoderOptions = {
  setExternalEntities: () => undefined,
  addInputEntities: () => undefined,
  setXmlVersion: () => undefined,
  reset: () => undefined,
  decode: (text) =>
    text.replace(/&([^;]*);/g, (reference, name: string) => {
      const decoded = name.startsWith('#') ? decodeCharacter(name) : NAMED_ENTITIES.get(name)
      if (decoded === undefined) throw new MalformedXml(`${reference} stands for nothing in XML`)
      return decoded
    }),
}

function decodeCharacter(name: string): string | undefined {
  const digits = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/i.exec(name)
  if (!digits) return undefined
  const codePoint = digits[1] === undefined ? Number(digits[2]) : Number.parseInt(digits[1], 16)
  const isLegal =
    [0x9, 0xa, 0xd].includes(codePoint) ||
    (codePoint >= 0x20 && codePoint <= 0xd7ff) ||
    (codePoint >= 0xe000 && codePoint <= 0xfffd) ||
    (codePoint >= 0x10000 && codePoint <= 0x10ffff)
  return isLegal ? String.fromCodePoint(codePoint) : undefined
}

const codePointName = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
