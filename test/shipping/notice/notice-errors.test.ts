import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { captureLog } from '../../support/captured-log.js'
import { storeSettings } from '../../support/exported-orders.js'
import { saveOrder } from '../../support/orders.js'
import { noticeRequest, shippingRequest } from '../../support/shipping-requests.js'
import { testCredentials, type DatabaseKind } from '../../support/store-config.js'
import { anyKind, databaseKinds, openStore, type TestStore } from '../../support/store.js'
import { entry, errorLines, parcel, readShipment } from './stored-shipment.js'

const settingsOfStore = {
  ...testCredentials,
  statusHandle: 'shipped',
  matrixField: 'tracking',
  entryType: '',
  carrierField: 'carrier',
  serviceField: 'service',
  trackingNumberField: 'trackingNumber',
}

/** One store for all tests of a block, with its log. */
function refusingStore(kind: DatabaseKind) {
  const log = captureLog()
  let store: TestStore
  beforeAll(async () => {
    store = await openStore(kind, { config: log.config })
  })
  beforeEach(async () => {
    await storeSettings(store.payload, settingsOfStore)
    log.clear()
  })
  afterAll(() => store.close())
  return {
    log,
    get store() {
      return store
    },
    send: (parameters: Record<string, string>, init?: RequestInit) =>
      store.handle(noticeRequest(parameters, init)),
    saved: () => saveOrder(store.payload),
    shipment: (id: number | string) => readShipment(store.payload, id),
    /** As an older version of the form may have kept them. */
    keep: (settings: Record<string, string>) =>
      storeSettings(store.payload, { ...settingsOfStore, ...settings }),
  }
}

describe('what shipnotify refuses', () => {
  const shop = refusingStore(anyKind)
  const { log, send, saved, shipment, keep } = shop

  describe('errors', () => {
    it.each([
      ['missing', {}],
      ['empty', { order_number: '' }],
      ['blank', { order_number: ' \t ' }],
    ])('406: order_number %s', async (_what, parameters) => {
      expect((await send({ ...parameters, ...parcel })).status).toBe(406)
    })

    it('404: no order matches order_number', async () => {
      const { id } = await saved()
      const before = await shipment(id)
      for (const reference of ['NO-SUCH', '0', '-1', '9'.repeat(21), "' or 1=1 --", '%', 'ä']) {
        const { status } = await send({ order_number: reference, ...parcel })
        expect([reference, status]).toEqual([reference, 404])
      }
      expect(await shipment(id)).toEqual(before)
    })

    it.each([
      ['a blank Matrix field', { matrixField: '' }],
      ['a blank Carrier field', { carrierField: '' }],
      ['a blank Service field', { serviceField: ' ' }],
      ['a blank Tracking Number field', { trackingNumberField: '' }],
      ['a blank entry type of a blocks field', { matrixField: 'parcels', entryType: '' }],
      ['a blank Carrier field before a missing status', { statusHandle: 'no', carrierField: '' }],
    ])('500: a shipping notification handle setting is blank: %s', async (_what, settings) => {
      const { id, reference } = await saved()
      const before = await shipment(id)
      await keep(settings)
      const response = await send({ order_number: reference, ...parcel })
      expect(response.status).toBe(500)
      expect(await shipment(id)).toEqual(before)
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
        const { id, reference } = await saved()
        const before = await shipment(id)
        await keep({ statusHandle })
        expect((await send({ order_number: reference, ...parcel })).status).toBe(500)
        expect(await shipment(id)).toEqual(before)
        expect(errorLines(log)).toEqual([
          expect.objectContaining({ reference, status: expect.anything() as unknown }),
        ])
      },
    )
  })

  describe('order of checks', () => {
    /** Each request has the fault of its own check, and the faults of all later checks. */
    it('credentials (401), action (400), method (405), order_number (406), order (404), settings (500)', async () => {
      const { id, reference } = await saved()
      const before = await shipment(id)
      await keep({ matrixField: '', statusHandle: 'no-such' })
      const statusOf = async (parameters: Record<string, string>, init: RequestInit = {}) =>
        (await shop.store.handle(shippingRequest(parameters, { method: 'POST', ...init }))).status
      const notice = { action: 'shipnotify' }
      const stranger = { headers: { authorization: 'Basic eDp5' } }

      expect(await statusOf({ action: 'ship' }, { method: 'PUT', ...stranger })).toBe(401)
      expect(await statusOf({ ...notice, order_number: reference }, stranger)).toBe(401)
      expect(await statusOf({ action: 'ship' }, { method: 'PUT' })).toBe(400)
      expect(await statusOf({}, { method: 'PUT' })).toBe(400)
      expect(await statusOf(notice, { method: 'PUT' })).toBe(405)
      expect(await statusOf({ ...notice, order_number: reference }, { method: 'GET' })).toBe(405)
      expect(await statusOf(notice)).toBe(406)
      expect(await statusOf({ ...notice, order_number: 'NO-SUCH' })).toBe(404)
      expect(await statusOf({ ...notice, order_number: reference })).toBe(500)
      expect(await shipment(id)).toEqual(before)
    })
  })
})

describe.each(databaseKinds)('a database that refuses a part of a shipment (%s)', (kind) => {
  const shop = refusingStore(kind)
  const { log, send, saved, shipment } = shop

  it.each([
    ['the history', 'shipping_notices'],
    ['its lines', 'shipping_notices_lines'],
    ['the entry', 'orders_tracking'],
    ['the status', 'orders'],
  ])(
    '500: an order could not be saved: all or nothing when %s cannot be written',
    async (_what, table) => {
      const { id, reference } = await saved()
      const before = await shipment(id)
      const body = `<ShipNotice><Items><Item><SKU>TEA-1</SKU></Item></Items></ShipNotice>`
      const notify = () => send({ order_number: reference, ...parcel }, { body })

      const allow = await refuseWrites(shop.store, table)
      const response = await notify()
      expect(response.status).toBe(500)
      expect(await response.text()).not.toMatch(/full up|orders_|shipping_notices/)
      expect(await shipment(id)).toEqual(before)
      expect(errorLines(log)).toEqual([expect.objectContaining({ reference })])
      expect(log.text()).toContain('full up')

      await allow()
      expect((await notify()).status).toBe(200)
      const after = await shipment(id)
      expect(after).toMatchObject({ status: 'shipped', entries: [entry] })
      expect(after.history).toHaveLength(1)
      expect(after.history[0]?.lines).toHaveLength(1)
    },
  )
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
  await run(`create or replace function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'full up'; end $$`)
  await run(
    `create trigger refusal before ${event} on ${table} for each row execute function refuse()`,
  )
  return () => run(`drop trigger refusal on ${table}`)
}
