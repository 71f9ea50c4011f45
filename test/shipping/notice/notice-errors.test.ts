import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { captureLog } from '../../support/captured-log.js'
import { saveOrder } from '../../support/orders.js'
import { noticeRequest, shippingRequest } from '../../support/shipping-requests.js'
import { databaseKinds, openStore, type TestStore } from '../../support/store.js'
import {
  entry,
  errorLines,
  openStoreForTest,
  parcel,
  readOrder,
  readShipment,
} from './stored-shipment.js'

describe.each(databaseKinds)('what shipnotify refuses (%s)', (kind) => {
  let store: TestStore
  beforeAll(async () => {
    store = await openStore(kind)
  })
  afterAll(() => store.close())

  const saved = () => saveOrder(store.payload)
  const statusOf = async (id: number | string) => (await readOrder(store.payload, id)).status

  describe('errors', () => {
    it.each([
      ['missing', {}],
      ['empty', { order_number: '' }],
      ['blank', { order_number: ' \t ' }],
    ])('406: order_number %s', async (_what, parameters) => {
      const response = await store.handle(noticeRequest({ ...parameters, ...parcel }))
      expect(response.status).toBe(406)
    })

    it.each(['NO-SUCH', '0', '-1', '999999999999999999999', "' or 1=1 --", '%', 'ä'])(
      '404: no order matches order_number %j',
      async (reference) => {
        const { id } = await saved()
        const response = await store.handle(noticeRequest({ order_number: reference, ...parcel }))
        expect(response.status).toBe(404)
        expect(await statusOf(id)).toBe('processing')
      },
    )

    it.each([
      ['Matrix field', { matrixField: '' }],
      ['Carrier field', { carrierField: '' }],
      ['Service field', { serviceField: ' ' }],
      ['Tracking Number field', { trackingNumberField: '' }],
      ['entry type of a blocks field', { matrixField: 'parcels', entryType: '' }],
    ])('500: a shipping notification handle setting is blank: %s', async (_what, settings) => {
      const log = captureLog()
      const other = await openStoreForTest(kind, {
        config: log.config,
        options: { shipping: { settings } },
      })
      const { id, reference } = await saveOrder(other.payload)
      const before = await readShipment(other.payload, id)
      log.clear()
      const response = await other.handle(noticeRequest({ order_number: reference, ...parcel }))

      expect(response.status).toBe(500)
      expect(await readShipment(other.payload, id)).toEqual(before)
      expect(errorLines(log)).toEqual([
        expect.objectContaining({
          reference,
          requestId: response.headers.get('x-request-id'),
          setting: Object.keys(settings).at(-1),
        }),
      ])
    })

    it.each(['dispatched', 'Shipped', ''])(
      '500: the shipped status handle does not exist: %j',
      async (statusHandle) => {
        const log = captureLog()
        const other = await openStoreForTest(kind, {
          config: log.config,
          options: { shipping: { settings: { statusHandle } } },
        })
        const { id, reference } = await saveOrder(other.payload)
        const before = await readShipment(other.payload, id)
        log.clear()
        const response = await other.handle(noticeRequest({ order_number: reference, ...parcel }))

        expect(response.status).toBe(500)
        expect(await readShipment(other.payload, id)).toEqual(before)
        expect(errorLines(log)).toEqual([
          expect.objectContaining({ reference, status: expect.anything() as unknown }),
        ])
      },
    )

    it.each([
      ['the history', 'shipping_notices'],
      ['its lines', 'shipping_notices_lines'],
      ['the entry', 'orders_tracking'],
      ['the status', 'orders'],
    ])(
      '500: an order could not be saved: all or nothing when %s cannot be written',
      async (_what, table) => {
        const log = captureLog()
        const other = await openStoreForTest(kind, { config: log.config })
        const { id, reference } = await saveOrder(other.payload)
        const before = await readShipment(other.payload, id)
        const body = `<ShipNotice><Items><Item><SKU>TEA-1</SKU></Item></Items></ShipNotice>`
        const request = () => noticeRequest({ order_number: reference, ...parcel }, { body })

        const allow = await refuseWrites(other, table)
        log.clear()
        const response = await other.handle(request())
        expect(response.status).toBe(500)
        expect(await response.text()).not.toMatch(/full up|orders_|shipping_notices/)
        expect(await readShipment(other.payload, id)).toEqual(before)
        expect(errorLines(log)).toEqual([expect.objectContaining({ reference })])
        expect(log.text()).toContain('full up')

        await allow()
        const again = await other.handle(request())
        expect(again.status).toBe(200)
        const after = await readShipment(other.payload, id)
        expect(after).toMatchObject({ status: 'shipped', entries: [entry] })
        expect(after.history).toHaveLength(1)
        expect(after.history[0]?.lines).toHaveLength(1)
      },
    )

    it("errors use the CMS's own format: HTML by default, JSON when asked", async () => {
      const page = await store.handle(noticeRequest({ order_number: 'NO-SUCH' }))
      expect(page.headers.get('content-type')).toMatch(/^text\/html/)

      const headers = { accept: 'application/json' }
      const answer = await store.handle(noticeRequest({ order_number: 'NO-SUCH' }, { headers }))
      expect(answer.status).toBe(404)
      expect(await answer.json()).toEqual({ errors: [{ message: expect.any(String) as unknown }] })
    })
  })

  describe('order of checks', () => {
    /** Each request has the fault of its own check, and the faults of all later checks. */
    it('credentials (401), action (400), method (405), order_number (406), order (404), settings (500)', async () => {
      const other = await openStoreForTest(kind, {
        options: { shipping: { settings: { matrixField: '', statusHandle: 'no-such' } } },
      })
      const { reference } = await saveOrder(other.payload)
      const send = async (parameters: Record<string, string>, init: RequestInit = {}) =>
        other.handle(shippingRequest(parameters, { method: 'POST', ...init }))
      const notice = { action: 'shipnotify' }
      const stranger = { headers: { authorization: 'Basic eDp5' } }

      expect((await send({ action: 'ship' }, { method: 'PUT', ...stranger })).status).toBe(401)
      expect((await send({ action: 'ship' }, { method: 'PUT' })).status).toBe(400)
      expect((await send({}, { method: 'PUT' })).status).toBe(400)
      expect((await send(notice, { method: 'PUT' })).status).toBe(405)
      expect((await send(notice)).status).toBe(406)
      expect((await send({ ...notice, order_number: 'NO-SUCH' })).status).toBe(404)
      expect((await send({ ...notice, order_number: reference })).status).toBe(500)
    })

    it.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])(
      'shipnotify is POST only: %s is 405 with Allow, and nothing is done',
      async (method) => {
        const { id, reference } = await saved()
        const parameters = { order_number: reference, ...parcel }
        const response = await store.handle(noticeRequest(parameters, { method }))
        expect(response.status).toBe(405)
        expect(response.headers.get('allow')).toBe('POST')
        expect(await statusOf(id)).toBe('processing')
      },
    )

    it('a blank handle setting comes before a status that does not exist', async () => {
      const log = captureLog()
      const other = await openStoreForTest(kind, {
        config: log.config,
        options: { shipping: { settings: { carrierField: '', statusHandle: 'no-such' } } },
      })
      const { reference } = await saveOrder(other.payload)
      await other.handle(noticeRequest({ order_number: reference }))
      expect(errorLines(log)).toEqual([expect.objectContaining({ setting: 'carrierField' })])
    })

    it('a stranger changes nothing', async () => {
      const { id, reference } = await saved()
      const before = await readShipment(store.payload, id)
      const headers = { authorization: 'Basic eDp5' }
      const request = noticeRequest({ order_number: reference, ...parcel }, { headers })
      expect((await store.handle(request)).status).toBe(401)
      expect(await readShipment(store.payload, id)).toEqual(before)
    })
  })
})

interface RawDatabase {
  drizzle: { run(query: unknown): Promise<unknown>; execute(query: unknown): Promise<unknown> }
}

/** Makes every write to a table fail in the database itself. Call the returned function to end that. */
async function refuseWrites({ payload, kind }: TestStore, table: string) {
  const { drizzle } = payload.db as unknown as RawDatabase
  const run = (text: string) =>
    kind === 'sqlite' ? drizzle.run(sql.raw(text)) : drizzle.execute(sql.raw(text))
  // A shipment inserts an entry and a notice, but updates the order.
  const event = table === 'orders' ? 'update' : 'insert'
  if (kind === 'sqlite') {
    const condition = table === 'orders' ? 'when new.status <> old.status' : ''
    await run(`create trigger refusal before ${event} on ${table} ${condition}
      begin select raise(abort, 'full up'); end`)
    return () => run('drop trigger refusal')
  }
  await run(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'full up'; end $$`)
  await run(
    `create trigger refusal before ${event} on ${table} for each row execute function refuse()`,
  )
  return () => run(`drop trigger refusal on ${table}`)
}
