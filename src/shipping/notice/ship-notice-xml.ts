import { XMLParser, type EntityDecoderOptions } from 'fast-xml-parser'
import { DateTime } from 'luxon'
import * as z from 'zod/mini'
import { Problem } from '../../core/errors.js'
import { legalText } from '../xml-text.js'

/** Limits of a document: each line becomes a row, and a tag takes more time to read than its length. */
const lineLimit = 2000
const tagLimit = 16_000

const text = z.optional(z.string().check(z.trim()))

/** An element that holds elements. The parser returns a text for an empty one. */
const container = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.pipe(
    z.transform((value) => (typeof value === 'string' && value.trim() === '' ? {} : value)),
    z.object(shape),
  )

const item = container({ LineItemID: text, SKU: text, Name: text, Quantity: text })

const shipNotice = container({
  OrderID: text,
  OrderNumber: text,
  Carrier: text,
  Service: text,
  TrackingNumber: text,
  ShipDate: z.pipe(text, z.transform(readDay)),
  LabelCreateDate: z.pipe(text, z.transform(readMoment)),
  ShippingCost: text,
  NotifyCustomer: z.pipe(text, z.transform(readBoolean)),
  NotesToCustomer: text,
  CustomField1: text,
  CustomField2: text,
  CustomField3: text,
  Recipient: z.optional(
    container({
      Name: text,
      Company: text,
      Address1: text,
      Address2: text,
      City: text,
      State: text,
      PostalCode: text,
      Country: text,
    }),
  ),
  Items: z.optional(container({ Item: z.optional(z.array(item).check(z.maxLength(lineLimit))) })),
})

/** ShipStation's `12/8/2011` as `2011-12-08`; undefined when it is not such a day. */
function readDay(day: string | undefined): string | undefined {
  const read = DateTime.fromFormat(day?.split(' ')[0] ?? '', 'M/d/yyyy', { zone: 'utc' })
  return read.isValid ? read.toISODate() : undefined
}

/** ShipStation's `12/8/2011 12:56 PM` or `12/08/2011 12:56`, in UTC; undefined when it is no such moment. */
function readMoment(text: string | undefined): string | undefined {
  const formats = ['M/d/yyyy h:mm a', 'M/d/yyyy H:mm']
  const read = formats.map((format) =>
    DateTime.fromFormat(text ?? '', format, { zone: 'utc', locale: 'en-US' }),
  )
  return read
    .find(({ isValid }) => isValid)
    ?.toJSDate()
    .toISOString()
}

/** The texts of the schema's xs:boolean, in upper or lower case. */
function readBoolean(text: string | undefined): boolean | undefined {
  if (/^(?:true|1)$/i.test(text ?? '')) return true
  return /^(?:false|0)$/i.test(text ?? '') ? false : undefined
}

/** The parts of ShipStation's ShipNotice document that a shop keeps. All are optional. */
export type ShipNotice = z.infer<typeof shipNotice>

export type ShipNoticeItem = z.infer<typeof item>

const entities = new Map([
  ['amp', '&'],
  ['apos', "'"],
  ['gt', '>'],
  ['lt', '<'],
  ['quot', '"'],
])

/** The five entities of XML and numeric references; there is no DTD that could define others. */
const strictDecoder: EntityDecoderOptions = {
  setExternalEntities: () => undefined,
  addInputEntities: () => undefined,
  setXmlVersion: () => undefined,
  reset: () => undefined,
  decode: (text) =>
    // The name ends at the next `&`: otherwise a text full of ampersands takes quadratic time.
    text.replace(/&([^&;]*)(;?)/g, (_reference, name: string, end: string) => {
      const decoded = name.startsWith('#') ? decodeCharacter(name) : entities.get(name)
      if (decoded === undefined || end === '') throw invalid('is not well-formed')
      return decoded
    }),
}

function decodeCharacter(name: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? []
  const codePoint = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  if (!(codePoint <= 0x10ffff)) return undefined
  return legalText(String.fromCodePoint(codePoint)) || undefined
}

const parser = new XMLParser({
  // Everything is text: a tracking number is not a number, and "007" not 7.
  parseTagValue: false,
  // Spaces beside a CDATA section belong to the text; the schema trims the whole.
  trimValues: false,
  // Attributes are left out but still parsed, so that an undefined entity in them is found.
  ignoreAttributes: () => true,
  ignoreDeclaration: true,
  isArray: (_name, path) => path === 'ShipNotice.Items.Item',
  entityDecoder: strictDecoder,
})

/**
 * Reads a ShipNotice document.
 *
 * @throws {Problem} PARAMETER_INVALID when it has a DTD, is not well-formed, or is another document.
 */
export function readShipNotice(xml: string): ShipNotice {
  if (xml.split('<', tagLimit + 2).length > tagLimit + 1) throw invalid('has too many tags')
  if (/<!DOCTYPE/i.test(xml)) throw invalid('must not have a document type declaration')
  if (legalText(xml) !== xml || !isWellFormed(xml)) throw invalid('is not well-formed')
  const root = z.object({ ShipNotice: shipNotice }).safeParse(parse(xml))
  if (!root.success) throw invalid('is not a ShipNotice')
  return root.data.ShipNotice
}

/** The parser refuses what could harm it: elements nested too deep, names such as `__proto__`. */
function parse(xml: string): unknown {
  try {
    return parser.parse(xml)
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    throw invalid('is not a ShipNotice', cause)
  }
}

const invalid = (why: string, cause?: unknown) =>
  new Problem('PARAMETER_INVALID', { message: `The XML body ${why}.`, cause })

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
const characters = at('[^<]+')

/**
 * Whether the markup of a document without a DTD is well-formed; whoever decodes references such as `&amp;` checks
 * them. The validator of `fast-xml-parser` lets too much pass.
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
    const words = read(characters)?.[0]
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
