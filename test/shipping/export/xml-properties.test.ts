import { XMLValidator } from 'fast-xml-parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Address, LineItem, Order } from '../../../src/shop/orders/order.js'
import { orderProblems } from '../../../src/shipping/export/validate-orders.js'
import { ordersXml } from '../../../src/shipping/export/order-xml.js'
import { arbitraryOrder, exportableOrder } from '../../support/arbitrary-order.js'
import { itemsOf, parseExport, textAt, type XmlElement } from '../../support/exported-orders.js'
import { propertyRuns, propertyTimeoutMs } from '../../support/property-runs.js'

/** An order holds dozens of texts. */
const runs = { numRuns: Math.ceil(propertyRuns / 40) }

const write = (orders: readonly Order[]) =>
  new TextDecoder().decode(ordersXml({ orders, pages: 1, baseUrl: 'https://shop.example' }))

/** Orders that pass validation: some have any values, the others are built to pass. */
const passing = fc
  .oneof(arbitraryOrder, exportableOrder, exportableOrder)
  .filter((order) => orderProblems(order).length === 0)

/** The part of a text that must arrive: its first characters, without those that XML 1.0 forbids. */
function legal(text: string, limit: number): string {
  const characters = [...text].filter((character) => {
    const code = character.codePointAt(0) ?? 0
    return (
      [0x9, 0xa, 0xd].includes(code) ||
      (code >= 0x20 && code <= 0xd7ff) ||
      (code >= 0xe000 && code <= 0xfffd) ||
      code >= 0x10000
    )
  })
  return characters.slice(0, limit).join('')
}

const decimal = /^-?\d+\.\d{2,3}$/

function expectOrder(element: XmlElement, order: Order): void {
  const texts: [path: string, text: string, limit: number][] = [
    ['OrderID', String(order.id), 50],
    ['OrderNumber', order.reference, 50],
    ['OrderStatus', order.status, 50],
    ['PaymentMethod', order.paymentMethod, 50],
    ['ShippingMethod', order.shippingMethod, 100],
    ['InternalNotes', order.internalNotes, 1000],
    ['CustomField1', order.customField1, 100],
    ['CustomField2', order.customField2, 100],
    ['CustomField3', order.customField3, 100],
    ['CustomerNotes', order.customerNotes, 1000],
    ['GiftMessage', order.giftMessage, 1000],
    ['Customer.CustomerCode', String(order.customerId ?? order.email), 100],
    ['Customer.BillTo.Email', order.email, Infinity],
    ...addressTexts('Customer.BillTo', order.billingAddress ?? order.shippingAddress),
    ...addressTexts('Customer.ShipTo', order.shippingAddress),
  ]
  for (const [path, text, limit] of texts) {
    expect([path, textAt(element, path)]).toEqual([path, legal(text, limit)])
  }
  expect(textAt(element, 'Customer.ShipTo.Country')).toMatch(/^[A-Z]{2}$/)
  expect(element.Gift).toBe(String(order.gift))
  for (const name of ['OrderTotal', 'TaxAmount', 'ShippingAmount']) {
    expect(element[name]).toMatch(decimal)
  }
  for (const name of ['OrderDate', 'LastModified']) {
    expect(element[name]).toMatch(/^\d{1,2}\/\d{1,2}\/\d{4} \d\d:\d\d$/)
  }
  const items = itemsOf(element)
  expect(items).toHaveLength(order.items.length + (order.discountAmount === 0 ? 0 : 1))
  for (const [index, line] of order.items.entries()) expectLine(items[index], line)
}

function expectLine(item: XmlElement | undefined, line: LineItem): void {
  expect(textAt(item, 'SKU')).toBe(legal(line.sku, 50))
  expect(textAt(item, 'Name')).toBe(legal(line.name, 200))
  expect(textAt(item, 'Quantity')).toBe(String(line.quantity))
  expect(textAt(item, 'UnitPrice')).toMatch(decimal)
  expect(textAt(item, 'Weight')).toMatch(/^\d+(\.\d*[1-9])?$/)
  expect(textAt(item, 'WeightUnits')).toMatch(/^(Grams|Ounces|Pounds)$/)
  expect(textAt(item, 'Adjustment')).toBe('false')
  expect(textAt(item, 'ImageUrl')).toMatch(/^$|^https?:\/\/[!-~]+$/)
  const options = item?.Options
  const written = typeof options === 'object' && 'Option' in options ? options.Option : []
  expect(written).toEqual(
    line.options.map(({ name, value }) => ({ Name: legal(name, 100), Value: legal(value, 100) })),
  )
}

const addressTexts = (place: string, address: Address): [string, string, number][] => [
  [`${place}.Name`, address.name, 100],
  [`${place}.Company`, address.company, 100],
  [`${place}.Address1`, address.line1, 200],
  [`${place}.Address2`, address.line2, 200],
  [`${place}.City`, address.city, 100],
  [`${place}.State`, address.state, 100],
  [`${place}.PostalCode`, address.postalCode, 50],
  [`${place}.Phone`, address.phone, 50],
]

describe('The XML of any orders that pass validation', { timeout: propertyTimeoutMs }, () => {
  it('is well-formed, brings every text, cut and legal, through a parser, and no order changes another', () => {
    fc.assert(
      fc.property(fc.array(passing, { maxLength: 3 }), (orders) => {
        const xml = write(orders)
        expect(XMLValidator.validate(xml)).toBe(true)
        expect(xml.isWellFormed()).toBe(true)
        // https://www.w3.org/TR/xml/#charsets, without the carriage return, which is escaped.
        expect(xml).toMatch(/^[\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u)
        expect(xml).not.toMatch(/]]>|<!|<\?(?!xml version)/)
        const parsed = parseExport(xml).orders
        expect(parsed).toHaveLength(orders.length)
        for (const [index, order] of orders.entries()) expectOrder(parsed[index] ?? {}, order)
      }),
      runs,
    )
  })

  it('has the sum of money to the last minor unit, read back as a decimal', () => {
    const digits = { USD: 2, JPY: 0, KWD: 3, CLF: 4, BHD: 3, EUR: 2 }
    const currency = fc.constantFrom(...(Object.keys(digits) as (keyof typeof digits)[]))
    const amount = fc.maxSafeInteger()
    fc.assert(
      fc.property(exportableOrder, currency, amount, (order, code, total) => {
        const [element] = parseExport(write([{ ...order, currency: code, total }])).orders
        const text = textAt(element, 'OrderTotal')
        const [whole = '', fraction = ''] = text.replace('-', '').split('.')
        const minorUnits = BigInt(whole + fraction.slice(0, digits[code]))
        expect(fraction.slice(digits[code])).toMatch(/^0*$/)
        expect(text.startsWith('-') ? -minorUnits : minorUnits).toBe(BigInt(total))
      }),
    )
  })
})
