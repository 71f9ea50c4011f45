import { describe, expect, it } from 'vitest'

import {
  createShipStation,
  ShipStationError,
  type ShipStation,
  type ShopFetch,
} from '../../../../dev/shipstation/stand-in.ts'

const URL_OF_SHOP = 'https://shop.test/actions/shippingconnect/orders/process'
const WINDOW = { from: new Date('2026-03-10T14:30:00Z'), to: new Date('2026-03-11T00:05:00Z') }

interface SeenRequest {
  request: Request
  url: URL
  body: string
}

/** A shop that remembers its requests and gives the answers in turn; one too many is an error. */
function aShop(...answers: (() => Response)[]): { fetch: ShopFetch; seen: SeenRequest[] } {
  const seen: SeenRequest[] = []
  const fetch: ShopFetch = async (request) => {
    const answer = answers[seen.length]
    seen.push({ request, url: new URL(request.url), body: await request.text() })
    if (!answer) throw new Error('The shop was asked once more than expected')
    return answer()
  }
  return { fetch, seen }
}

const xml =
  (body: string, contentType = 'text/xml; charset=UTF-8') =>
  () =>
    new Response(body, { headers: { 'content-type': contentType } })

const ordersXml = (pages: number, ...orders: string[]) =>
  `<?xml version="1.0" encoding="utf-8"?>\n<Orders pages="${pages}">\n${orders.join('\n')}\n</Orders>\n`

const anItemXml = ({ sku = 'TEA-1', name = 'Green tea', options = '' } = {}) => `<Item>
  <SKU>${sku}</SKU><Name>${name}</Name><Weight>0.25</Weight><Quantity>2</Quantity>
  <UnitPrice>9.90</UnitPrice><ImageUrl>https://shop.test/tea.jpg</ImageUrl>
  <WeightUnits>Pounds</WeightUnits><Adjustment>false</Adjustment><Options>${options}</Options>
</Item>`

const anOrderXml = ({
  number = 'T-1',
  items = anItemXml(),
  notes = '',
  postalCode = '01234',
  country = 'DE',
  lastModified = '3/10/2026 15:00',
} = {}) => `<Order>
  <OrderID>7</OrderID><OrderNumber>${number}</OrderNumber><OrderStatus>processing</OrderStatus>
  <OrderTotal>24.75</OrderTotal><TaxAmount>1.95</TaxAmount><ShippingAmount>3.00</ShippingAmount>
  <LastModified>${lastModified}</LastModified><PaymentMethod>Card</PaymentMethod>
  <ShippingMethod>Express</ShippingMethod><Items>${items}</Items>
  <Customer>
    <CustomerCode>42</CustomerCode>
    <BillTo><Name>Ada</Name><Address1>Way 1</Address1><City>Köln</City><State></State>
      <PostalCode>50667</PostalCode><Country>DE</Country><Phone>+49 1</Phone>
      <Email>ada@shop.test</Email></BillTo>
    <ShipTo><Name>Bob</Name><Company/><Address1>Road 2</Address1><Address2/><City>Bonn</City>
      <State/><PostalCode>${postalCode}</PostalCode><Country>${country}</Country><Phone/></ShipTo>
  </Customer>
  <InternalNotes/><Gift>true</Gift><OrderDate>3/9/2026 8:05</OrderDate>
  <CustomField1>one</CustomField1><CustomField2/><CustomField3/>
  <CustomerNotes>${notes}</CustomerNotes><GiftMessage>Hi</GiftMessage>
</Order>`

interface Extras {
  username?: string
  password?: string
  deadlineSeconds?: number
}

const shipStationAt = (fetch: ShopFetch, extras: Extras = {}): ShipStation =>
  createShipStation({
    url: URL_OF_SHOP,
    username: 'shipstation',
    password: 'secret',
    fetch,
    now: () => new Date('2026-03-10T23:59:30Z'),
    ...extras,
  })

const pullFrom = (...answers: (() => Response)[]) =>
  shipStationAt(aShop(...answers).fetch).pull(WINDOW)

/** The one order of a pull. */
async function onlyOrder(orderXml: string) {
  const { orders } = await pullFrom(xml(ordersXml(1, orderXml)))
  const [order] = orders
  if (!order || orders.length !== 1) throw new Error(`Expected one order, got ${orders.length}`)
  return order
}

async function failureOf(action: Promise<unknown>): Promise<ShipStationError> {
  const error: unknown = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ShipStationError) return error
  throw new Error('Expected a ShipStationError', { cause: error })
}

const SHIPMENT = {
  orderNumber: 'T-1',
  carrier: 'USPS',
  service: 'Priority Mail',
  trackingNumber: '9400 1/2',
}

describe('asking for orders', () => {
  it('sends the window in UTC, to the minute, or as it is written, and the store', async () => {
    const shop = aShop(xml(ordersXml(0)), xml(ordersXml(0)))
    const shipStation = shipStationAt(shop.fetch, { username: 'jürgen', password: 'pä:ss€😀' })
    const from = new Date('2026-03-10T23:30:59+09:00')
    await shipStation.pull({ from, to: new Date('2026-12-31T23:59:59Z') })
    await shipStation.pull({ from: 'yesterday noon', to: '@1767225600', store: 'Köln & Bonn' })
    expect(shop.seen.map(({ request }) => `${request.method} ${request.url}`)).toEqual([
      `GET ${URL_OF_SHOP}?action=export&start_date=03%2F10%2F2026+14%3A30` +
        '&end_date=12%2F31%2F2026+23%3A59&page=1',
      `GET ${URL_OF_SHOP}?action=export&start_date=yesterday+noon` +
        '&end_date=%401767225600&page=1&store=K%C3%B6ln+%26+Bonn',
    ])
    const header = shop.seen[0]!.request.headers.get('authorization') ?? ''
    expect(Buffer.from(header.slice(6), 'base64').toString('utf8')).toBe('jürgen:pä:ss€😀')
  })
})

describe('walking the pages', () => {
  it('asks for every page, as many as the last one says, and keeps the order of the orders', async () => {
    const pages = [
      ordersXml(4, anOrderXml({ number: 'T-1' }), anOrderXml({ number: 'T-2' })),
      ordersXml(3, anOrderXml({ number: 'T-3' }), anOrderXml({ number: 'T-1' })),
      ordersXml(3, anOrderXml({ number: 'T-4' })),
    ]
    const shop = aShop(...pages.map((page) => xml(page)))
    const pull = await shipStationAt(shop.fetch).pull(WINDOW)
    expect(shop.seen.map(({ url }) => url.searchParams.get('page'))).toEqual(['1', '2', '3'])
    expect(pull.orders.map(({ orderNumber }) => orderNumber).join()).toBe('T-1,T-2,T-3,T-1,T-4')
    expect(pull.pages).toBe(3)
    expect(pull.documents.map((document) => document.xml)).toEqual(pages)
  })

  it('asks once and finds nothing when there are zero pages', async () => {
    const document = ordersXml(0)
    expect(await pullFrom(xml(document, 'Text/XML;charset="UTF-8"'))).toEqual({
      orders: [],
      pages: 0,
      documents: [{ page: 1, pages: 0, orders: [], xml: document }],
    })
  })
})

describe('reading an order', () => {
  it('reads every field of the interface', async () => {
    const options = '<Option><Name>Size</Name><Value>XL</Value></Option>'

    expect(await onlyOrder(anOrderXml({ items: anItemXml({ options }), notes: 'Ring' }))).toEqual({
      orderId: '7',
      orderNumber: 'T-1',
      orderStatus: 'processing',
      orderTotal: 24.75,
      taxAmount: 1.95,
      shippingAmount: 3,
      lastModified: new Date('2026-03-10T15:00:00Z'),
      paymentMethod: 'Card',
      shippingMethod: 'Express',
      items: [
        {
          lineItemId: '',
          sku: 'TEA-1',
          name: 'Green tea',
          weight: 0.25,
          quantity: 2,
          unitPrice: 9.9,
          imageUrl: 'https://shop.test/tea.jpg',
          weightUnits: 'Pounds',
          adjustment: false,
          options: [{ name: 'Size', value: 'XL' }],
        },
      ],
      customer: {
        customerCode: '42',
        billTo: {
          name: 'Ada',
          company: '',
          address1: 'Way 1',
          address2: '',
          city: 'Köln',
          state: '',
          postalCode: '50667',
          country: 'DE',
          phone: '+49 1',
          email: 'ada@shop.test',
        },
        shipTo: {
          name: 'Bob',
          company: '',
          address1: 'Road 2',
          address2: '',
          city: 'Bonn',
          state: '',
          postalCode: '01234',
          country: 'DE',
          phone: '',
        },
      },
      internalNotes: '',
      gift: true,
      orderDate: new Date('2026-03-09T08:05:00Z'),
      customField1: 'one',
      customField2: '',
      customField3: '',
      customerNotes: 'Ring',
      giftMessage: 'Hi',
    })
  })

  it.each([
    ['entities', '&lt;b&gt; &amp;amp; &quot;&apos; &#233;&#x1F600;', '<b> &amp; "\' é😀'],
    ['line breaks', 'a\nb\r\nc&#13;&#10;d', 'a\nb\nc\r\nd'],
    ['space around and within', '  a   b\t', '  a   b\t'],
    ['CDATA beside text', 'a &amp; <![CDATA[<!DOCTYPE x> &amp;]]> b', 'a & <!DOCTYPE x> &amp; b'],
    ['comments left out', 'a<!-- ]]> <!DOCTYPE x> -->b', 'ab'],
    ['the name of a property of objects', '__proto__', '__proto__'],
    ['digits', '0x10', '0x10'],
  ])('reads a text with %s', async (_what, written, read) => {
    expect((await onlyOrder(anOrderXml({ notes: written }))).customerNotes).toBe(read)
  })

  it.each([
    ['3/9/2026 8:05', '2026-03-09T08:05:00Z'],
    ['12/8/2011 12:56 PM', '2011-12-08T12:56:00Z'],
    ['12/8/2011 12:56:07 am', '2011-12-08T00:56:07Z'],
  ])('reads the date %s as UTC', async (written, instant) => {
    const order = await onlyOrder(anOrderXml({ lastModified: written, items: '\n  ' }))
    expect(order).toMatchObject({ lastModified: new Date(instant), items: [] })
  })
})

describe('refusing an export', () => {
  it.each([
    ['an element that does not end', '<Orders pages="1"><Order></Orders>'],
    ['a bare ampersand', ordersXml(1, anOrderXml({ notes: 'salt & pepper' }))],
    ['an entity of HTML', ordersXml(1, anOrderXml({ notes: '&nbsp;' }))],
    ['a reference to half a character', ordersXml(1, anOrderXml({ notes: '&#xD83D;' }))],
    ['an illegal character', ordersXml(1, anOrderXml({ notes: '\u001B[2J' }))],
    ['"]]>" in a text', ordersXml(1, anOrderXml({ notes: 'a ]]> b' }))],
    ['a document type', '<!DOCTYPE Orders><Orders pages="0"/>'],
    ['two roots', '<Orders pages="0"/><Orders pages="0"/>'],
    ['text after the root', '<Orders pages="0"/>done'],
    ['another encoding', '<?xml version="1.0" encoding="utf-16"?><Orders pages="0"/>'],
    ['nothing', ''],
  ])('finds XML malformed that has %s', async (_what, document) => {
    const error = await failureOf(pullFrom(xml(document)))
    expect(error).toMatchObject({ code: 'XML_MALFORMED', status: 200, answer: document })
  })

  it.each([
    ['ROOT_WRONG', 'root element is html', xml('<html><body>Hello</body></html>')],
    ['CONTENT_TYPE_WRONG', 'text/html', xml(ordersXml(0), 'text/html; charset=utf-8')],
    ['CONTENT_TYPE_WRONG', 'iso-8859-1', xml(ordersXml(0), 'text/xml; charset=iso-8859-1')],
    ['ORDERS_INVALID', 'schema: pages is', xml('<Orders/>')],
    ['ORDERS_INVALID', 'schema: pages is', xml('<Orders pages="-1"/>')],
  ])('says %s, and %s', async (code, message, answer) => {
    const error = await failureOf(pullFrom(answer))
    expect(error.code).toBe(code)
    expect(error.message).toContain(message)
  })

  it.each([
    ['Customer > ShipTo > Country must be exactly 2 characters', { country: 'DEU' }],
    ['LastModified is not a date of the shape', { lastModified: '2026-03-10' }],
    ['CustomerNotes is longer than 1000 characters', { notes: '😀'.repeat(1001) }],
    ['CustomerNotes must hold one text', { notes: '<b>bold</b>' }],
    ['Items holds text between its elements', { items: `x${anItemXml()}` }],
    ['Items > Item 1 > SKU is missing', { items: '<Item/>' }],
    [
      'Items > Item 1 > Quantity is not a whole number',
      { items: anItemXml().replace('<Quantity>2', '<Quantity>1.5') },
    ],
    ['Items > Item 1 > WeightUnits is not a unit', { items: anItemXml().replace('Pounds', 'kg') }],
  ])('says where an order breaks the schema: %s', async (message, flaw) => {
    const document = ordersXml(1, anOrderXml(), anOrderXml({ number: 'T-9', ...flaw }))
    const error = await failureOf(pullFrom(xml(document)))
    expect(error.code).toBe('ORDERS_INVALID')
    expect(error.message).toContain(`Order 2 (T-9) > ${message}`)
  })
})

describe('a shop that does not answer with success', () => {
  it.each([
    [401, 'CREDENTIALS_REFUSED'],
    [302, 'SHOP_REFUSED'],
    [404, 'SHOP_REFUSED'],
    [500, 'SHOP_REFUSED'],
  ])('is told apart by its status %i, whatever was asked', async (status, code) => {
    const refused = () => new Response('Sorry', { status })
    const shop = aShop(xml(ordersXml(3)), refused, refused)
    const shipStation = shipStationAt(shop.fetch)
    for (const ask of [() => shipStation.pull(WINDOW), () => shipStation.ship(SHIPMENT)]) {
      expect(await failureOf(ask())).toMatchObject({ code, status, answer: 'Sorry' })
    }
  })

  it('is told apart when it cannot be reached, with the cause', async () => {
    const cause = new TypeError('fetch failed')
    const error = await failureOf(shipStationAt(() => Promise.reject(cause)).pull(WINDOW))
    expect(error).toMatchObject({ code: 'SHOP_UNREACHABLE', status: undefined, answer: '', cause })
  })

  it('is given up at the deadline, also in the middle of an answer', async () => {
    const endless = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('<Orders')),
    })
    const answer = () => new Response(endless, { headers: { 'content-type': 'text/xml' } })
    for (const fetch of [() => new Promise<Response>(() => undefined), aShop(answer).fetch]) {
      const shipStation = shipStationAt(fetch, { deadlineSeconds: 0.02 })
      expect((await failureOf(shipStation.pull(WINDOW))).code).toBe('DEADLINE_PASSED')
    }
  })
})

describe('telling of a shipment', () => {
  const ok = () => Response.json({ success: true })

  it('posts the values in the query and an XML body beside them, which escapes what is markup', async () => {
    const shop = aShop(ok)
    const service = `<b>&amp; "fast" 'n' ]]> é😀\r\n\u0000\u001B\uD83D\uFFFF`
    const answer = await shipStationAt(shop.fetch).ship({ ...SHIPMENT, service })
    expect(answer).toEqual({ status: 200, answer: '{"success":true}' })
    const { request, url, body } = shop.seen[0]!
    expect(request.method).toBe('POST')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      action: 'shipnotify',
      order_number: 'T-1',
      carrier: 'USPS',
      tracking_number: '9400 1/2',
    })
    expect(url.searchParams.get('service')).toContain(`<b>&amp; "fast"`)
    expect(request.headers.get('content-type')).toBe('application/xml')
    expect(request.headers.get('authorization')).toBe('Basic c2hpcHN0YXRpb246c2VjcmV0')
    expect(body).toContain(
      '<Service>&lt;b&gt;&amp;amp; &quot;fast&quot; &apos;n&apos; ]]&gt; é😀&#13;\n</Service>',
    )
    expect(body).toContain('<ShipDate>03/10/2026</ShipDate>')
    expect(body).toContain('<ShippingCost>0.00</ShippingCost>')
  })

  it('writes the notice with the elements of the documentation, in their order', async () => {
    const shop = aShop(ok)

    await shipStationAt(shop.fetch).ship({
      ...SHIPMENT,
      orderId: '7',
      customerCode: 'ada@shop.test',
      shipDate: new Date('2026-03-09T12:00:00Z'),
      shippingCost: 4.9,
      notifyCustomer: false,
      recipient: {
        name: 'Bob',
        address1: 'Road 2',
        city: 'Bonn',
        postalCode: '01234',
        country: 'DE',
      },
      items: [
        { sku: '007', name: 'Green tea', quantity: 2 },
        { sku: 'CUP', name: 'Cup', quantity: 1, lineItemId: 'L-2' },
      ],
    })

    expect(shop.seen[0]!.body).toBe(
      [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<ShipNotice>',
        '<OrderNumber>T-1</OrderNumber>',
        '<OrderID>7</OrderID>',
        '<CustomerCode>ada@shop.test</CustomerCode>',
        '<NotifyCustomer>false</NotifyCustomer>',
        '<LabelCreateDate>03/10/2026 23:59</LabelCreateDate>',
        '<ShipDate>03/09/2026</ShipDate>',
        '<Carrier>USPS</Carrier>',
        '<Service>Priority Mail</Service>',
        '<TrackingNumber>9400 1/2</TrackingNumber>',
        '<ShippingCost>4.90</ShippingCost>',
        '<Recipient>',
        '<Name>Bob</Name>',
        '<Company></Company>',
        '<Address1>Road 2</Address1>',
        '<Address2></Address2>',
        '<City>Bonn</City>',
        '<State></State>',
        '<PostalCode>01234</PostalCode>',
        '<Country>DE</Country>',
        '</Recipient>',
        '<Items>',
        '<Item>',
        '<SKU>007</SKU>',
        '<Name>Green tea</Name>',
        '<Quantity>2</Quantity>',
        '</Item>',
        '<Item>',
        '<LineItemID>L-2</LineItemID>',
        '<SKU>CUP</SKU>',
        '<Name>Cup</Name>',
        '<Quantity>1</Quantity>',
        '</Item>',
        '</Items>',
        '</ShipNotice>',
        '',
      ].join('\n'),
    )
  })
})
