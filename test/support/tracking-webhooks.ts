import { generateKeyPairSync, sign } from 'node:crypto'
import { keysUrl } from '../../src/shipping/tracking/signing-keys.js'

type Data = Record<string, unknown>

/** What the schema of `TRACK_EVENT_V2` documents of a parcel that was scanned at this moment. */
export function aTrackEvent({ occurred_at = '2026-11-02T10:00:00Z', ...changes }: Data = {}): Data {
  const status_code = changes.status_code ?? 'IT'
  return {
    resource_url: 'https://api.shipstation.com/v2/labels/se-1234567890/track',
    resource_type: 'TRACK_EVENT_V2',
    data: {
      tracking_number: '1Z999AA1',
      tracking_url: 'https://www.ups.com/track?tracknum=1Z999AA1',
      status_code,
      status_detail_code: null,
      status_detail_description: null,
      carrier_code: 'ups',
      carrier_id: 3,
      carrier_detail_code: null,
      status_description: 'In Transit',
      carrier_status_code: 'I',
      carrier_status_description: 'Departed from facility',
      ship_date: null,
      estimated_delivery_date: '2026-11-05T00:00:00',
      actual_delivery_date: null,
      exception_description: null,
      events: [
        {
          occurred_at,
          carrier_occurred_at: '2026-11-01T10:00:00',
          description: 'Departed from facility',
          city_locality: 'HOBOKEN',
          state_province: 'NJ',
          postal_code: '07030',
          country_code: 'US',
          company_name: 'Analytical Engines',
          signer: 'A LOVELACE',
          event_code: 'DP',
          status_code,
          status_detail_code: null,
          proof_of_delivery_url: null,
          latitude: 40.744,
          longitude: -74.0324,
        },
      ],
      ...changes,
    },
  }
}

let signers = 0

/** ShipStation as far as it signs webhooks: its keys, and requests that are signed with one of them. */
export function shipStationSigner(now: () => number) {
  const pairs = new Map<string, ReturnType<typeof newPair>>()
  const newPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
  const signer = {
    keyId: '',
    /** How often the keys were asked for. */
    asked: 0,
    /** What is answered instead of the keys. */
    answer: undefined as (() => Response | Promise<Response>) | undefined,
    headers: {} as Record<string, string>,
    /** ShipStation signs with another key from now on. */
    rotate(keyId: string): void {
      pairs.set(keyId, newPair())
      signer.keyId = keyId
    },
    /** What ShipStation's URL of the keys answers; undefined for other URLs. */
    answerTo({ url }: Request): Promise<Response> | undefined {
      if (url !== keysUrl) return undefined
      signer.asked += 1
      if (signer.answer) return Promise.resolve(signer.answer())
      const ofAnotherUse = { kty: 'EC', kid: 'ec', crv: 'P-256', x: '', y: '' }
      const keys = [...pairs].map(([kid, { publicKey }]) => ({
        ...publicKey.export({ format: 'jwk' }),
        kid,
      }))
      const body = { keys: [ofAnotherUse, ...keys] }
      return Promise.resolve(Response.json(body, { headers: signer.headers }))
    },
    /** A webhook as ShipStation posts it. */
    webhook(
      event: unknown,
      { at = now(), headers = {}, ...init }: RequestInit & { at?: number } = {},
    ): Request {
      const body = typeof event === 'string' ? event : JSON.stringify(event)
      const timestamp = new Date(at).toISOString()
      const { privateKey } = pairs.get(signer.keyId) ?? newPair()
      const signature = sign('sha256', Buffer.from(`${timestamp}.${body}`), privateKey)
      return new Request('https://shop.example/actions/shippingconnect/tracking', {
        method: 'POST',
        body,
        ...init,
        headers: {
          'content-type': 'application/json',
          'x-shipengine-rsa-sha256-key-id': signer.keyId,
          'x-shipengine-rsa-sha256-signature': signature.toString('base64'),
          'x-shipengine-timestamp': timestamp,
          ...Object.fromEntries(new Headers(headers)),
        },
      })
    },
  }
  signer.rotate(`key-${++signers}`)
  return signer
}
