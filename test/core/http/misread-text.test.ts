import { describe, expect, it, onTestFinished } from 'vitest'
import { element, shipNotice, entryOfDocument } from '../../shipping/notice/ship-notice-document.js'
import { readEntries, readShipment } from '../../shipping/notice/stored-shipment.js'
import { saveOrder } from '../../support/orders.js'
import { basic, exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import { sharedStore } from '../../support/shared-store.js'
import { anyKind, openStore } from '../../support/store.js'

const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'))
const bigEndian = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le').swap16())
const utf8 = (text: string) => new Uint8Array(Buffer.from(text))

/** A notice that says it is in an encoding. */
const noticeIn = (encoding: string | undefined, carrier = 'Pošta'.replace('š', 'é')) =>
  shipNotice({ Carrier: carrier }).replace(
    / encoding="utf-8"/,
    encoding === undefined ? '' : ` encoding="${encoding}"`,
  )

describe('Text that a client sends', () => {
  const store = sharedStore(anyKind)

  const sendTo = async (body: Uint8Array<ArrayBuffer>, type = 'text/xml') => {
    const order = await saveOrder(store.payload)
    const init = { body, headers: { 'content-type': type } }
    const request = noticeRequest({ order_number: order.reference, service: 'Ground' }, init)
    return { ...order, status: (await store.handle(request)).status }
  }

  const read: [string, Uint8Array<ArrayBuffer>, string?][] = [
    ['ISO-8859-1, by its declaration', latin(noticeIn('ISO-8859-1'))],
    ['ISO-8859-1, in single quotes', latin(noticeIn('ISO-8859-1').replaceAll('"', "'"))],
    ['windows-1252, by its declaration', latin(noticeIn('windows-1252'))],
    ['ISO-8859-1, by its Content-Type', latin(noticeIn(undefined)), 'text/xml; charset=ISO-8859-1'],
    ['ISO-8859-1, by a quoted name', latin(noticeIn(undefined)), 'text/xml;charset="latin1"'],
    [
      'its Content-Type, whatever it declares',
      latin(noticeIn('utf-8')),
      'text/xml; charset=latin1',
    ],
    ['UTF-16 with a mark', utf16(`\uFEFF${noticeIn('UTF-16')}`)],
    ['UTF-16 without a mark', utf16(noticeIn('UTF-16'))],
    ['UTF-16 without a declaration', utf16(noticeIn(undefined)), 'text/xml; charset=utf-16'],
    ['UTF-16BE with a mark', bigEndian(`\uFEFF${noticeIn('UTF-16')}`)],
    ['UTF-16BE without a mark', bigEndian(noticeIn('UTF-16BE'))],
    ['UTF-8 with a mark that says another one', utf8(`\uFEFF${noticeIn('ISO-8859-1')}`)],
    ['UTF-8 that says UTF-16, as some programs do', utf8(noticeIn('utf-16'))],
    ['UTF-8 without a declaration', utf8(noticeIn(undefined))],
  ]
  it.each(read)('is read in %s', async (_what, body, type) => {
    const { id, status } = await sendTo(body, type)
    expect(status).toBe(200)
    expect(await readEntries(store.payload, id)).toEqual([
      { ...entryOfDocument, carrier: 'Poéta', service: 'Ground' },
    ])
  })

  it.each(['windows-1252', 'ISO-8859-1'])(
    'is read in %s with the letters of windows-1252, and with its entities',
    async (encoding) => {
      const { id } = await sendTo(latin(noticeIn(encoding, 'Tom\x92s \x80 5 &amp; &#xE9;')))
      expect((await readEntries(store.payload, id))[0]).toMatchObject({ carrier: 'Tom’s € 5 & é' })
    },
  )

  const refused: [string, Uint8Array<ArrayBuffer>, string?][] = [
    ['in an encoding that nobody knows', utf8(noticeIn('x-klingon'))],
    ['in an encoding that no decoder has', utf8(noticeIn('UTF-7'))],
    ['in an unknown charset', utf8(noticeIn(undefined)), 'text/xml; charset=x-klingon'],
    ['in ISO-8859-1 that says UTF-8', latin(noticeIn('utf-8'))],
    ['in ISO-8859-1 that says nothing', latin(noticeIn(undefined))],
    ['cut off within a letter of UTF-16', utf16(noticeIn('UTF-16')).slice(0, -1)],
    ['compressed', utf8(noticeIn('utf-8')), 'gzip'],
    ['with an undefined entity', utf8(noticeIn('utf-8', '&unknown;'))],
    ['with an entity of HTML', utf8(noticeIn('utf-8', 'Tom&nbsp;Jerry'))],
    ['with an undefined entity where nobody looks', utf8(shipNotice({ Future: '&unknown;' }))],
    [
      'with an undefined entity in an attribute',
      utf8(shipNotice().replace('<Carrier', '<Carrier a="&unknown;"')),
    ],
    ['with a reference to no character', utf8(shipNotice({ Carrier: '&#xD800;' }))],
    ['with a reference to NUL', utf8(shipNotice({ Carrier: '&#0;' }))],
    ['with a reference that is none', utf8(shipNotice({ Carrier: '&#x;' }))],
    [
      'with an undefined entity within another element',
      utf8(shipNotice({ Recipient: element('Name', '&x;') })),
    ],
  ]
  it.each(refused)('is 400 and changes nothing: a notice %s', async (_what, body, type) => {
    const order = await saveOrder(store.payload)
    const before = await readShipment(store.payload, order.id)
    const headers: Record<string, string> =
      type === 'gzip' ? { 'content-encoding': type } : { 'content-type': type ?? 'text/xml' }
    const request = noticeRequest({ order_number: order.reference }, { body, headers })
    expect((await store.handle(request)).status).toBe(400)
    expect(await readShipment(store.payload, order.id)).toEqual(before)
  })

  it.each(['action', 'start_date', 'end_date', 'store'])(
    'is 400 where an export names a list or a group for %s',
    async (name) => {
      for (const brackets of ['[]', '[0]', '[x]']) {
        const { url, headers } = exportRequest({ [`${name}${brackets}`]: '1' })
        const asked = name === 'action' ? url.replace('action=export', '') : url
        expect((await store.handle(new Request(asked, { headers }))).status).toBe(400)
      }
    },
  )

  it.each(['action', 'order_number', 'carrier', 'service', 'tracking_number'])(
    'is 400 where a notice names a list or a group for %s',
    async (name) => {
      const { id, reference } = await saveOrder(store.payload)
      const before = await readShipment(store.payload, id)
      for (const brackets of ['[]', '[0]', '[x]']) {
        const query = new URLSearchParams({ action: 'shipnotify', order_number: reference })
        query.delete(name)
        query.set(name + brackets, '1')
        const { url, headers } = noticeRequest()
        const asked = new URL(`?${query}`, url)
        const response = await store.handle(new Request(asked, { method: 'POST', headers }))
        expect(response.status).toBe(400)
      }
      expect(await readShipment(store.payload, id)).toEqual(before)
    },
  )
})

it('A password that has U+FFFD is opened by itself, and not by bytes that are no UTF-8', async () => {
  const [username, password] = ['ship', 'a\uFFFDb']
  const settings = { username, password }
  const store = await openStore(anyKind, { options: { shipping: { settings } } })
  onTestFinished(() => store.close())
  const statusWith = async (authorization: string) =>
    (await store.handle(exportRequest({}, { headers: { authorization } }))).status
  expect(await statusWith(basic(username, password))).toBe(200)
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf8]]) {
    const text = Buffer.concat([Buffer.from('ship:a'), Buffer.from(bytes), Buffer.from('b')])
    expect(await statusWith(`Basic ${text.toString('base64')}`)).toBe(401)
  }
})
