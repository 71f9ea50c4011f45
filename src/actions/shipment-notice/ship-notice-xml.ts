import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { z } from 'zod'
import { Problem } from '../../errors.js'

const text = z.string().trim().optional()

/** An element that holds elements. The parser gives an empty one as a text. */
const container = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess(
    (value) => (typeof value === 'string' && value.trim() === '' ? {} : value),
    z.object(shape),
  )

const item = container({ SKU: text, Name: text, Quantity: text })

const shipNotice = container({
  OrderNumber: text,
  Carrier: text,
  Service: text,
  TrackingNumber: text,
  ShipDate: text,
  ShippingCost: text,
  Items: container({ Item: z.array(item).optional() }).optional(),
})

/** The parts of the platform's ShipNotice document that a shop keeps. All are optional there. */
export type ShipNotice = z.infer<typeof shipNotice>

const parser = new XMLParser({
  // Everything is text: a tracking number is not a number, and "007" not 7.
  parseTagValue: false,
  // Spaces beside a CDATA section belong to the text; the schema trims the whole.
  trimValues: false,
  ignoreAttributes: true,
  ignoreDeclaration: true,
  isArray: (_name, path) => path === 'ShipNotice.Items.Item',
  // The five entities of XML and numeric references; there is no DTD that could define others.
  processEntities: true,
  htmlEntities: true,
})

/**
 * Reads a ShipNotice document.
 *
 * @throws {Problem} PARAMETER_INVALID when it has a DTD, is not well-formed, or is another document.
 */
export function readShipNotice(xml: string): ShipNotice {
  if (/<!DOCTYPE/i.test(xml)) throw invalid('must not have a document type declaration')
  // No XML can hold U+0000, and no database text; the validator lets it pass.
  if (xml.includes('\0') || XMLValidator.validate(xml) !== true) {
    throw invalid('is not well-formed')
  }
  const root = z.object({ ShipNotice: shipNotice }).safeParse(parse(xml))
  if (!root.success) throw invalid('is not a ShipNotice')
  return root.data.ShipNotice
}

/** The parser refuses what could harm it: elements nested too deep, names such as `__proto__`. */
function parse(xml: string): unknown {
  try {
    return parser.parse(xml)
  } catch (cause) {
    throw invalid('is not a ShipNotice', cause)
  }
}

const invalid = (why: string, cause?: unknown) =>
  new Problem('PARAMETER_INVALID', { message: `The XML body ${why}.`, cause })
