import { afterEach, describe, expect, it } from 'vitest'
import { allScopes, type Scope } from '../../../dev/klaviyo/calls.ts'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.js'
import { randomFrom } from '../../../dev/seed/random.ts'
import { signature } from '../../../src/merchant/alerts/send-message.js'
import type { StoredAlertSettings } from '../../../src/merchant/alerts/alert-settings.js'
import type { Condition } from '../../../src/merchant/alerts/conditions.js'
import { markOfKey } from '../../../src/marketing/klaviyo/ask-api.js'
import type { KeyFeatureName } from '../../../src/marketing/klaviyo/key-scopes.js'
import type { MarketingOptions } from '../../../src/plugin/options.js'
import { changeSettings, storeSettings } from '../../support/exported-orders.js'
import { anAddress, anOrder, saveOrder, saveOrders } from '../../support/orders.js'
import { createProduct } from '../../support/products.js'
import { anEvent } from '../../support/new-sends.js'
import { basic, exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import { itOnceOn } from '../../support/it-once.js'
import { databaseKinds } from '../../support/store.js'
import { aTrackEvent, shipStationSigner } from '../../support/tracking-webhooks.js'
import { only, openAlertWorld, webhookSecret, type AlertWorld } from './alert-world.js'

/** `SEED=2 npx vitest run test/merchant/alerts/conditions` has the processes die elsewhere. */
const seed = Number(process.env.SEED ?? 20261123)

/** About what a round needs. */
const statementsOfRound = 70

/** Makes a condition true, and returns what makes it untrue. */
type Break = (world: AlertWorld) => Promise<() => Promise<unknown>>

interface Case {
  breaks: Break
  /** The first words of what is said. */
  said: RegExp
  settings?: Partial<StoredAlertSettings>
  /** Whether the store has a key for the stand-in for Klaviyo. */
  hasKey?: true
  /** Further options for Klaviyo. */
  marketing?: MarketingOptions
}

const pull = ({ handle }: AlertWorld, parameters = {}) => handle(exportRequest(parameters))

const savePages = async ({ payload }: AlertWorld) => {
  await changeSettings(payload, { pageSize: '2' })
  await saveOrders(payload, [anOrder(now()), anOrder(now()), anOrder(now())])
}

const pullBoth = async (world: AlertWorld) => {
  for (const page of ['1', '2']) await pull(world, { page })
}

const store = ({ parts }: AlertWorld) =>
  parts.outbox.store([anEvent('1', { acceptedAt: new Date() })])

/** The database of SQLite knows no time but its own. */
const now = () => ({ updatedAt: new Date().toISOString() })

/** What the checkout makes of a cart: a payment for its one line, in a state. */
async function savePayment({ payload }: AlertWorld, data: Record<string, unknown> = {}) {
  const items = [{ product: await createProduct(payload), quantity: 1 }]
  const { id: cart } = await payload.create({
    collection: 'carts',
    data: { items, currency: 'USD' },
  })
  const { id } = await payload.create({
    collection: 'transactions',
    data: { cart, items, amount: 1250, currency: 'USD', paymentMethod: 'demo', ...data },
  })
  const change = (changes: Record<string, unknown>) =>
    payload.update({ collection: 'transactions', id, data: changes })
  return { id, cart, change }
}

/** ShipStation has shipped a parcel. Returns what ShipStation reports of it then. */
async function shipParcel(world: AlertWorld) {
  const { handle, network } = world
  const shipStation = shipStationSigner(world.now)
  world.network = (request, ask) => shipStation.answerTo(request) ?? network(request, ask)
  await changeSettings(world.payload, { trackingUpdates: true })
  const { reference } = await saveOrder(world.payload)
  const tracking = { carrier: 'UPS', tracking_number: '1Z999AA1' }
  await handle(noticeRequest({ order_number: reference, ...tracking }))
  return async (status: Record<string, string>) => {
    const occurred_at = new Date(world.now()).toISOString()
    const reply = await handle(shipStation.webhook(aTrackEvent({ ...status, occurred_at })))
    expect(reply.status).toBe(200)
  }
}

/** What lacks a scope is decided alike: `erasuresOff` stands for all, and `key-scopes.test.ts` opens each. */
type Watched = Exclude<Condition, `${Exclude<KeyFeatureName, 'erasures'>}Off`>

const cases: Record<Watched, Case> = {
  paidNoOrder: {
    said: /^1 payment was made, and there is no order for it\. It was begun: /,
    async breaks(world) {
      const { id, change } = await savePayment(world, { status: 'processing' })
      await world.pass(9, 9)
      expect(world.mails).toEqual([])
      return async () => {
        const order = await saveOrder(world.payload, anOrder({ ...now(), transactions: [id] }))
        await change({ order: order.id, status: 'succeeded' })
      }
    },
  },
  paidTwice: {
    said: /^1 payment was made for something that was paid already\. It was begun: /,
    async breaks(world) {
      const { id, cart } = await savePayment(world, { status: 'succeeded' })
      await saveOrder(world.payload, anOrder({ ...now(), transactions: [id] }))
      const again = await savePayment(world, { status: 'succeeded', cart })
      await world.pass(9, 9)
      expect(world.mails).toEqual([])
      return () => again.change({ status: 'refunded' })
    },
  },
  amountsDiffer: {
    said: /^1 order differs from what was paid for it\. The payment was begun: /,
    async breaks(world) {
      const { id } = await savePayment(world, { status: 'succeeded' })
      const paid = { ...now(), transactions: [id], amount: 1251 }
      const { id: order } = await saveOrder(world.payload, anOrder(paid))
      await world.pass(9, 9)
      expect(world.mails).toEqual([])
      await world.pass(27 * 60, 60)
      const data = { amount: 1250 }
      return () => world.payload.update({ collection: 'orders', id: order, data })
    },
  },
  unpaidOrders: {
    said: /^1 order has no payment: all that it names failed, expired or were cancelled\. /,
    async breaks(world) {
      const { id } = await savePayment(world, { status: 'expired' })
      const order = await saveOrder(world.payload, anOrder({ ...now(), transactions: [id] }))
      await world.pass(9, 9)
      expect(world.mails).toEqual([])
      const data = { status: 'cancelled' }
      return () => world.payload.update({ collection: 'orders', id: order.id, data })
    },
  },
  noPull: {
    said: /^ShipStation asks for no orders, and paid orders wait\. It last asked: /,
    async breaks(world) {
      await pull(world)
      await world.pass(1)
      await saveOrder(world.payload, anOrder(now()))
      await world.pass(12 * 60, 60)
      return () => pull(world)
    },
  },
  unshipped: {
    said: /^1 paid order waits for its shipment\. The oldest was paid: /,
    async breaks(world) {
      const { reference } = await saveOrder(world.payload)
      await world.pass(72 * 60, 12 * 60)
      expect(world.mails).toEqual([])
      return () => world.handle(noticeRequest({ order_number: reference }))
    },
  },
  windowStopped: {
    said: /^ShipStation stopped at page 1 of 2 and has not asked again\. Its last request: /,
    async breaks(world) {
      await savePages(world)
      await pull(world)
      await world.pass(29, 29)
      expect(world.mails).toEqual([])
      return () => pullBoth(world)
    },
  },
  firstPageOnly: {
    said: /^ShipStation asks only for page 1 of several: its last requests got no further\. /,
    async breaks(world) {
      await savePages(world)
      for (const start of ['11/01/2026', '11/02/2026', '11/03/2026']) {
        await pull(world, { start_date: start, end_date: '11/30/2027' })
        await world.pass(14, 14)
      }
      await world.pass(15, 15)
      expect(world.mails).toEqual([])
      return () => pullBoth(world)
    },
  },
  nothingFound: {
    said: /^ShipStation asks for orders and finds none, and paid orders wait outside /,
    async breaks(world) {
      await changeSettings(world.payload, { storeField: 'warehouse' })
      const pullWrong = () => pull(world, { store: 'Berlin' })
      await pullWrong()
      await world.pass(1)
      await saveOrder(world.payload, anOrder({ ...now(), warehouse: 'berlin' }))
      for (const minutes of [60, 60, 58]) {
        await pullWrong()
        await world.pass(minutes, minutes)
      }
      await pullWrong()
      expect(world.mails).toEqual([])
      return () => pull(world)
    },
  },
  endedShipped: {
    said: /^ShipStation has shipped 1 order that was cancelled or refunded\. The first parcel: /,
    async breaks(world) {
      const { payload } = world
      const { id, reference } = await saveOrder(payload)
      const end = () => payload.update({ collection: 'orders', id, data: { status: 'cancelled' } })
      await end()
      const notice = await world.handle(noticeRequest({ order_number: reference }))
      expect(notice.status).toBe(200)
      expect(await payload.findByID({ collection: 'orders', id })).toMatchObject({
        status: 'shipped',
      })
      return end
    },
  },
  parcelStuck: {
    said: /^1 parcel has not moved for days\. The carrier last saw it: /,
    settings: { parcelStuckDays: 1 },
    async breaks(world) {
      const report = await shipParcel(world)
      await report({ status_code: 'IT' })
      await world.pass(24 * 60 - 2, 12 * 60 - 1)
      expect(world.mails).toEqual([])
      return () => report({ status_code: 'IT' })
    },
  },
  parcelFailed: {
    said: /^1 parcel is lost or comes back\. The carrier said so: /,
    async breaks(world) {
      const report = await shipParcel(world)
      await report({ status_code: 'IT' })
      await world.pass(1)
      expect(world.mails).toEqual([])
      await report({ status_code: 'EX', status_detail_code: 'PARCEL_LOST' })
      return () => report({ status_code: 'DE' })
    },
  },
  ordersSkipped: {
    said: /^ShipStation does not get 1 order, because it is not complete\./,
    async breaks(world) {
      const order = anOrder({ ...now(), shippingAddress: anAddress({ city: '' }) })
      const { id } = await saveOrder(world.payload, order)
      await pull(world)
      return async () => {
        const { payload } = world
        const data = { shippingAddress: anAddress() }
        await payload.update({ collection: 'orders', id, data })
        await payload.db.updateOne({ collection: 'orders', id, data: now() })
      }
    },
  },
  shippingSettingsWrong: {
    said: /^ShipStation cannot report shipments: orders have no status of the name /,
    async breaks({ payload }) {
      await storeSettings(payload, { statusHandle: 'teleported' })
      return () => changeSettings(payload, { statusHandle: 'shipped' })
    },
  },
  exportFails: {
    said: /^ShipStation gets no orders: one of them is not complete, /,
    async breaks(world) {
      await changeSettings(world.payload, { failOnInvalidOrder: true })
      return cases.ordersSkipped.breaks(world)
    },
  },
  noticeFails: {
    said: /^ShipStation reported a shipment and got an error\./,
    async breaks({ parts, payload, handle }) {
      const { reference } = await saveOrder(payload)
      const failed = { action: 'shipnotify', code: 'UNEXPECTED', at: new Date() } as const
      await parts.shipStation.failed(failed)
      return () => handle(noticeRequest({ order_number: reference }))
    },
  },
  credentialsRefused: {
    said: /^A login with ShipStation's username was refused: /,
    async breaks(world) {
      await pull(world)
      await world.pass(61, 61)
      const headers = { authorization: basic('ship', 'of yesterday') }
      expect((await world.handle(exportRequest({}, { headers }))).status).toBe(401)
      return () => pull(world)
    },
  },
  keyRefused: {
    said: /^Klaviyo refuses the API key, so messages wait\./,
    hasKey: true,
    async breaks(world) {
      const fault = world.standIn.faults.add({ kind: 'wrong-key' })
      await store(world)
      return () => Promise.resolve(fault.remove())
    },
  },
  erasuresOff: {
    said: /^Klaviyo does not delete people who are erased: the API key lacks data-privacy:write\. /,
    hasKey: true,
    async breaks(world) {
      const scopes: Scope[] = allScopes.filter((scope) => scope !== 'data-privacy:write')
      world.account({ scopes })
      const test = async () => {
        world.move(1_000)
        const signal = AbortSignal.timeout(60_000)
        await world.parts.klaviyo.checkAccount({ apiKey: demoApiKey, signal })
      }
      await test()
      return () => {
        scopes.push('data-privacy:write')
        return test()
      }
    },
  },
  revisionEnds: {
    said: /^Klaviyo no longer serves the API revision that this version of Storeconnect uses, so messages wait\./,
    hasKey: true,
    async breaks(world) {
      const fault = world.standIn.faults.add({ kind: 'retired' })
      await store(world)
      return () => Promise.resolve(fault.remove())
    },
  },
  sendsFailed: {
    said: /^Klaviyo has refused 1 message\./,
    hasKey: true,
    async breaks(world) {
      world.standIn.faults.add({ kind: 'error', status: 400 })
      await store(world)
      return async () => {
        const [send] = await world.sends()
        await world.parts.outbox.dismiss(Number(send?.id))
      }
    },
  },
  catalogRefused: {
    said: /^Klaviyo refuses 1 product or variant of the catalog\. Green tea: /,
    hasKey: true,
    async breaks({ payload, parts }) {
      await payload.updateGlobal({ slug: 'marketing-settings', data: { catalog: 'api' } })
      parts.marketingSettings.forget()
      const wish = JSON.stringify({ attributes: { title: 'Green tea' } })
      const error = JSON.stringify({ code: 'invalid', detail: 'The URL is not valid.' })
      const id = 'item:7'
      const seen = new Date().toISOString()
      const of = { kind: 'item', entryId: '7', product: '7', state: 'refused' }
      // Nothing is compared before the night.
      await payload.kv.set('storeconnect:catalog', { key: markOfKey(demoApiKey), comparedAt: seen })
      const data = { id, ...of, wish, error, seen }
      await payload.db.create({ collection: 'marketing-catalog', data, req: {} })
      return () => payload.db.deleteMany({ collection: 'marketing-catalog', where: {} })
    },
  },
  couponsRefused: {
    said: /^Klaviyo gets no new discount codes, or not all of them\. The code is not valid\./,
    hasKey: true,
    marketing: {
      coupons: {
        id: 'TEA',
        stock: 2,
        makeCodes: () => [{ code: 'TEA-0001' }, { code: 'TEA-0002' }],
      },
    },
    async breaks({ payload }) {
      const collection = 'marketing-coupon-codes'
      const error = JSON.stringify({ code: 'invalid', detail: 'The code is not valid.' })
      const data = {
        id: 'TEA-0003',
        state: 'refused',
        error,
        expiresAt: '2027-01-01T00:00:00.000Z',
      }
      await payload.db.create({ collection, data, req: {} })
      return () => payload.db.deleteMany({ collection, where: { state: { equals: 'refused' } } })
    },
  },
  sendsWaiting: {
    said: /^Messages wait for Klaviyo\. The oldest has waited since: /,
    hasKey: true,
    async breaks(world) {
      const { payload } = world
      await store(world)
      const write = (data: Record<string, unknown>) =>
        payload.db.updateMany({ collection: 'marketing-sends', where: {}, data })
      // As after calls that failed.
      await write({ attempts: 5, nextAttemptAt: '2027-01-01T00:00:00.000Z' })
      await world.pass(30, 10)
      expect(world.mails).toEqual([])
      return () => write({ nextAttemptAt: null })
    },
  },
}

describe.each(databaseKinds)('The watchman (%s)', (kind) => {
  const itOnce = itOnceOn(kind)
  let world: AlertWorld | undefined

  afterEach(async () => {
    await world?.close()
    world = undefined
  })

  async function open(condition: Watched): Promise<AlertWorld> {
    const { hasKey, settings = {}, marketing } = cases[condition]
    const key = { settings: { privateApiKey: demoApiKey } }
    world = await openAlertWorld(kind, {
      settings: { ...only(condition), digest: false, ...settings },
      ...(hasKey && { options: { marketing: { ...marketing, ...key } } }),
    })
    return world
  }

  it.each(Object.keys(cases) as Watched[])(
    'says once within five minutes that something is wrong, and once that it is over, also over kills: %s',
    async (condition) => {
      const opened = await open(condition)
      const doomed = await opened.join()
      const random = randomFrom(seed)
      /** Processes that die at any point, and one that takes over. */
      const passFiveMinutes = async () => {
        for (let minute = 1; minute <= 3; minute++) {
          opened.move(60_000)
          await opened.dyingRound(doomed, random.between(1, statementsOfRound))
        }
        await opened.pass(2)
      }
      // A process that dies while it sends cannot know whether the message arrived.
      const once = <Sent extends { id: string }>(sent: readonly Sent[]): Sent[] => [
        ...new Map(sent.map((one) => [one.id, one])).values(),
      ]
      const mailed = () => once(opened.mails)
      await opened.pass(2)
      expect(mailed()).toEqual([])

      const mend = await cases[condition].breaks(opened)
      await passFiveMinutes()
      expect(mailed().map(({ subject }) => subject)).toEqual([
        expect.stringMatching(cases[condition].said),
      ])
      await opened.pass(6 * 60, 60)
      expect(mailed()).toHaveLength(1)

      await mend()
      await passFiveMinutes()
      expect(mailed()).toHaveLength(2)
      await opened.pass(60, 30)
      const mails = mailed()
      const posted = once(opened.posted)
      expect(mails).toHaveLength(2)
      expect(mails[1]?.subject).not.toMatch(cases[condition].said)
      expect(mails[1]?.text).toMatch(/It began on Nov 2\d, 2026.* \(UTC\) and ended on Nov 2/)
      expect(mails[0]).toMatchObject({ to: ['merchant@shop.example'] })
      expect(mails[0]?.text).toMatch(/https:\/\/shop\.example\/admin\/(globals|collections)\//)
      expect(mails[0]?.html).toContain('<a href="https://shop.example/admin/')

      const bodies = posted.map(({ body }) => JSON.parse(body) as { type: string; data: object })
      expect(bodies.map(({ type, data }) => [type, data])).toEqual([
        ['alert.begun', expect.objectContaining({ condition })],
        ['alert.ended', expect.objectContaining({ condition })],
      ])
      for (const { id, timestamp, body, ...sent } of posted) {
        expect(sent.signature).toBe(signature(webhookSecret, { id, timestamp, body }))
      }
    },
  )

  const subjects = () => world?.mails.map(({ subject }) => subject)

  itOnce('does not take a test that is refused too for the end of a refused key', async () => {
    const opened = await open('keyRefused')
    const mend = await cases.keyRefused.breaks(opened)
    await opened.pass(5)
    expect(subjects()).toEqual([expect.stringMatching(cases.keyRefused.said)])
    const test = () =>
      opened.parts.klaviyo.checkAccount({
        apiKey: demoApiKey,
        signal: AbortSignal.timeout(60_000),
      })
    opened.move(30_000)
    expect(await test()).toMatchObject({ failed: { is: 'misconfigured' } })
    await opened.pass(3)
    expect(subjects()).toHaveLength(1)
    await mend()
    await test()
    await opened.pass(60, 5)
    expect(subjects()).toHaveLength(2)
  })

  itOnce('says three months before that the revision of the API ends', async () => {
    const opened = await open('revisionEnds')
    opened.moveTo('2028-04-14T23:50Z')
    await opened.pass(5)
    expect(subjects()).toEqual([])
    await opened.pass(10)
    expect(subjects()).toEqual([
      expect.stringMatching(
        /^Klaviyo serves the API revision .* until Jul 15, 2028, 12:00\sAM \(UTC\)\.$/,
      ),
    ])
    await opened.pass(30 * 24 * 60, 24 * 60)
    expect(subjects()).toHaveLength(1)
  })

  itOnce('does not take a retired revision for a refused key, and fails no send', async () => {
    const opened = await open('revisionEnds')
    await opened.saveSettings(only('keyRefused', 'revisionEnds', 'sendsFailed', 'sendsWaiting'))
    const mend = await cases.revisionEnds.breaks(opened)
    await opened.pass(5)
    await opened.pass(24 * 60, 60)
    expect(subjects()).toEqual([expect.stringMatching(cases.revisionEnds.said)])
    expect(opened.mails[0]?.text).toMatch(/update Storeconnect/)
    expect(await opened.sends()).toMatchObject([{ state: 'queued' }])
    await mend()
    await opened.pass(5)
    expect(await opened.sends()).toMatchObject([{ state: 'sent' }])
    expect(subjects()).toHaveLength(2)
  })

  itOnce('remembers a refused login until ShipStation has been away for long', async () => {
    const opened = (world = await openAlertWorld(kind, {
      settings: { ...only('credentialsRefused'), digest: false, healthToken: 'token' },
    }))
    const { handle } = opened
    await pull(opened)
    await opened.pass(10, 10)
    const headers = { authorization: basic('ship', 'of yesterday') }
    expect((await handle(exportRequest({}, { headers }))).status).toBe(401)
    await opened.pass(5)
    // The throttles forget what is over when they count again.
    const health = 'https://shop.example/actions/storeconnect/health?token=wrong'
    expect((await handle(new Request(health))).status).toBe(401)
    await opened.pass(40, 10)
    expect(subjects()).toEqual([])
    await opened.pass(10, 5)
    expect(subjects()).toEqual([expect.stringMatching(cases.credentialsRefused.said)])
  })

  itOnce('does not say that events of past orders wait', async () => {
    const opened = await open('sendsWaiting')
    await store(opened)
    const data = { kind: 'past-event', attempts: 5, nextAttemptAt: '2027-01-01T00:00:00.000Z' }
    await opened.payload.db.updateMany({ collection: 'marketing-sends', where: {}, data })
    await opened.pass(60, 10)
    expect(subjects()).toEqual([])
  })

  itOnce('says that sends wait for a refused key when that is not reported itself', async () => {
    const opened = await open('keyRefused')
    await opened.saveSettings(only('sendsWaiting'))
    await cases.keyRefused.breaks(opened)
    await opened.pass(40, 5)
    expect(subjects()).toEqual([expect.stringMatching(cases.sendsWaiting.said)])
  })
})
