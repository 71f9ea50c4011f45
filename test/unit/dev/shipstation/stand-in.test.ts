import { XMLParser } from 'fast-xml-parser'
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

describe('asking for orders', () => {
  it('sends the window in UTC, to the minute, encoded as the platform does', async () => {
    const shop = aShop(xml(ordersXml(0)))
    const from = new Date('2026-03-10T23:30:59+09:00')

    await shipStationAt(shop.fetch).pull({ from, to: new Date('2026-12-31T23:59:59Z') })

    expect(shop.seen.map(({ request }) => `${request.method} ${request.url}`)).toEqual([
      `GET ${URL_OF_SHOP}?action=export&start_date=03%2F10%2F2026+14%3A30` +
        '&end_date=12%2F31%2F2026+23%3A59&page=1',
    ])
  })

  it('sends a window given as text as it is', async () => {
    const shop = aShop(xml(ordersXml(0)))

    await shipStationAt(shop.fetch).pull({ from: 'yesterday noon', to: '@1767225600' })

    const { searchParams } = shop.seen[0]!.url
    expect(searchParams.get('start_date')).toBe('yesterday noon')
    expect(searchParams.get('end_date')).toBe('@1767225600')
  })

  it('names the store only when one is asked for', async () => {
    const shop = aShop(xml(ordersXml(0)), xml(ordersXml(0)))
    const shipStation = shipStationAt(shop.fetch)

    await shipStation.pull({ ...WINDOW, store: 'Köln & Bonn' })
    await shipStation.pull(WINDOW)

    expect(shop.seen.map(({ url }) => url.searchParams.get('store'))).toEqual(['Köln & Bonn', null])
  })

  it('sends a username and a password with colons and non-ASCII text in UTF-8', async () => {
    const shop = aShop(xml(ordersXml(0)))

    await shipStationAt(shop.fetch, { username: 'jürgen', password: 'pä:ss€😀' }).pull(WINDOW)

    const header = shop.seen[0]!.request.headers.get('authorization') ?? ''
    expect(header).toMatch(/^Basic [A-Za-z0-9+/]+=*$/)
    expect(Buffer.from(header.slice(6), 'base64').toString('utf8')).toBe('jürgen:pä:ss€😀')
  })
})

describe('walking the pages', () => {
  it('asks for every page with the same window and keeps the order of the orders', async () => {
    const pages = [
      ordersXml(3, anOrderXml({ number: 'T-1' }), anOrderXml({ number: 'T-2' })),
      ordersXml(3, anOrderXml({ number: 'T-3' }), anOrderXml({ number: 'T-1' })),
      ordersXml(3, anOrderXml({ number: 'T-4' })),
    ]
    const shop = aShop(...pages.map((page) => xml(page)))

    const pull = await shipStationAt(shop.fetch).pull(WINDOW)

    expect(shop.seen.map(({ url }) => url.searchParams.get('page'))).toEqual(['1', '2', '3'])
    expect(new Set(shop.seen.map(({ url }) => url.searchParams.get('start_date'))).size).toBe(1)
    expect(pull.orders.map(({ orderNumber }) => orderNumber)).toEqual([
      'T-1',
      'T-2',
      'T-3',
      'T-1',
      'T-4',
    ])
    expect(pull.pages).toBe(3)
    expect(pull.documents.map((document) => document.xml)).toEqual(pages)
  })

  it('follows the number of pages when it changes on the way', async () => {
    const shop = aShop(xml(ordersXml(3)), xml(ordersXml(2)))

    expect((await shipStationAt(shop.fetch).pull(WINDOW)).pages).toBe(2)
    expect(shop.seen).toHaveLength(2)
  })

  it.each(['<Orders pages="0"/>', '<Orders pages="0"></Orders>', ordersXml(0)])(
    'asks once and finds nothing when there are zero pages: %j',
    async (document) => {
      const pull = await pullFrom(xml(document))
      expect(pull).toEqual({
        orders: [],
        pages: 0,
        documents: [{ page: 1, pages: 0, orders: [], xml: document }],
      })
    },
  )
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

  it('keeps texts of digits as they are', async () => {
    const order = await onlyOrder(
      anOrderXml({ number: '0x10', postalCode: '01234', items: anItemXml({ sku: '007' }) }),
    )
    expect(order.orderNumber).toBe('0x10')
    expect(order.customer.shipTo.postalCode).toBe('01234')
    expect(order.items[0]!.sku).toBe('007')
  })

  it.each([
    ['the five named entities', '&lt;b&gt; &amp;amp; &quot;&apos;', '<b> &amp; "\''],
    ['numeric entities', '&#233;&#xE9;&#x1F600;&#128512;', 'éé😀😀'],
    ['line breaks', 'a\nb\r\nc&#13;&#10;d', 'a\nb\nc\r\nd'],
    ['space around and within', '  a   b\t', '  a   b\t'],
    ['nothing but space', '   ', '   '],
    ['CDATA, its end included', '<![CDATA[ <b> &amp; ]]]]><![CDATA[> ]]>', ' <b> &amp; ]]> '],
    ['CDATA beside text', 'a &amp; <![CDATA[&amp;]]> b', 'a & &amp; b'],
    ['a document type within CDATA', '<![CDATA[<!DOCTYPE x>]]>', '<!DOCTYPE x>'],
    ['brackets around CDATA and a comment', ']]<![CDATA[a]]>&gt;]]<!-- b -->&gt;', ']]a>]]>'],
    ['comments left out', 'a<!-- ]]> <!DOCTYPE x> -->b', 'ab'],
    ['the names of properties of objects', '__proto__ constructor', '__proto__ constructor'],
  ])('reads a text with %s', async (_what, written, read) => {
    expect((await onlyOrder(anOrderXml({ notes: written }))).customerNotes).toBe(read)
  })

  it('reads an order without items and an item without options', async () => {
    expect((await onlyOrder(anOrderXml({ items: '\n  ' }))).items).toEqual([])
    expect((await onlyOrder(anOrderXml())).items[0]!.options).toEqual([])
  })

  it.each([
    ['3/9/2026 8:05', '2026-03-09T08:05:00Z'],
    ['03/09/2026 20:05', '2026-03-09T20:05:00Z'],
    ['12/8/2011 12:56 PM', '2011-12-08T12:56:00Z'],
    ['12/8/2011 12:56:07 am', '2011-12-08T00:56:07Z'],
  ])('reads the date %s as UTC', async (written, instant) => {
    const order = await onlyOrder(anOrderXml({ lastModified: written }))
    expect(order.lastModified).toEqual(new Date(instant))
  })
})

describe('refusing an export', () => {
  it.each([
    ['an element that does not end', '<Orders pages="1"><Order></Orders>'],
    ['a bare ampersand', ordersXml(1, anOrderXml({ notes: 'salt & pepper' }))],
    ['an entity of HTML', ordersXml(1, anOrderXml({ notes: '&nbsp;' }))],
    ['a reference to an illegal character', ordersXml(1, anOrderXml({ notes: '&#8;' }))],
    ['a reference to half a character', ordersXml(1, anOrderXml({ notes: '&#xD83D;' }))],
    ['an illegal character', ordersXml(1, anOrderXml({ notes: '\u001B[2J' }))],
    ['"]]>" in a text', ordersXml(1, anOrderXml({ notes: 'a ]]> b' }))],
    ['a document type', '<!DOCTYPE Orders><Orders pages="0"/>'],
    ['two roots', '<Orders pages="0"/><Orders pages="0"/>'],
    ['text after the root', '<Orders pages="0"/>done'],
    ['CDATA after the root', '<Orders pages="0"/><![CDATA[done]]><!-- bye -->\n'],
    ['an attribute without quotes', '<Orders pages=0></Orders>'],
    [
      'a declaration of another encoding',
      '<?xml version="1.0" encoding="utf-16"?><Orders pages="0"/>',
    ],
    ['plain text', 'Not found'],
    ['nothing', ''],
  ])('finds XML malformed that has %s', async (_what, document) => {
    const error = await failureOf(pullFrom(xml(document)))
    expect(error).toMatchObject({ code: 'XML_MALFORMED', status: 200, answer: document })
  })

  it('finds XML malformed that is not UTF-8', async () => {
    const latin1 = Buffer.from(ordersXml(1, anOrderXml({ notes: 'é' })), 'latin1')
    const answer = () => new Response(latin1, { headers: { 'content-type': 'text/xml' } })
    expect(await failureOf(pullFrom(answer))).toMatchObject({ code: 'XML_MALFORMED' })
  })

  it('names the root when it is not Orders', async () => {
    const error = await failureOf(pullFrom(xml('<html><body>Hello</body></html>')))
    expect(error).toMatchObject({
      code: 'ROOT_WRONG',
      message: "The export's root element is html, not Orders",
    })
  })

  it.each([
    'text/html; charset=utf-8',
    'application/xml',
    'text/xml; charset=iso-8859-1',
    'text/xmlx',
  ])('refuses the content type %s', async (contentType) => {
    const error = await failureOf(pullFrom(xml(ordersXml(0), contentType)))
    expect(error).toMatchObject({ code: 'CONTENT_TYPE_WRONG', answer: ordersXml(0) })
    expect(error.message).toContain(contentType)
  })

  it.each(['text/xml', 'Text/XML;charset="UTF-8"'])(
    'takes the content type %s',
    async (contentType) => {
      expect((await pullFrom(xml(ordersXml(0), contentType))).pages).toBe(0)
    },
  )

  it.each([
    [
      'Order 2 (T-9) > Customer > ShipTo > Country must be exactly 2 characters',
      { country: 'DEU' },
    ],
    ['Order 2 (T-9) > LastModified is not a date of the shape', { lastModified: '2026-03-10' }],
    ['Order 2 (T-9) > CustomerNotes is longer than 1000 characters', { notes: '😀'.repeat(1001) }],
    ['Order 2 (T-9) > CustomerNotes must hold one text', { notes: '<b>bold</b>' }],
    ['Order 2 (T-9) > Items holds text between its elements', { items: `x${anItemXml()}` }],
    ['Order 2 (T-9) > Items must hold elements', { items: 'none' }],
    ['Order 2 (T-9) > Items > Item 1 > SKU is missing', { items: '<Item/>' }],
    [
      'Order 2 (T-9) > Items > Item 1 > Quantity is not a whole number',
      { items: anItemXml().replace('<Quantity>2', '<Quantity>1.5') },
    ],
    [
      'Order 2 (T-9) > Items > Item 1 > WeightUnits is not a unit',
      { items: anItemXml().replace('Pounds', 'kg') },
    ],
  ])('says where an order breaks the schema: %s', async (message, flaw) => {
    const document = ordersXml(1, anOrderXml(), anOrderXml({ number: 'T-9', ...flaw }))
    const error = await failureOf(pullFrom(xml(document)))
    expect(error.code).toBe('ORDERS_INVALID')
    expect(error.message).toContain(message)
  })

  it('says so when an element comes twice or not at all', async () => {
    const twice = anOrderXml().replace('<Gift>', '<OrderNumber>T-2</OrderNumber><Gift>')
    expect((await failureOf(pullFrom(xml(ordersXml(1, twice))))).message).toContain(
      'Order 1 > OrderNumber must hold one text',
    )
    const without = anOrderXml().replace(/<Customer>[\s\S]*<\/Customer>/, '')
    expect((await failureOf(pullFrom(xml(ordersXml(1, without))))).message).toContain(
      'Order 1 (T-1) > Customer is missing',
    )
  })

  it.each(['<Orders/>', '<Orders pages=""/>', '<Orders pages="-1"/>', '<Orders pages="32768"/>'])(
    'refuses a root without a usable number of pages: %s',
    async (document) => {
      const error = await failureOf(pullFrom(xml(document)))
      expect(error.code).toBe('ORDERS_INVALID')
      expect(error.message).toMatch(/schema: pages is /)
    },
  )
})

describe('a shop that does not answer with success', () => {
  it('tells refused credentials apart', async () => {
    const error = await failureOf(pullFrom(() => new Response('Who are you?', { status: 401 })))
    expect(error).toMatchObject({
      name: 'ShipStationError',
      code: 'CREDENTIALS_REFUSED',
      status: 401,
      answer: 'Who are you?',
    })
  })

  it.each([301, 304, 400, 404, 406, 500, 503])('refuses the status %i', async (status) => {
    const body = status === 304 ? null : 'Sorry'
    const error = await failureOf(pullFrom(() => new Response(body, { status })))
    expect(error).toMatchObject({ code: 'SHOP_REFUSED', status, answer: body ?? '' })
  })

  it('stops at the first page that fails', async () => {
    const shop = aShop(xml(ordersXml(3)), () => new Response('', { status: 500 }))
    expect((await failureOf(shipStationAt(shop.fetch).pull(WINDOW))).status).toBe(500)
    expect(shop.seen).toHaveLength(2)
  })

  it('tells a shop that cannot be reached apart, with the cause', async () => {
    const cause = new TypeError('fetch failed')
    const error = await failureOf(shipStationAt(() => Promise.reject(cause)).pull(WINDOW))
    expect(error).toMatchObject({ code: 'SHOP_UNREACHABLE', status: undefined, answer: '', cause })
    expect(error.message).toBe(`No answer from ${URL_OF_SHOP}`)
  })

  it('gives up at the deadline on a shop that never answers', async () => {
    const shipStation = shipStationAt(() => new Promise(() => undefined), { deadlineSeconds: 0.02 })
    const error = await failureOf(shipStation.pull(WINDOW))
    expect(error).toMatchObject({ code: 'DEADLINE_PASSED', status: undefined })
    expect(error.message).toBe(`No complete answer from ${URL_OF_SHOP} within 0.02 s`)
  })

  it('gives up at the deadline on an answer that never ends', async () => {
    const endless = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('<Orders')),
    })
    const answer = () => new Response(endless, { headers: { 'content-type': 'text/xml' } })
    const shipStation = shipStationAt(aShop(answer).fetch, { deadlineSeconds: 0.02 })
    expect((await failureOf(shipStation.pull(WINDOW))).code).toBe('DEADLINE_PASSED')
  })
})

describe('telling of a shipment', () => {
  const SHIPMENT = {
    orderNumber: 'T-1',
    carrier: 'USPS',
    service: 'Priority Mail',
    trackingNumber: '9400 1/2',
  }
  const ok = () => Response.json({ success: true })

  const noticeIn = (body: string): unknown => {
    const parser = new XMLParser({ parseTagValue: false, trimValues: false, htmlEntities: true })
    return parser.parse(body.replaceAll('>\n', '>'))
  }

  it('posts the values in the query and an XML body beside them', async () => {
    const shop = aShop(ok)

    const answer = await shipStationAt(shop.fetch).ship(SHIPMENT)

    const { request } = shop.seen[0]!
    expect(`${request.method} ${request.url}`).toBe(
      `POST ${URL_OF_SHOP}?action=shipnotify&order_number=T-1&carrier=USPS` +
        '&service=Priority+Mail&tracking_number=9400+1%2F2',
    )
    expect(request.headers.get('content-type')).toBe('application/xml')
    expect(request.headers.get('authorization')).toBe('Basic c2hpcHN0YXRpb246c2VjcmV0')
    expect(answer).toEqual({ status: 200, answer: '{"success":true}' })
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

  it('leaves empty what it is not given, and ships today', async () => {
    const shop = aShop(ok)

    await shipStationAt(shop.fetch).ship(SHIPMENT)

    expect(noticeIn(shop.seen[0]!.body)).toMatchObject({
      ShipNotice: {
        OrderID: '',
        CustomerCode: '',
        NotifyCustomer: '',
        ShipDate: '03/10/2026',
        ShippingCost: '0.00',
        Recipient: { Name: '', Country: '' },
        Items: '',
      },
    })
  })

  it('escapes what XML would take for markup, and drops what XML cannot hold', async () => {
    const shop = aShop(ok)
    const service = `<b>&amp; "fast" 'n' ]]> é😀\r\n`

    await shipStationAt(shop.fetch).ship({
      ...SHIPMENT,
      service: `${service}\u0000\u001B\uD83D\uFFFF`,
    })

    const { body, url } = shop.seen[0]!
    expect(body).toContain(
      '<Service>&lt;b&gt;&amp;amp; &quot;fast&quot; &apos;n&apos; ]]&gt; é😀&#13;\n</Service>',
    )
    expect(noticeIn(body)).toMatchObject({ ShipNotice: { Service: service } })
    expect(url.searchParams.get('service')).toContain(service)
  })

  it.each([
    [401, 'CREDENTIALS_REFUSED'],
    [404, 'SHOP_REFUSED'],
    [302, 'SHOP_REFUSED'],
  ])('fails on the status %i with the text of the answer', async (status, code) => {
    const shop = aShop(() => new Response('No such order', { status }))
    const error = await failureOf(shipStationAt(shop.fetch).ship(SHIPMENT))
    expect(error).toMatchObject({ code, status, answer: 'No such order' })
  })
})
