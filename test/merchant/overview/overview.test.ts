import { sql } from 'drizzle-orm'
import type { BasePayload } from 'payload'
import { afterEach, describe, expect, it } from 'vitest'
import { placeUrls } from '../../../src/merchant/admin/overview/place-urls.js'
import type { NewSend } from '../../../src/marketing/delivery/send.js'
import type { SendKind } from '../../../src/marketing/delivery/send.js'
import { partsOf } from '../../support/parts.js'
import type { StoreConnectOptions } from '../../../src/plugin/options.js'
import { resentAtMost } from '../../../src/marketing/delivery/failures.js'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { sendTable } from '../../../src/marketing/delivery/send-table.js'
import { apiOf, type Api, type ApiCall } from '../../support/api-of.js'
import { anAddress, anOrder, saveOrder, saveOrders } from '../../support/orders.js'
import { aListAdd, anEvent } from '../../support/new-sends.js'
import { storeSettings } from '../../support/exported-orders.js'
import { settleSends } from '../../support/settle-sends.js'
import { exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import { itOnceOn } from '../../support/it-once.js'
import { databaseKinds, openStore, type TestStore } from '../../support/store.js'

describe.each(databaseKinds)("The merchant's page of a store (%s)", (kind) => {
  const itOnce = itOnceOn(kind)
  let store: TestStore
  let payload: BasePayload
  let handle: TestStore['handle']
  let api: Api
  let passedMs: number
  afterEach(() => store.close())

  async function start(options: StoreConnectOptions = {}): Promise<void> {
    passedMs = 0
    const effects = { now: () => new Date(Date.now() + passedMs) }
    store = await openStore(kind, { options, effects })
    ;({ payload, handle } = store)
    api = apiOf(store)
  }

  const ask = (path: string, asked: ApiCall = { as: 'admin' }) => api(path, asked)

  async function read() {
    const { overview } = partsOf(payload)
    const { shipping, marketing } = await overview.facts()
    return { ...shipping, ...marketing, ...(await overview.details()) }
  }
  const previewOrder = async (reference: string): Promise<unknown> =>
    (await ask(`/storeconnect/order-preview?${new URLSearchParams({ reference })}`)).json()
  const previewWindow = async (parameters: Record<string, string> = {}): Promise<unknown> =>
    (await ask(`/storeconnect/window-preview?${new URLSearchParams(parameters)}`)).json()
  const resend = (reason: string, since?: Date) =>
    ask('/storeconnect/resend-reason', { as: 'admin', body: { reason, since } })

  const settle = (...[sends, to]: [NewSend[], Parameters<typeof settleSends>[2]]) =>
    settleSends(payload, sends, to)

  it('has nothing to say about a store that has just begun', async () => {
    await start()
    const { hours, waiting, ...rest } = await read()
    expect(rest).toMatchObject({
      settingsProblem: undefined,
      settingsSavedAt: undefined,
      lastPull: undefined,
      failures: [],
      lastShipment: undefined,
      skipped: { count: 0, firstAt: undefined },
      keyProblem: 'missing',
      pauses: [],
      lastTest: undefined,
      lastSentAt: undefined,
      failed: [],
      newestSkipped: [],
    })
    expect(hours).toHaveLength(24)
    expect(hours.every(({ count }) => count === 0)).toBe(true)
    expect(waiting.map(({ kind, count }) => [kind, count])).toEqual([
      ['event', 0],
      ['identify', 0],
      ['list-add', 0],
      ['subscribe', 0],
      ['consent', 0],
      ['unsubscribe', 0],
      ['back-in-stock', 0],
      ['erase', 0],
      ['past-event', 0],
    ])
  })

  it('says when the platform last pulled, and what was last shipped', async () => {
    await start()
    const { reference } = await saveOrder(payload)
    const stranger = exportRequest({}, { headers: { authorization: 'Basic eDp5' } })
    expect((await handle(stranger)).status).toBe(401)
    expect((await read()).lastPull).toBeUndefined()
    const before = Date.now()
    await handle(exportRequest())
    const notice = { order_number: reference, carrier: 'USPS', tracking_number: '9400' }
    expect((await handle(noticeRequest(notice))).status).toBe(200)
    const { lastPull, lastShipment } = await read()
    expect(lastPull).toMatchObject({ orders: 1, pages: 1 })
    expect(lastPull?.at.getTime()).toBeGreaterThanOrEqual(before)
    expect(lastShipment).toMatchObject({ reference, carrier: 'USPS' })
  })

  itOnce('says why a pull failed, until the next one goes well', async () => {
    await start({ shipping: { settings: { failOnInvalidOrder: true } } })
    const { id } = await saveOrder(payload)
    await handle(exportRequest())
    expect((await read()).failures).toEqual([])

    const address = (city: string) => ({ shippingAddress: anAddress({ city }) })
    await payload.update({ collection: 'orders', id, data: address('') })
    passedMs += 1000
    expect((await handle(exportRequest())).status).toBe(500)
    const failed = await read()
    expect(failed.failures).toMatchObject([{ action: 'export', code: 'ORDER_NOT_VALID' }])
    expect(failed.failures[0]?.at.getTime()).toBeGreaterThan(failed.lastPull?.at.getTime() ?? NaN)

    await payload.update({ collection: 'orders', id, data: address('London') })
    passedMs += 1000
    expect((await handle(exportRequest())).status).toBe(200)
    const { lastPull, failures } = await read()
    expect(lastPull?.at.getTime()).toBeGreaterThan(failures[0]?.at.getTime() ?? NaN)
  })

  itOnce('says why a notice of the platform failed, but not that an order is unknown', async () => {
    await start({ shipping: { settings: { statusHandle: 'teleported' } } })
    const { reference } = await saveOrder(payload)
    const post = (order_number: string) => handle(noticeRequest({ order_number }))
    expect((await post('NO-SUCH-ORDER')).status).toBe(404)
    expect((await read()).failures).toEqual([])

    expect((await post(reference)).status).toBe(500)
    expect((await read()).failures).toMatchObject([
      { action: 'shipnotify', code: 'STATUS_NOT_FOUND' },
    ])
  })

  it('counts what waits, what was sent in each hour, and what failed by reason', async () => {
    await start()
    const invalid = { code: 'invalid', detail: 'Not taken.' }
    await settle([anEvent('a'), anEvent('b')], invalid)
    await settle([anEvent('c')], { code: 'too-large', detail: 'Too large.' })
    await settle([anEvent('d'), anEvent('e'), anEvent('f')], 'sent')
    await partsOf(payload).outbox.store([{ ...aListAdd('g'), acceptedAt: new Date() }])

    const { failed, hours, lastSentAt, waiting } = await read()
    const newestAt = expect.any(Date) as Date
    expect(failed).toMatchObject([
      { reason: 'invalid', sample: invalid, count: 2, newestAt },
      {
        reason: 'too_large',
        sample: { code: 'too-large', detail: 'Too large.' },
        count: 1,
        newestAt,
      },
    ])
    expect(hours.reduce((sum, { count }) => sum + count, 0)).toBe(3)
    expect(hours.findLast(({ count }) => count > 0)?.from.getTime()).toBeLessThanOrEqual(
      lastSentAt?.getTime() ?? 0,
    )
    expect(waiting.find(({ kind }) => kind === 'list-add')).toMatchObject({ count: 1 })
    expect(waiting.find(({ kind }) => kind === 'event')).toMatchObject({ count: 0 })
  })

  it('resends all that failed for a reason, and nothing else', async () => {
    await start()
    await settle([anEvent('a'), anEvent('b')], { code: 'invalid', detail: 'Not taken.' })
    await settle([anEvent('c')], { code: 'too-large', detail: 'Too large.' })
    expect(await (await resend('invalid')).json()).toEqual({ count: 2 })
    const { failed, waiting } = await read()
    expect(failed.map(({ reason }) => reason)).toEqual(['too_large'])
    expect(waiting.find(({ kind }) => kind === 'event')?.count).toBe(2)
    expect(await (await resend('invalid')).json()).toEqual({ count: 0 })
    expect((await ask('/storeconnect/resend-reason', { as: 'admin', body: [] })).status).toBe(400)
  })

  it('resends what failed since a moment, and leaves what failed before', async () => {
    await start()
    const moment = (minutes: number) => new Date(Date.UTC(2026, 10, 2, 10, minutes))
    const invalid = { code: 'invalid', detail: 'Not taken.' }
    for (const minutes of [0, 30, 59]) {
      await settle([anEvent(`at ${minutes}`)], { ...invalid, acceptedAt: moment(minutes) })
    }
    const { failures } = partsOf(payload)
    expect(await failures.read(moment(30))).toMatchObject([
      { reason: 'invalid', count: 2, firstAt: moment(30), newestAt: moment(59) },
    ])
    expect(await (await resend('invalid', moment(30))).json()).toEqual({ count: 2 })
    expect((await read()).failed).toMatchObject([{ count: 1, newestAt: moment(0) }])
    const body = { reason: 'invalid', since: 'yesterday' }
    const refused = await ask('/storeconnect/resend-reason', { as: 'admin', body })
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('since')])
  })

  /** Stores so many failed sends at once, all of one kind and with ids that ascend from `first`. */
  const insertFailed = async (rows: {
    first: number
    count: number
    kind: SendKind
    code: string
  }) => {
    const { first, count, kind, code } = rows
    const database = sqlDatabase(payload)
    const { table, bare } = sendTable(database)
    const [from, to] = [sql.raw(String(first)), sql.raw(String(first + count - 1))]
    const numbers = database.isSqlite
      ? sql`(with recursive "numbers"("n") as (select ${from} union all
          select "n" + 1 from "numbers" where "n" < ${to}) select "n" from "numbers")`
      : sql`(select generate_series(${from}, ${to}) as "n")`
    await database.run(sql`insert into ${table}
        (${bare.id}, ${bare.state}, ${bare.kind}, ${bare.key}, ${bare.profile}, ${bare.errorCode}, ${bare.errorDetail})
      select "n", 'failed', ${sql.raw(`'${kind}'`)}, 'key ' || "n", 'profile ' || "n", ${sql.raw(`'${code}'`)}, 'Detail ' || "n"
      from ${numbers} as "of"`)
  }

  it('counts each reason by itself, and shows the newest of it, however many there are', async () => {
    await start()
    await insertFailed({ first: 1, count: 10_005, kind: 'event', code: 'invalid' })
    await insertFailed({ first: 20_001, count: 3, kind: 'subscribe', code: 'too-large' })
    await insertFailed({ first: 20_004, count: 1, kind: 'subscribe', code: 'invalid' })
    expect((await read()).failed).toMatchObject([
      { reason: 'invalid', count: 10_006, sample: { id: 20_004, detail: 'Detail 20004' } },
      { reason: 'too-large', count: 3, sample: { id: 20_003, detail: 'Detail 20003' } },
    ])
  })

  it('resends the oldest first where there are more than go at once', async () => {
    await start()
    // By kind, the oldest one would come last.
    await insertFailed({ first: 1, count: 1, kind: 'subscribe', code: 'invalid' })
    await insertFailed({ first: 2, count: resentAtMost, kind: 'event', code: 'invalid' })
    expect(await (await resend('invalid')).json()).toEqual({ count: resentAtMost })
    expect((await read()).failed).toMatchObject([
      { reason: 'invalid', count: 1, sample: { detail: `Detail ${resentAtMost + 1}` } },
    ])
  })

  itOnce(
    "shows an order's XML as the export has it, or why that leaves it out, also by the store's own hook, and notes nothing",
    async () => {
      await start({ shipping: { beforeExport: (order) => !order.gift && order } })
      const whole = await saveOrder(payload)
      const exported = await (await handle(exportRequest())).text()
      expect(await previewOrder(` ${whole.reference} `)).toEqual({
        is: 'exported',
        reference: whole.reference,
        xml: exported,
      })
      const held = await saveOrder(payload, anOrder({ gift: true }))
      expect(await previewOrder(held.reference)).toMatchObject({
        is: 'left-out',
        reasons: [{ code: 'HELD_BACK', message: "The store's beforeExport hook keeps it back." }],
      })
      await payload.delete({ collection: 'orders', id: held.id })
      const shippingAddress = anAddress({ country: 'Germany', city: '' })
      const { reference } = await saveOrder(payload, anOrder({ shippingAddress }))
      expect(await previewOrder(reference)).toEqual({
        is: 'left-out',
        reference,
        reasons: [
          { code: 'NO_SHIPPING_CITY', message: 'Its shipping address has no city.' },
          {
            code: 'NO_SHIPPING_COUNTRY',
            message: 'Its shipping address has no two-letter country code.',
          },
        ],
      })
      expect((await read()).skipped.count).toBe(0)
      expect(await previewOrder('nobody-has-this')).toEqual({ is: 'not-found' })

      await handle(exportRequest())
      const { skipped, newestSkipped } = await read()
      expect(skipped.count).toBe(1)
      expect(newestSkipped).toMatchObject([{ reference, isFailure: true }])
      expect(newestSkipped[0]?.reasons).toContain('NO_SHIPPING_CITY')
    },
  )

  it('shows what is to be completed first, whatever else was skipped since, and where that is listed', async () => {
    await start()
    const shippingAddress = anAddress({ city: '' })
    const { reference } = await saveOrder(payload, anOrder({ shippingAddress }))
    await handle(exportRequest())
    await saveOrders(
      payload,
      Array.from({ length: 6 }, () => anOrder({ items: [] })),
    )
    await handle(exportRequest())
    const { skipped, newestSkipped } = await read()
    expect(skipped.count).toBe(1)
    expect(newestSkipped[0]).toMatchObject({ reference, isFailure: true })
    expect(newestSkipped.map(({ isFailure }) => isFailure)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])

    const listed = async (place: 'skipped-orders' | 'all-skipped-orders') => {
      const { search } = new URL(placeUrls(payload)[place], 'https://shop.example')
      return (await ask(`/shipping-skipped-orders${search}`)).json() as unknown
    }
    expect(await listed('skipped-orders')).toMatchObject({ totalDocs: 1, docs: [{ reference }] })
    expect(await listed('all-skipped-orders')).toMatchObject({ totalDocs: 7 })
  })

  it('says which orders a window matches, and in how many pages', async () => {
    await start({ timezone: 'Europe/Berlin', shipping: { settings: { pageSize: 2 } } })
    const moments = ['10:00', '11:00', '12:00', '13:00'].map((time) => `2025-03-01T${time}:00.000Z`)
    const saved: string[] = []
    for (const updatedAt of moments) {
      saved.push((await saveOrder(payload, anOrder({ updatedAt }))).reference)
    }
    // Berlin is an hour ahead in March.
    const answer = await previewWindow({
      start_date: '03/01/2025 11:30',
      end_date: '03/01/2025 14:30',
    })
    expect(answer).toMatchObject({
      timezone: 'Europe/Berlin',
      total: 3,
      pages: 2,
      orders: saved.slice(1).map((reference) => ({ reference, reasons: [] })),
    })
    expect(await previewWindow()).toMatchObject({ total: 4, pages: 2 })
    expect(await previewWindow()).not.toHaveProperty('window')
    // A list that was fixed would be found here.
    const lists = await payload.count({ collection: 'shipping-pulls', overrideAccess: true })
    expect(lists.totalDocs).toBe(0)
  })

  itOnce(
    'distinguishes the stores of a window, and refuses as the export does where their field is gone',
    async () => {
      await start({ shipping: { settings: { storeField: 'warehouse' } } })
      const { reference } = await saveOrder(payload, anOrder({ warehouse: 'berlin' }))
      await saveOrder(payload, anOrder({ warehouse: 'portland' }))
      const found = { store: 'berlin', total: 1, orders: [{ reference }] }
      expect(await previewWindow({ store: 'berlin' })).toMatchObject(found)
      await storeSettings(payload, { storeField: 'gone' })
      const answer = await ask('/storeconnect/window-preview')
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([500, 'no-store'])
      expect(await answer.text()).not.toContain('gone')
    },
  )
})
