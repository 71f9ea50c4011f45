import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { z } from 'zod'
import { Problem } from '../../errors.js'

const text = z.string().trim().optional()

const item = z.object({ SKU: text, Name: text, Quantity: text })

const shipNotice = z.object({
  OrderNumber: text,
  Carrier: text,
  Service: text,
  TrackingNumber: text,
  ShipDate: text,
  ShippingCost: text,
  Items: z.object({ Item: z.array(item).optional() }).optional(),
})

/** The parts of the platform's ShipNotice document that a shop keeps. All are optional there. */
export type ShipNotice = z.infer<typeof shipNotice>

const parser = new XMLParser({
  // Everything is text: a tracking number is not a number, and "007" not 7.
  parseTagValue: false,
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
  const validity = XMLValidator.validate(xml)
  if (validity !== true) throw invalid('is not well-formed')
  const document: unknown = parser.parse(xml)
  const root = z.object({ ShipNotice: z.union([shipNotice, z.literal('')]) }).safeParse(document)
  if (!root.success) throw invalid('is not a ShipNotice')
  return root.data.ShipNotice === '' ? {} : root.data.ShipNotice
}

const invalid = (why: string) =>
  new Problem('PARAMETER_INVALID', { message: `The XML body ${why}.` })
