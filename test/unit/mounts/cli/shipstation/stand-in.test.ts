import { describe, expect, it } from 'vitest'

import {
  createShipStation,
  type ShipStation,
  type ShipStationOptions,
} from '../../../../../src/mounts/cli/shipstation/stand-in.js'

type ShopFetch = NonNullable<ShipStationOptions['fetch']>

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

const xml = (body: string) => () => new Response(body, { headers: { 'content-type': 'text/xml' } })

const ordersXml = (pages: number, ...orders: string[]) =>
  `<?xml version="1.0" encoding="utf-8"?>\n<Orders pages="${pages}">\n${orders.join('\n')}\n</Orders>\n`

const anItemXml = `<Item>
  <SKU>007</SKU><Name>Green tea &#233;</Name><Weight>0.25</Weight><Quantity>2</Quantity>
  <UnitPrice>9.90</UnitPrice><Adjustment>false</Adjustment><Options></Options>
</Item>`

const anOrderXml = ({ number = 'T-1', items = anItemXml } = {}) => `<Order>
  <OrderID>7</OrderID><OrderNumber>${number}</OrderNumber><OrderStatus>processing</OrderStatus>
  <OrderTotal>24.75</OrderTotal><Items>${items}</Items>
  <Customer>
    <CustomerCode>42</CustomerCode>
    <ShipTo><Name>Bob &amp; &lt;Söhne&gt;</Name><Company/><Address1>Road 2</Address1><Address2/>
      <City>Bonn</City><State/><PostalCode>01234</PostalCode><Country>DE</Country></ShipTo>
  </Customer>
  <OrderDate>3/9/2026 8:05</OrderDate>
</Order>`

const shipStationAt = (fetch: ShopFetch, extras: Partial<ShipStationOptions> = {}): ShipStation =>
  createShipStation({
    url: URL_OF_SHOP,
    username: 'shipstation',
    password: 'secret',
    fetch,
    now: () => new Date('2026-03-10T23:59:30Z'),
    ...extras,
  })

const pullFrom = (answer: () => Response) => shipStationAt(aShop(answer).fetch).pull(WINDOW)

const SHIPMENT = {
  orderNumber: 'T-1',
  carrier: 'USPS',
  service: 'Priority Mail',
  trackingNumber: '9400 1/2',
}

const bob = {
  Name: 'Bob',
  Company: '',
  Address1: 'Road 2',
  Address2: '',
  City: 'Bonn',
  State: '',
  PostalCode: '01234',
  Country: 'DE',
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
    expect(pull.documents.map(({ orders }) => orders.length)).toEqual([2, 2, 1])
  })

  it('asks once and finds nothing when there are zero pages', async () => {
    expect(await pullFrom(xml(ordersXml(0)))).toEqual({
      orders: [],
      pages: 0,
      documents: [{ page: 1, pages: 0, orders: [] }],
    })
  })
})

describe('reading an order', () => {
  it('takes what the parcel and the notice need', async () => {
    const { orders } = await pullFrom(xml(ordersXml(1, anOrderXml())))
    expect(orders).toEqual([
      {
        orderId: '7',
        orderNumber: 'T-1',
        orderStatus: 'processing',
        orderTotal: 24.75,
        orderDate: '3/9/2026 8:05',
        customerCode: '42',
        recipient: { ...bob, Name: 'Bob & <Söhne>' },
        items: [
          { lineItemId: '', sku: '007', name: 'Green tea é', quantity: 2, isAdjustment: false },
        ],
      },
    ])
  })

  it('takes one without items', async () => {
    const { orders } = await pullFrom(xml(ordersXml(1, anOrderXml({ items: '' }))))
    expect(orders).toMatchObject([{ items: [] }])
  })

  it.each([
    '<Orders pages="1"><Order></Orders>',
    '<html><body>Hello</body></html>',
    ordersXml(1, '<Order><OrderID>7</OrderID></Order>'),
  ])('refuses %s', async (document) => {
    await expect(pullFrom(xml(document))).rejects.toThrow('The export cannot be read')
  })
})

describe('a shop that does not answer with success', () => {
  it.each([401, 302, 404, 500])('is told by its status %i, whatever was asked', async (status) => {
    const refused = () => new Response('Sorry', { status })
    const shipStation = shipStationAt(aShop(xml(ordersXml(3)), refused, refused).fetch)
    const error = { status, message: `The shop answered ${status}: Sorry` }
    await expect(shipStation.pull(WINDOW)).rejects.toMatchObject(error)
    await expect(shipStation.ship(SHIPMENT)).rejects.toMatchObject(error)
  })

  it('is told when it cannot be reached, with the cause', async () => {
    const cause = new TypeError('fetch failed')
    const pull = shipStationAt(() => Promise.reject(cause)).pull(WINDOW)
    await expect(pull).rejects.toMatchObject({ status: undefined, cause })
  })
})

describe('telling of a shipment', () => {
  const ok = () => Response.json({ success: true })

  it('posts the values in the query and an XML body beside them, which escapes what is markup', async () => {
    const shop = aShop(ok)
    const service = `<b>&amp; "fast" 'n' ]]> é😀`
    const answer = await shipStationAt(shop.fetch).ship({ ...SHIPMENT, service })
    expect(answer).toBe('{"success":true}')
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
      '<Service>&lt;b&gt;&amp;amp; &quot;fast&quot; &apos;n&apos; ]]&gt; é😀</Service>',
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
      recipient: bob,
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
        '<NotifyCustomer></NotifyCustomer>',
        '<LabelCreateDate>03/10/2026 23:59</LabelCreateDate>',
        '<ShipDate>03/10/2026</ShipDate>',
        '<Carrier>USPS</Carrier>',
        '<Service>Priority Mail</Service>',
        '<TrackingNumber>9400 1/2</TrackingNumber>',
        '<ShippingCost>0.00</ShippingCost>',
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
