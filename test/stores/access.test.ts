import type { BasePayload } from 'payload'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { partsOf } from '../support/parts.js'
import { apiOf } from '../support/api-of.js'
import { anAddress, anOrder, saveOrder } from '../support/orders.js'
import { anEvent, refused } from '../support/new-sends.js'
import { settleStored } from '../support/settle-sends.js'
import { exportRequest, noticeRequest } from '../support/shipping-requests.js'
import { anyKind, openStore, type TestStore } from '../support/store.js'

type Role = 'admin' | 'customer'
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** What is asked for, and what an admin gets; everybody else is refused. `:name` is an id. */
type Entry = readonly [Method, path: string, admin: number, posted?: object]

const settings = (slug: string): Entry[] => [
  ['GET', `/globals/${slug}`, 200],
  ['POST', `/globals/${slug}`, 200, {}],
]

const whereAny = 'where[id][exists]=true'

const written = (slug: string, id: string, admin: number): Entry[] => [
  ['POST', `/${slug}`, admin, {}],
  ['PATCH', `/${slug}/${id}`, admin, {}],
  ['PATCH', `/${slug}?${whereAny}`, admin, {}],
  ['DELETE', `/${slug}/${id}`, admin],
  ['DELETE', `/${slug}?${whereAny}`, admin],
]

/** Admins read it; Storeconnect alone writes it. */
const record = (slug: string): Entry[] => [
  ['GET', `/${slug}`, 200],
  ['GET', `/${slug}/count`, 200],
  ['GET', `/${slug}/:${slug}`, 200],
  ...written(slug, `:${slug}`, 403),
]

const kept = (slug: string): Entry[] => [['GET', `/${slug}`, 403], ...written(slug, '1', 403)]

const entries: Entry[] = [
  ...settings('shipping-settings'),
  ...settings('marketing-settings'),
  ['POST', '/globals/marketing-settings/test-connection', 200],
  ...settings('alert-settings'),
  ['POST', '/globals/alert-settings/send-test', 200],
  ['GET', '/globals/storeconnect', 200],
  ['POST', '/globals/storeconnect', 403, {}],
  ...record('shipping-notices'),
  ...record('shipping-skipped-orders'),
  ...record('marketing-sends'),
  ['POST', '/marketing-sends/:resent/resend', 200],
  ['POST', '/marketing-sends/:dismissed/dismiss', 200],
  ...record('marketing-histories'),
  ['GET', '/marketing-histories/count-orders?from=2025-01-01&to=2026-01-01', 200],
  ['GET', '/marketing-histories/progress', 200],
  ['POST', '/marketing-histories/start', 400, {}],
  ['POST', '/marketing-histories/987654/pause', 409],
  ['POST', '/marketing-histories/987654/resume', 409],
  ['POST', '/marketing-histories/987654/cancel', 409],
  ...record('marketing-erasures'),
  ['POST', '/marketing-erasures/preview', 200, { email: 'nobody@example.com' }],
  ['POST', '/marketing-erasures/erase', 201, { email: 'nobody@example.com' }],
  ['GET', '/storeconnect-alerts', 200],
  ...written('storeconnect-alerts', '1', 403),
  ['POST', '/storeconnect-alerts/none/snooze', 409],
  ...kept('marketing-lease'),
  ...kept('marketing-consent-proofs'),
  ...record('shipping-pulls'),
  ...kept('request-counts'),
  ['GET', '/storeconnect/order-preview?reference=A', 200],
  ['GET', '/storeconnect/window-preview', 200],
  ['GET', '/storeconnect/consent-proof.csv', 200],
  ['POST', '/storeconnect/resend-reason', 200, { reason: 'none' }],
  ['POST', '/sites', 400, {}],
  ['PATCH', '/sites/:sites', 200, {}],
  ...kept('payload-kv'),
  ...kept('payload-jobs'),
  ['GET', '/payload-jobs/run?queue=storeconnect', 200],
  ['GET', '/payload-jobs/handle-schedules?queue=storeconnect', 200],
  ...settings('payload-jobs-stats'),
]

describe('Of what Storeconnect adds to the API of Payload', () => {
  let store: TestStore
  const ids = new Map<string, number | string>()
  let payload: BasePayload
  let call: (entry: Entry, role?: Role) => Promise<number>

  beforeAll(async () => {
    store = await openStore(anyKind)
    payload = store.payload
    const api = apiOf(store)
    call = async ([method, path, , body], as) => {
      const known = path.replace(/:([\w-]+)/, (_, name: string) => String(ids.get(name)))
      return (await api(known, { as, method, body })).status
    }
    await fill()
  })
  afterAll(() => store.close())

  /** So that there is something to read in each collection. */
  async function fill(): Promise<void> {
    const { handle } = store
    const { outbox, histories, erasures } = partsOf(payload)
    const { reference } = await saveOrder(payload)
    await saveOrder(payload, anOrder({ shippingAddress: anAddress({ city: '' }) }))
    await handle(exportRequest())
    await handle(noticeRequest({ order_number: reference, tracking_number: '9400' }))
    await histories.start({ from: '2025-01-01', to: '2026-01-01' }, { startedBy: undefined })
    await erasures.erase('erased@example.com', { orders: 'keep', door: 'command' })
    const site = { handle: 'main', name: 'Main', baseUrl: 'https://shop.example', primary: true }
    await payload.create({ collection: 'sites', data: site })
    const now = new Date()
    const failing = ['resent', 'dismissed']
    await outbox.store(
      failing.map((name) => anEvent(name, { email: `${name}@example.com`, acceptedAt: now })),
    )
    const settlementOf = (id: number) => ({ id, to: 'failed' as const, error: refused })
    await settleStored(payload, failing, { settlementOf, now })
    for (const name of failing) {
      const where = { uniqueId: { equals: name }, state: { equals: 'failed' } }
      const { docs } = await payload.find({ collection: 'marketing-sends', where })
      ids.set(name, docs[0]?.id ?? `no ${name}`)
    }
    for (const slug of [
      'shipping-notices',
      'shipping-skipped-orders',
      'marketing-sends',
      'marketing-histories',
      'marketing-erasures',
      'sites',
    ]) {
      const { docs } = await payload.find({ collection: slug, limit: 1, sort: '-id' })
      ids.set(slug, docs[0]?.id ?? `no ${slug}`)
    }
    // The parts of its list are rows of the same table, which nobody can read.
    const where = { state: { exists: true } }
    const { docs } = await payload.find({ collection: 'shipping-pulls', where })
    ids.set('shipping-pulls', docs[0]?.id ?? 'no pull')
  }

  it.each(entries.map((entry) => ({ entry, title: entry.slice(0, 2).join(' ') })))(
    '$title is for admins alone',
    async ({ entry }) => {
      for (const role of [undefined, 'customer'] as const) {
        expect([401, 403], role).toContain(await call(entry, role))
      }
      expect(await call(entry, 'admin')).toBe(entry[2])
    },
  )

  it('only the sites are read by everybody', async () => {
    for (const role of [undefined, 'customer', 'admin'] as const) {
      expect(await call(['GET', '/sites', 200], role)).toBe(200)
    }
  })
})
