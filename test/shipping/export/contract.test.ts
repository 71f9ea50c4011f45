import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import type { Order } from '../../../src/shop/orders/order.js'
import { orderProblems } from '../../../src/shipping/export/validate-orders.js'
import { ordersXml } from '../../../src/shipping/export/order-xml.js'
import { arbitraryOrder, exportableOrder } from '../../support/arbitrary-order.js'
import { aLine, anAddress, anOrder, overwriteOrder, saveOrders } from '../../support/orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
import { sharedStore } from '../../support/shared-store.js'
import { databaseKinds } from '../../support/store.js'

const contracts = process.env.CONTRACTS_DIR

/** Validates with libxml2 against ShipStation's published schema. */
async function schemaErrors(xml: string, changed = (schema: string) => schema): Promise<string[]> {
  const schema = changed(readFileSync(join(contracts ?? '', 'shipstation/orders.xsd'), 'utf8'))
  const { errors } = await validateXML({
    xml: [{ fileName: 'orders.xml', contents: xml }],
    schema: [schema],
    initialMemoryPages: 512,
    maxMemoryPages: 4096,
  })
  return errors.map(({ rawMessage }) => rawMessage)
}

/** The schema as ShipStation's guide describes it today: this edition of it has no sizes. */
const withDimensions = (schema: string) =>
  schema.replace(
    '<xs:element type="String100" name="Location"',
    `<xs:element name="Dimensions" minOccurs="0"><xs:complexType><xs:all>
      <xs:element name="DimensionUnits"><xs:simpleType><xs:restriction base="xs:string">
        <xs:pattern value="inch|in|cm"/></xs:restriction></xs:simpleType></xs:element>
      ${['Length', 'Width', 'Height']
        .map((side) => `<xs:element type="xs:decimal" name="${side}"/>`)
        .join('')}</xs:all></xs:complexType></xs:element>
    <xs:element type="String100" name="Location"`,
  )

const text = fc.string({ unit: 'binary', maxLength: 150 })
const side = fc.oneof(
  fc.double({ min: -1, noNaN: false }),
  fc.double({ min: 0.1, max: 500, noNaN: true }),
)
const furtherOrder = fc
  .tuple(exportableOrder, text, text, text, fc.tuple(side, side, side))
  .map(([order, location, requestedWarehouse, source, [length, width, height]]): Order => {
    const dimensions = { length, width, height, unit: 'cm' as const }
    const items = order.items.map((item) => ({ ...item, id: source, location, dimensions }))
    return { ...order, items, requestedWarehouse, source }
  })

const document = (orders: readonly Order[]): string =>
  new TextDecoder().decode(ordersXml({ orders, pages: 1, baseUrl: 'https://shop.example' }))

describe.skipIf(!contracts)("ShipStation's published schema (needs CONTRACTS_DIR)", () => {
  it('accepts every order that passes our validation', async () => {
    const passes = (order: Order) => orderProblems(order).length === 0
    const orders = [
      ...fc.sample(arbitraryOrder, { numRuns: 600, seed: 7 }),
      ...fc.sample(exportableOrder, { numRuns: 300, seed: 8 }),
    ].filter(passes)
    expect(orders.length).toBeGreaterThan(200)
    for (let start = 0; start < orders.length; start += 50) {
      expect(await schemaErrors(document(orders.slice(start, start + 50)))).toEqual([])
    }
  })

  it('accepts an export without orders', async () => {
    expect(await schemaErrors(document([]))).toEqual([])
  })

  it('refuses a document of ours that was broken on purpose', async () => {
    const [order] = fc.sample(exportableOrder, { numRuns: 1, seed: 9 })
    const xml = document(order ? [order] : [])
    expect(await schemaErrors(xml.replaceAll('<OrderTotal>', '<OrderTotal>x'))).not.toEqual([])
    expect(await schemaErrors(xml.replace('<Country>DE', '<Country>DEU'))).not.toEqual([])
  })

  it('accepts the further fields, and sizes where it knows them', async () => {
    const orders = fc
      .sample(furtherOrder, { numRuns: 100, seed: 10 })
      .filter((order) => orderProblems(order).length === 0)
    const page = { orders, pages: 1, baseUrl: 'https://shop.example' }
    const written = (dimensions: boolean) =>
      new TextDecoder().decode(ordersXml({ ...page, further: { furtherFields: true, dimensions } }))
    expect(written(false)).toContain('<LineItemID>')
    expect(await schemaErrors(written(false))).toEqual([])
    expect(written(true)).toContain('<Dimensions>')
    expect(await schemaErrors(written(true), withDimensions)).toEqual([])
  })

  describe.each(databaseKinds)('accepts what a store on %s answers', (kind) => {
    const store = sharedStore(kind)

    it('with texts of every kind, currencies of 0 and 3 decimals, and missing parts', async () => {
      const nasty = '\u0001\u0008]]> <b>&amp; "quotes" \'too\' \uD800 \uFFFE 🎁 日本語\r\n\t'
      const [, long] = await saveOrders(store.payload, [
        anOrder({ customerNotes: nasty, internalNotes: nasty, giftMessage: nasty, gift: true }),
        anOrder(),
        anOrder({ currency: 'JPY', amount: 500, discountAmount: 50 }),
        anOrder({ currency: 'KWD', amount: 1234 }),
        anOrder({ amount: -4250, taxAmount: -250, shippingAmount: null }),
        anOrder({ shippingAddress: anAddress({ state: null, postalCode: null, company: null }) }),
        anOrder({ billingAddress: anAddress({ country: null }) }),
        anOrder({ billingAddress: anAddress({ country: 'Deutschland' }) }),
        anOrder({ shippingAddress: {} }),
        anOrder({ items: [aLine({ sku: nasty.repeat(9), name: nasty.repeat(9), options: [] })] }),
        anOrder({ items: [aLine({ imageUrl: 'https://x.example/a b[c]%zz|.png', weight: null })] }),
      ])
      // A megabyte, written to the database directly, because Payload allows 40,000 characters.
      await overwriteOrder(store.payload, long?.id ?? 0, { customerNotes: '🎁'.repeat(250_000) })
      const response = await store.handle(exportRequest())
      const xml = await response.text()
      expect(response.status).toBe(200)
      expect(xml.split('<OrderID>').length - 1).toBe(9)
      expect(await schemaErrors(xml)).toEqual([])
    })
  })
})
