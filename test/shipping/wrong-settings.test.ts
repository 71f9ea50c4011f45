import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../dev/klaviyo/serve-stand-in.js'
import { demoApiKey } from '../../dev/klaviyo/stand-in.js'
import { sqlDatabase } from '../../src/core/database/database.js'
import { choiceProblem, orderChoices } from '../../src/shop/orders/order-choices.js'
import {
  shippingSettingTable,
  shippingSettingProblems,
} from '../../src/shipping/shipping-settings.js'
import { apiOf, type Api } from '../support/api-of.js'
import { noticeRequest } from '../support/shipping-requests.js'
import { saveOrder } from '../support/orders.js'
import { anyKind, openStore, type TestStore } from '../support/store.js'

describe('A setting that names what does not exist', () => {
  let klaviyo: ServedStandIn
  let store: TestStore
  let api: Api
  beforeAll(async () => {
    klaviyo = await serveKlaviyoStandIn({ port: 0, limits: 'none' })
    store = await openStore(anyKind, { options: { marketing: { apiUrl: klaviyo.origin } } })
    api = apiOf(store)
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    const database = sqlDatabase(store.payload)
    for (const table of ['shipping_settings', 'marketing_settings']) {
      await database.run(sql`delete from ${sql.identifier(table)}`)
    }
  })
  afterAll(async () => {
    await store.close()
    await klaviyo.close()
  })

  const ask = (path: string, body: object) => api(path, { as: 'admin', body })
  const save = (data: object) => ask('/globals/shipping-settings', data)
  const problemsOf = async (answer: Response) => {
    const body = (await answer.json()) as { errors?: { data: { errors: { path: string }[] } }[] }
    return (body.errors ?? []).flatMap(({ data }) => data.errors.map(({ path }) => path))
  }
  const blocks = { matrixField: 'parcels', entryType: 'shipment' }

  it.each<[string, Record<string, unknown>]>([
    ['statusHandle', { statusHandle: 'shiped' }],
    ['statusHandle', { statusHandle: '' }],
    ['statusHandle', { statusHandle: null }],
    ['storeField', { storeField: 'warehose' }],
    ['storeField', { storeField: 'number' }],
    ['storeField', { storeField: 'items' }],
    ['storeField', { storeField: '$TEST_STORE_FIELD' }],
    ['matrixField', { matrixField: 'trackings' }],
    ['matrixField', { matrixField: 'items' }],
    ['matrixField', { matrixField: 'warehouse' }],
    ['matrixField', { matrixField: '' }],
    ['entryType', { matrixField: 'parcels', entryType: 'shipmnt' }],
    ['entryType', { matrixField: 'parcels', entryType: '' }],
    ['carrierField', { carrierField: 'carier' }],
    ['carrierField', { carrierField: 'id' }],
    ['serviceField', { serviceField: '' }],
    ['trackingNumberField', { trackingNumberField: '$NUMBER' }],
    ['carrierField', { ...blocks, entryType: 'remark' }],
    ['pageSize', { pageSize: 'abc' }],
    ['pageSize', { pageSize: '0' }],
    ['pageSize', { pageSize: '-5' }],
    ['pageSize', { pageSize: '2.5' }],
    ['pageSize', { pageSize: '1001' }],
  ])('is refused beside %s: %j', async (name, settings) => {
    const answer = await save(settings)
    expect(answer.status).toBe(400)
    expect(await problemsOf(answer)).toContain(name)
    const stored: Record<string, unknown> = await store.payload.db.findGlobal({
      slug: 'shipping-settings',
    })
    expect(stored[name] ?? null).toBeNull()
  })

  it.each([
    [{ statusHandle: 'completed' }],
    [{ statusHandle: ' shipped ' }],
    [{ storeField: 'warehouse' }],
    [{ storeField: '' }],
    [blocks],
    [{ entryType: 'whatever stands here is ignored for an array' }],
    [{ pageSize: '1' }],
    [{ pageSize: '1000' }],
    [{ pageSize: '' }],
  ])('does not hold up what does: %j', async (settings) => {
    expect((await save(settings)).status).toBe(200)
    const { reference } = await saveOrder(store.payload)
    const notice = noticeRequest({ order_number: reference, tracking_number: '1Z' })
    expect((await store.handle(notice)).status).toBe(200)
  })

  it('is refused as the status of an event, too', async () => {
    const rows = (status: string) => ({ statusEvents: [{ status, event: 'Fulfilled Order' }] })
    expect((await ask('/globals/marketing-settings', rows('shiped'))).status).toBe(400)
    expect((await ask('/globals/marketing-settings', rows('shipped'))).status).toBe(200)
  })

  it("is reported when it was stored before, or comes from the store's code", () => {
    const { payload } = store
    const fields = payload.collections.orders?.config.fields ?? []
    const choices = orderChoices(fields, { status: 'status', items: 'items' })
    const right = {
      statusHandle: 'shipped',
      matrixField: 'tracking',
      carrierField: 'carrier',
      serviceField: 'service',
      trackingNumberField: 'trackingNumber',
    }
    expect(shippingSettingProblems(right, choices)).toEqual([])
    const wrong = { ...right, statusHandle: 'shiped', carrierField: '', pageSize: 'abc' }
    expect(shippingSettingProblems(wrong, choices)).toEqual([
      { setting: 'statusHandle', problem: 'statusUnknown' },
      { setting: 'carrierField', problem: 'settingNeeded' },
      { setting: 'pageSize', problem: 'pageSizeInvalid' },
    ])
    // Only the missing Matrix field is reported, not the fields in it.
    const lost = { ...right, matrixField: 'gone' }
    expect(shippingSettingProblems(lost, choices)).toEqual([
      { setting: 'matrixField', problem: 'matrixFieldUnknown' },
    ])
    const settings = { ...right, ...blocks }
    const { entryType } = shippingSettingTable
    expect(choiceProblem(entryType, 'shipment', { settings, choices })).toBeUndefined()
  })

  it('is found in a test of the key that is typed, before it is saved', async () => {
    await ask('/globals/marketing-settings', { privateApiKey: demoApiKey })
    const test = async (body: object): Promise<unknown> =>
      (await ask('/globals/marketing-settings/test-connection', body)).json()
    vi.stubEnv('TYPED_KEY', demoApiKey)

    expect(await test({})).toMatchObject({ is: 'connected' })
    expect(await test({ privateApiKey: '••••••••' })).toMatchObject({ is: 'connected' })
    expect(await test({ privateApiKey: '$TYPED_KEY' })).toMatchObject({ is: 'connected' })
    expect(await test({ privateApiKey: 'pk_typed_wrong' })).toMatchObject({ is: 'refused' })
    expect(await test({ privateApiKey: '' })).toEqual({ is: 'no-key' })
    expect(await test({ privateApiKey: '$NOT_SET' })).toEqual({
      is: 'no-variable',
      name: 'NOT_SET',
    })
    // Nothing of it was saved.
    expect(await test({})).toMatchObject({ is: 'connected' })
  })
})
