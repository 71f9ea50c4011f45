import { beforeEach, describe, expect, it } from 'vitest'
import { anyKind } from '../../support/store.js'
import { aTrackEvent } from '../../support/tracking-webhooks.js'
import { minute, trackingShop } from './tracking-shop.js'

const keyId = 'x-shipengine-rsa-sha256-key-id'
const signature = 'x-shipengine-rsa-sha256-signature'
const timestamp = 'x-shipengine-timestamp'

describe('A webhook about a parcel', () => {
  const shop = trackingShop(anyKind)
  beforeEach(() => shop.shipped('1Z999AA1'))

  const post = async (...given: Parameters<ReturnType<typeof shop.shipStation>['webhook']>) => {
    const response = await shop.handle(shop.shipStation().webhook(...given))
    return { status: response.status, code: response.headers.get('x-error-code') }
  }
  const stateNow = async () => (await shop.parcels())['1Z999AA1']?.state
  const taken = { status: 200, code: null }
  const unknown = { status: 404, code: 'ACTION_NOT_FOUND' }
  const refused = { status: 401, code: 'SIGNATURE_REFUSED' }
  const invalid = { status: 400, code: 'PARAMETER_INVALID' }

  it('is taken with a signature of ShipStation', async () => {
    expect(await post(aTrackEvent())).toEqual(taken)
    expect(await stateNow()).toBe('in-transit')
  })

  it.each([keyId, signature, timestamp])(
    'is unknown without %s, or with a long one',
    async (name) => {
      expect(await post(aTrackEvent(), { headers: { [name]: '' } })).toEqual(unknown)
      expect(await post(aTrackEvent(), { headers: { [name]: 'x'.repeat(5_000) } })).toEqual(unknown)
      expect(shop.shipStation().asked).toBe(0)
    },
  )

  it.each<[string, Parameters<typeof post>[1], object]>([
    ['with another signature', { headers: { [signature]: 'AAAA' } }, refused],
    ['with a signature that is no base64', { headers: { [signature]: '%' } }, refused],
    ['with the key of nobody', { headers: { [keyId]: 'key-of-nobody' } }, refused],
    ['with a key that is for something else', { headers: { [keyId]: 'ec' } }, refused],
    ['with a time that is none', { headers: { [timestamp]: 'soon' } }, invalid],
    ['in a compressed body', { headers: { 'content-encoding': 'gzip' } }, invalid],
    ['by GET', { method: 'GET', body: null }, { status: 405, code: 'METHOD_NOT_ALLOWED' }],
  ])('is refused %s', async (_what, init, answer) => {
    expect(await post(aTrackEvent(), init)).toEqual(answer)
    expect(await stateNow()).toBeNull()
  })

  it.each([-1, 1])(
    'is taken within five minutes, and refused outside of them (%i)',
    async (side) => {
      const at = (seconds: number) => ({ at: shop.now() + side * seconds * 1_000 })
      expect(await post(aTrackEvent(), at(301))).toEqual(invalid)
      expect(await stateNow()).toBeNull()
      expect(await post(aTrackEvent(), at(299))).toEqual(taken)
    },
  )

  it('is refused when its body or its time was changed', async () => {
    const given = shop.shipStation().webhook(aTrackEvent())
    const body = await given.clone().text()
    const changed = new Request(given.url, { ...init(given), body: body.replace('"IT"', '"DE"') })
    expect((await shop.handle(changed)).status).toBe(401)
    const later = new Request(given.url, { ...init(given), body })
    later.headers.set(timestamp, new Date(shop.now() + 1_000).toISOString())
    expect((await shop.handle(later)).status).toBe(401)
    expect(await stateNow()).toBeNull()
  })

  it.each([
    ['is no JSON', '{', /The body is no JSON\./],
    ['names no parcel', aTrackEvent({ tracking_number: null }), /data\.tracking_number/],
    ['has no state', aTrackEvent({ status_code: undefined }), /data\.status_code/],
    ['is a list', [], /body/],
  ])('is refused when it %s, by what is wrong', async (_what, event, said) => {
    const response = await shop.handle(
      shop.shipStation().webhook(event, { headers: { accept: 'application/json' } }),
    )
    expect(response.status).toBe(400)
    expect(await response.text()).toMatch(said)
  })

  it('is refused when it is too large, and its rest is not read', async () => {
    let pieces = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pieces += 1
        controller.enqueue(new Uint8Array(64 * 1024))
        if (pieces === 100) controller.close()
      },
    })
    const given = shop.shipStation().webhook(aTrackEvent())
    const endless = new Request(given.url, { ...init(given), body, duplex: 'half' } as RequestInit)
    const response = await shop.handle(endless)
    expect(response.headers.get('x-error-code')).toBe('BODY_TOO_LARGE')
    expect(pieces).toBeLessThan(10)
  })

  describe("and ShipStation's keys", () => {
    it('asks for them once, and again when they have aged as ShipStation says', async () => {
      shop.shipStation().headers = { 'cache-control': 'public, max-age=600' }
      for (let webhook = 0; webhook < 3; webhook += 1)
        expect(await post(aTrackEvent())).toEqual(taken)
      expect(shop.shipStation().asked).toBe(1)
      shop.move(9 * minute)
      await post(aTrackEvent())
      expect(shop.shipStation().asked).toBe(1)
      shop.move(minute)
      await post(aTrackEvent())
      expect(shop.shipStation().asked).toBe(2)
    })

    it.each([
      ['no-store', 1],
      ['max-age=99999999', 24 * 60],
      ['', 60],
    ])('has %s mean a bounded time', async (cacheControl, minutes) => {
      shop.shipStation().headers = { 'cache-control': cacheControl }
      await post(aTrackEvent())
      shop.move((minutes - 1) * minute)
      await post(aTrackEvent())
      expect(shop.shipStation().asked).toBe(1)
      shop.move(minute)
      await post(aTrackEvent())
      expect(shop.shipStation().asked).toBe(2)
    })

    it('finds a new one', async () => {
      await post(aTrackEvent())
      shop.move(minute)
      shop.shipStation().rotate('a-new-key')
      expect(await post(aTrackEvent())).toEqual(taken)
      expect(shop.shipStation().asked).toBe(2)
    })

    it('asks once a minute, however many unknown ones strangers name at once', async () => {
      const stranger = (index: number) =>
        post(aTrackEvent(), { headers: { [keyId]: `stranger-${index}` } })
      const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => stranger(index)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
      shop.move(59_000)
      await stranger(50)
      expect(shop.shipStation().asked).toBe(1)
      shop.move(1_000)
      await stranger(51)
      expect(shop.shipStation().asked).toBe(2)
      expect(await post(aTrackEvent())).toEqual(taken)
    })

    const unreachable = { status: 503, code: 'KEYS_UNREACHABLE' }

    it.each<[string, () => Response | Promise<Response>]>([
      ['cannot be reached', () => Promise.reject(new TypeError('fetch failed'))],
      ['answers an error', () => new Response(null, { status: 500 })],
      ['answers no keys', () => new Response('<html>')],
      ['answers too much', () => new Response('x'.repeat(100_000))],
      ['answers a broken key', () => Response.json({ keys: [{ kid: 'key', kty: 'RSA' }] })],
    ])('asks ShipStation to send it again when it %s, and takes it then', async (_what, answer) => {
      shop.shipStation().answer = answer
      expect(await post(aTrackEvent())).toEqual(unreachable)
      expect(await post(aTrackEvent())).toEqual(unreachable)
      expect(shop.shipStation().asked).toBe(1)
      shop.shipStation().answer = undefined
      shop.move(minute)
      expect(await post(aTrackEvent())).toEqual(taken)
    })

    it('keeps them for a day when they cannot be renewed', async () => {
      expect(await post(aTrackEvent())).toEqual(taken)
      shop.shipStation().answer = () => new Response(null, { status: 500 })
      shop.move(23 * 60 * minute)
      expect(await post(aTrackEvent())).toEqual(taken)
      shop.move(60 * minute)
      expect(await post(aTrackEvent())).toEqual(unreachable)
    })

    it('gives up an answer that does not come, before ShipStation gives up the webhook', async () => {
      shop.network = (request) => {
        setImmediate(() => shop.move(5_000))
        return new Promise((_resolve, reject) => {
          request.signal.addEventListener('abort', () => reject(new Error('aborted')))
        })
      }
      expect(await post(aTrackEvent())).toEqual(unreachable)
    })
  })
})

const init = ({ method, headers }: Request) => ({ method, headers })
