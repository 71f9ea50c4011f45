import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { saveOrder, type SavedOrder } from '../../support/orders.js'
import { exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import { anyKind, openStore, type TestStore } from '../../support/store.js'
import { element, shipNotice, entryOfDocument } from './ship-notice-document.js'
import { notify, readEntries, readHistory, readShipment } from './stored-shipment.js'

const xml = (body: string, type = 'text/xml'): RequestInit => ({
  body,
  headers: { 'content-type': type },
})

const onThe = (day: string): unknown => expect.stringMatching(`^${day}T`)

describe("shipnotify's body may be a ShipNotice document", () => {
  let store: TestStore
  let refused: SavedOrder
  beforeAll(async () => {
    store = await openStore(anyKind)
    refused = await saveOrder(store.payload)
  })
  afterAll(() => store.close())

  const entriesOf = (id: number | string) => readEntries(store.payload, id)
  /** Posts a body that is refused as 400, and nothing is done. Resolves to the message. */
  const refusalOf = async (body: string): Promise<unknown> => {
    const { id, reference } = refused
    const before = await readShipment(store.payload, id)
    const parameters = { order_number: reference, carrier: 'UPS' }
    const headers = { 'content-type': 'text/xml', accept: 'application/json' }
    const response = await store.handle(noticeRequest(parameters, { body, headers }))
    expect(response.status).toBe(400)
    expect(await readShipment(store.payload, id)).toEqual(before)
    const { errors } = (await response.json()) as { errors: { message: unknown }[] }
    return errors[0]?.message
  }
  const onlyNoticeOf = async (id: number | string) => {
    const history = await readHistory(store.payload, id)
    expect(history).toHaveLength(1)
    return history[0]
  }

  describe('when a parameter is absent, its value is read from there', () => {
    it('all of them', async () => {
      const { id, reference } = await saveOrder(store.payload)
      await notify(store, {}, xml(shipNotice({ OrderNumber: reference })))
      expect(await readShipment(store.payload, id)).toMatchObject({
        status: 'shipped',
        entries: [entryOfDocument],
        history: [{ reference, ...entryOfDocument }],
      })
    })

    it.each([
      ['carrier', 'carrier', 'UPS'],
      ['service', 'service', 'Ground'],
      ['tracking_number', 'trackingNumber', '1Z999AA1'],
    ])('it never overrides a parameter: %s', async (parameter, field, value) => {
      const { id, reference } = await saveOrder(store.payload)
      await notify(store, { order_number: reference, [parameter]: value }, xml(shipNotice()))
      expect(await entriesOf(id)).toEqual([{ ...entryOfDocument, [field]: value }])
    })

    it('it never overrides a parameter: order_number', async () => {
      const [wanted, other] = [await saveOrder(store.payload), await saveOrder(store.payload)]
      const body = shipNotice({ OrderNumber: other.reference })
      await notify(store, { order_number: wanted.reference }, xml(body))
      expect(await entriesOf(wanted.id)).toEqual([entryOfDocument])
      expect(await entriesOf(other.id)).toEqual([])
    })

    it.each([
      ['missing', shipNotice({ OrderID: '' })],
      ['empty', shipNotice({ OrderID: '', OrderNumber: '' })],
      ['blank', shipNotice({ OrderID: ' ', OrderNumber: ' \n ' })],
    ])('an order number that is %s here too, and no id: 406', async (_what, body) => {
      expect((await store.handle(noticeRequest({}, xml(body)))).status).toBe(406)
    })

    it('an order number that is missing here too: the id names the order', async () => {
      await store.payload.delete({ collection: 'orders', where: {} })
      const { id, reference } = await saveOrder(store.payload)
      const body = shipNotice({ OrderID: String(id), OrderNumber: '' })
      expect((await store.handle(noticeRequest({}, xml(body)))).status).toBe(404)
      await store.handle(exportRequest())
      await notify(store, {}, xml(body))
      expect(await readHistory(store.payload, id)).toMatchObject([{ reference }])
      const { status } = await store.handle(noticeRequest({}, xml(shipNotice({ OrderID: '0' }))))
      expect(status).toBe(404)
      const empty = await store.handle(noticeRequest({ order_number: '' }, xml(body)))
      expect(empty.status).toBe(406)
    })

    it('an empty service, as ShipStation sends it, comes from the body', async () => {
      const { id, reference } = await saveOrder(store.payload)
      const parameters = {
        order_number: reference,
        carrier: 'USPS',
        service: '',
        tracking_number: '9400111206213835724410',
      }
      await notify(store, parameters, xml(shipNotice()))
      expect(await entriesOf(id)).toEqual([entryOfDocument])
    })

    it('also with a byte order mark, and when it says nothing', async () => {
      const blank = { service: '', trackingNumber: '' }
      for (const [body, inBody] of [
        [`\uFEFF${shipNotice()}`, entryOfDocument],
        ['<ShipNotice/>', blank],
        ['<ShipNotice>\n</ShipNotice>', blank],
      ] as const) {
        const { id, reference } = await saveOrder(store.payload)
        await notify(store, { order_number: reference, carrier: 'UPS' }, xml(body))
        expect(await entriesOf(id)).toEqual([{ ...inBody, carrier: 'UPS' }])
      }
    })

    it('whatever its Content-Type', async () => {
      for (const type of [
        'text/xml; charset=utf-8',
        'application/xml',
        'application/x-www-form-urlencoded',
        'text/plain;charset=UTF-8',
        'application/octet-stream',
        'nonsense',
        undefined,
      ]) {
        const { id, reference } = await saveOrder(store.payload)
        const init =
          type === undefined ? { body: Buffer.from(shipNotice()) } : xml(shipNotice(), type)
        await notify(store, { order_number: reference }, init)
        expect({ type, entries: await entriesOf(id) }).toEqual({ type, entries: [entryOfDocument] })
      }
    })
  })

  describe('what else it says of the parcel is kept in the history', () => {
    it('lines, ship date and cost', async () => {
      const { id, reference } = await saveOrder(store.payload)
      const items = [
        { LineItemID: '25590', SKU: 'TEA-1', Name: 'Green tea', Quantity: '2' },
        { SKU: 'CUP-1', Name: 'Cup', Quantity: '1' },
      ]
      await notify(store, { order_number: reference }, xml(shipNotice({}, items)))
      const notice = await onlyNoticeOf(id)
      expect(notice).toMatchObject({ order: id, reference, shippingCost: '4.95' })
      expect(notice?.shipDate).toMatch(/^2011-12-08T/)
      expect(notice?.lines).toEqual([
        { lineItemId: '25590', sku: 'TEA-1', name: 'Green tea', quantity: 2 },
        { sku: 'CUP-1', name: 'Cup', quantity: 1 },
      ])
    })

    it('what is for people: recipient, notes, when the label was made, who tells the customer', async () => {
      const { id, reference } = await saveOrder(store.payload)
      const to = { Name: 'Ada King', Address1: '1 Dorset St', City: 'Bath', PostalCode: 'BA1' }
      const said = {
        Recipient: Object.entries(to)
          .map(([name, text]) => element(name, text))
          .join(''),
        NotesToCustomer: 'Ring twice',
        CustomField1: 'A',
        CustomField3: 'C',
      }
      await notify(store, { order_number: reference }, xml(shipNotice(said)))
      expect(await onlyNoticeOf(id)).toMatchObject({
        recipient: 'Ada King\n1 Dorset St\nBA1 Bath',
        notesToCustomer: 'Ring twice',
        labelCreatedAt: '2011-12-08T12:56:00.000Z',
        notifyCustomer: 'no',
        customField1: 'A',
        customField2: null,
        customField3: 'C',
      })
    })

    it.each<[Record<string, string>, object]>([
      [{ LabelCreateDate: '1/2/2026 1:05 AM' }, { labelCreatedAt: '2026-01-02T01:05:00.000Z' }],
      [{ LabelCreateDate: '01/02/2026 13:05' }, { labelCreatedAt: '2026-01-02T13:05:00.000Z' }],
      [{ LabelCreateDate: 'soon' }, { labelCreatedAt: null }],
      [{ NotifyCustomer: 'TRUE' }, { notifyCustomer: 'yes' }],
      [{ ShipDate: '12/31/2011' }, { shipDate: onThe('2011-12-31') }],
      [{ ShipDate: '02/29/2012 14:05' }, { shipDate: onThe('2012-02-29') }],
      [{ ShipDate: '2/30/2012' }, { shipDate: null }],
      [{ ShipDate: 'soon' }, { shipDate: null }],
      [{ ShipDate: '' }, { shipDate: null }],
    ])('%j is kept as %j', async (said, kept) => {
      const { id, reference } = await saveOrder(store.payload)
      await notify(store, { order_number: reference }, xml(shipNotice(said)))
      expect(await onlyNoticeOf(id)).toMatchObject(kept)
    })

    it('a SKU stays the text that it is, and a quantity that is no number is 0', async () => {
      const { id, reference } = await saveOrder(store.payload)
      const skus = ['007', '1e3', '0x10', '12345678901234567890', 'true', '1.50']
      const quantities = ['2.0', '', 'two', '1e999', '1', '1']
      const items = skus.map((sku, index) => ({
        SKU: sku,
        Name: sku,
        Quantity: quantities[index] ?? '',
      }))
      const body = shipNotice({ TrackingNumber: '007', ShippingCost: '1e3' }, items)
      await notify(store, { order_number: reference }, xml(body))
      expect(await onlyNoticeOf(id)).toMatchObject({
        trackingNumber: '007',
        shippingCost: '1e3',
        lines: skus.map((sku, index) => ({
          sku,
          name: sku,
          quantity: [2, 0, 0, 0, 1, 1][index],
        })),
      })
    })

    it.each([
      ['empty', '<Items/>', []],
      ['blank', '<Items>\n  </Items>', []],
      ['missing', '', []],
      [
        'the same, and say nothing',
        '<Items><Item/><Item/></Items>',
        Array(2).fill({ sku: '', name: '', quantity: 0 }),
      ],
    ])('items that are %s', async (_what, items, lines) => {
      const { id, reference } = await saveOrder(store.payload)
      const body = shipNotice().replace('<Items></Items>', items)
      await notify(store, { order_number: reference }, xml(body))
      expect((await onlyNoticeOf(id))?.lines).toEqual(lines)
    })

    it('as many lines as a body can hold', async () => {
      const { id, reference } = await saveOrder(store.payload)
      const count = 1500
      const items = Array.from({ length: count }, (_, index) => ({
        SKU: `SKU-${index}`,
        Name: 'Salt &amp; pepper, &quot;fine&quot;',
        Quantity: '1',
      }))
      await notify(store, { order_number: reference }, xml(shipNotice({}, items)))
      const lines = (await onlyNoticeOf(id))?.lines ?? []
      expect(lines).toHaveLength(count)
      expect(lines.at(-1)).toEqual({
        sku: `SKU-${count - 1}`,
        name: 'Salt & pepper, "fine"',
        quantity: 1,
      })
    })
  })

  describe('its text', () => {
    it.each([
      ['the five entities', '&lt;&gt;&amp;&apos;&quot;', '<>&\'"'],
      ['numeric references', 'caf&#233; &#x20AC; &#x1F600;', 'café € 😀'],
      ['an escaped ampersand, once', '&amp;lt;', '&lt;'],
      ['CDATA', '<![CDATA[Tom & "Jerry" <Ltd>]]>', 'Tom & "Jerry" <Ltd>'],
      ['an entity in CDATA, which is none', '<![CDATA[a &amp; b]]>', 'a &amp; b'],
      ['CDATA beside text', 'Tom <![CDATA[&]]> Jerry', 'Tom & Jerry'],
      ['comments, left out', 'U<!-- no -->PS', 'UPS'],
      ['other scripts', 'Почта 日本郵便 😀', 'Почта 日本郵便 😀'],
      ['spaces around it, cut off', '\n  Royal  Mail\t', 'Royal  Mail'],
    ])('is read with %s', async (_what, content, text) => {
      const { id, reference } = await saveOrder(store.payload)
      const items = [{ SKU: content, Name: content, Quantity: '1' }]
      const body = shipNotice({ Carrier: content }, items)
      await notify(store, { order_number: reference }, xml(body))
      expect(await entriesOf(id)).toEqual([{ ...entryOfDocument, carrier: text }])
      expect((await onlyNoticeOf(id))?.lines).toEqual([{ sku: text, name: text, quantity: 1 }])
    })

    it('attributes and elements that nobody knows are passed over', async () => {
      const { id, reference } = await saveOrder(store.payload)
      const body = shipNotice({ Future: element('Thing', 'x') })
        .replace('<ShipNotice>', '<ShipNotice xmlns="urn:x" version="2">')
        .replace('<Carrier>', '<Carrier code="usps">')
      await notify(store, { order_number: reference }, xml(body))
      expect(await entriesOf(id)).toEqual([entryOfDocument])
    })
  })

  describe('a body that is no ShipNotice is 400, and nothing is done', () => {
    const doctype = '<!DOCTYPE ShipNotice [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    const bomb =
      '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'

    it.each([
      ['a DTD', `<!DOCTYPE ShipNotice>${shipNotice().replace(/^<\?.*\?>/, '')}`],
      ['an external entity', `${doctype}<ShipNotice><Carrier>&x;</Carrier></ShipNotice>`],
      ['an entity bomb', `${bomb}<ShipNotice><Carrier>&b;</Carrier></ShipNotice>`],
      ['a DTD in lower case', '<!doctype ShipNotice><ShipNotice/>'],
      ['cut off', shipNotice().slice(0, -5)],
      ['a bare ampersand in an attribute', '<ShipNotice from="Tom & Jerry"/>'],
      ['an attribute full of ampersands', `<ShipNotice from="${'&'.repeat(200_000)}"/>`],
      ['a NUL character', shipNotice({ Carrier: 'U\0PS' })],
      ['another root', '<Orders pages="1"/>'],
      ['another root in another case', '<shipnotice/>'],
      ['an HTML page', '<html><body>Bad gateway</body></html>'],
      ['elements where a text belongs', shipNotice({ Carrier: '<b>UPS</b>' })],
      ['a text twice', shipNotice({ Carrier: 'UPS</Carrier><Carrier>DHL' })],
      ['text where elements belong', shipNotice({ Items: 'TEA-1' })],
      ['nested without end', shipNotice({ Future: '<a>'.repeat(500) + '</a>'.repeat(500) })],
      ['a name that reaches a prototype', shipNotice({ __proto: '<__proto__>x</__proto__>' })],
    ])('%s', async (_what, body) => {
      expect(await refusalOf(body)).toMatch(/^The XML body .+\.$/)
    })
  })

  describe('a body that is not well-formed is 400, and nothing is done', () => {
    const within = (markup: string) => shipNotice({ Future: markup })
    const root = (markup: string) => shipNotice().replace('<ShipNotice>', markup)

    it.each([
      ['"<" in an attribute', root('<ShipNotice from="1<2">')],
      ['"<" in an attribute of an element that is passed over', within("<a b='<'/>")],
      ['"<" in an attribute behind ">"', within('<a b=">" c="<"/>')],
      ['an attribute twice', within('<a b="1" b="2"/>')],
      ['an attribute without quotes', within('<a b=1/>')],
      ['an attribute with two quotes of different kinds', within('<a b="1\'/>')],
      ['an attribute without a value', within('<a b/>')],
      ['attributes without a space between', within('<a b="1"c="2"/>')],
      ['a start tag that does not end', within('<a b="1"')],
      ['elements wrongly nested', within('<a><b></a></b>')],
      ['a second root', `${shipNotice()}<ShipNotice/>`],
      ['an end tag with an attribute', within('<a></a b="1">')],
      ['an end tag too many', `${shipNotice()}</ShipNotice>`],
      ['an end tag in another case', within('<a></A>')],
      ['a name that begins with a digit', within('<1a/>')],
      ['a name after a space', within('< a/>')],
      ['a bare ampersand', within('Tom & Jerry')],
      ['text behind the end', `${shipNotice()}.`],
      ['CDATA outside of the root', `${shipNotice()}<![CDATA[ ]]>`],
      ['CDATA without an end', within('<![CDATA[x')],
      ['"]]>" in a text', within(']]>')],
      ['a comment with "--"', within('<!-- a -- b -->')],
      ['a comment without an end', within('<!-- a ->')],
      ['a declaration inside of the root', within('<?xml version="1.0"?>')],
      ['a declaration without a version', shipNotice().replace(' version="1.0"', '')],
      ['an instruction without a name', within('<? a?>')],
      ['a part of a DTD', within('<!ENTITY a "b">')],
      ['a reference without ";"', within('a &amp b')],
      ['a reference to nothing', within('&nbsp;')],
      ['a reference to a character that XML forbids', within('&#1;')],
      ['a surrogate', within('&#xD800;')],
    ])('%s', async (_what, body) => {
      expect(await refusalOf(body)).toBe('The XML body is not well-formed.')
    })

    it.each([
      ['">" and the other quote in an attribute', within(`<a b="1>2'" c = '"'\n/>`)],
      ['markup in CDATA', within('<![CDATA[<a b="<"> & <!-- -- ]] ]>]]>')],
      ['markup in a comment', within('<!-- <a b="<"> & - -->')],
      ['an instruction', within('<?a <b c="<"> & ?>')],
      [
        'names of other languages, prefixes and dots',
        within('<Größe:x.y-z_1 _a="1">x</Größe:x.y-z_1 >'),
      ],
      ['comments and instructions around the root', `${shipNotice()}\n<!-- a --><?b?>\n`],
      ['no declaration', shipNotice().replace(/^<\?.*\?>\n/, '')],
      ['a declaration in full', shipNotice().replace('?>', " standalone='yes' ?>")],
    ])('but not one with %s', async (_what, body) => {
      const { id, reference } = await saveOrder(store.payload)
      await notify(store, { order_number: reference }, xml(body))
      expect(await entriesOf(id)).toEqual([entryOfDocument])
    })
  })
})
