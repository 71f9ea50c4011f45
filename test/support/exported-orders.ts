import { XMLParser } from 'fast-xml-parser'
import type { BasePayload } from 'payload'
import { partsOf } from './parts.js'
import { testCredentials } from './store-config.js'

/** An element with children; a text element is a string. */
export interface XmlElement {
  [name: string]: XmlElement | XmlElement[] | string
}

export interface ExportedDocument {
  pages: string
  orders: XmlElement[]
  /** The `OrderNumber` of each order. */
  references: string[]
}

const lists = new Set(['Orders.Order', 'Orders.Order.Items.Item'])

const parser = new XMLParser({
  ignoreDeclaration: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  htmlEntities: true,
  isArray: (_name, path) =>
    lists.has(String(path)) || String(path) === 'Orders.Order.Items.Item.Options.Option',
})

/** Reads an export with a parser that has nothing to do with the writer. */
export function parseExport(xml: string): ExportedDocument {
  const { Orders: root } = parser.parse(xml) as { Orders: XmlElement | string }
  if (typeof root === 'string') throw new TypeError(`<Orders> has no attributes: ${xml}`)
  const orders = (root.Order ?? []) as XmlElement[]
  return {
    pages: String(root.pages),
    orders,
    references: orders.map((o) => textAt(o, 'OrderNumber')),
  }
}

/** The document of an answer that must be a 200. */
export async function readExport(response: Response): Promise<ExportedDocument> {
  const body = await response.text()
  if (response.status !== 200) throw new Error(`The export answered ${response.status}: ${body}`)
  return parseExport(body)
}

/** The element or text at a path such as `Customer.ShipTo.Name`; undefined when there is none. */
export function at(element: XmlElement | undefined, path: string): XmlElement[string] | undefined {
  let value: XmlElement[string] | undefined = element
  for (const name of path.split('.')) {
    value = typeof value === 'object' && !Array.isArray(value) ? value[name] : undefined
  }
  return value
}

/** @throws {TypeError} when there is no text at the path. */
export function textAt(element: XmlElement | undefined, path: string): string {
  const value = at(element, path)
  if (typeof value !== 'string') throw new TypeError(`There is no text at ${path}.`)
  return value
}

/** The `Item` elements of an order. */
export function itemsOf(order: XmlElement | undefined): XmlElement[] {
  return (at(order, 'Items.Item') ?? []) as XmlElement[]
}

/** The `Option` elements of an item, as `Name: Value`. */
export function optionsOf(item: XmlElement | undefined): string[] {
  const options = (at(item, 'Options.Option') ?? []) as XmlElement[]
  return options.map((option) => `${textAt(option, 'Name')}: ${textAt(option, 'Value')}`)
}

export interface SkippedOrder {
  order: number | string
  reference: string
  reasons: string
  codes: unknown
}

/** The orders that the admin lists as left out, in the order in which they were. */
export async function skippedOrders(payload: BasePayload): Promise<SkippedOrder[]> {
  const { docs } = await payload.find({
    collection: 'shipping-skipped-orders',
    depth: 0,
    pagination: false,
    sort: 'id',
  })
  return docs as unknown as SkippedOrder[]
}

/** Takes orders, lists and changed settings out of a store, so that the next test starts afresh. */
export async function clearStore(payload: BasePayload): Promise<void> {
  await payload.delete({ collection: 'orders', where: {} })
  await payload.delete({ collection: 'shipping-pulls', where: {} })
  await changeSettings(payload, {
    storeField: '',
    pageSize: '25',
    failOnInvalidOrder: false,
    readDatesAsUtc: false,
  })
}

/** Saves shipping settings as the admin's form does, which sends the credentials along. */
export async function changeSettings(
  payload: BasePayload,
  changes: Record<string, unknown>,
): Promise<void> {
  const data = { ...testCredentials, ...changes }
  await payload.updateGlobal({ slug: 'shipping-settings', data })
}

/** Stores shipping settings that the form refuses, as an older version may have kept them. */
export async function storeSettings(
  payload: BasePayload,
  data: Record<string, unknown>,
): Promise<void> {
  await payload.db.updateGlobal({ slug: 'shipping-settings', data })
  partsOf(payload).shippingSettings.forget()
}
