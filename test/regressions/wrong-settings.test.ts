import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { serveKlaviyoStandIn } from '../../dev/klaviyo/serve-stand-in.js'
import { demoApiKey } from '../../dev/klaviyo/stand-in.js'
import { choiceProblem, orderChoices } from '../../src/store/payload/order-choices.js'
import { shippingSettingProblems } from '../../src/store/payload/shipping-settings-global.js'
import { noticeRequest } from '../support/shipping-requests.js'
import { saveOrder } from '../support/orders.js'
import { databaseKinds, openStore, type TestStore } from '../support/store.js'

describe.each(databaseKinds)('A setting that names what does not exist (%s)', (kind) => {
  let store: TestStore
  let ask: (path: string, body: unknown) => Promise<Response>
  const open = async (options: Parameters<typeof openStore>[1] = {}) => {
    store = await openStore(kind, options)
    const data = { email: 'admin@example.com', password: 'a-password', roles: ['admin'] }
    await store.payload.create({ collection: 'users', data })
    const { token } = await store.payload.login({ collection: 'users', data })
    ask = (path, body) =>
      store.api(
        new Request(`https://shop.example/api${path}`, {
          method: 'POST',
          headers: { authorization: `JWT ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      )
  }
  beforeEach(() => open())
  afterEach(async () => {
    vi.unstubAllEnvs()
    await store.close()
  })

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

  it("is told where it was stored before, or comes from the store's code", () => {
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
    // Of fields in a field that is not there, nobody has to hear.
    const lost = { ...right, matrixField: 'gone' }
    expect(shippingSettingProblems(lost, choices)).toEqual([
      { setting: 'matrixField', problem: 'matrixFieldUnknown' },
    ])
    expect(choiceProblem('entryType', { ...right, ...blocks }, choices)).toBeUndefined()
  })

  it('is found in a test of the key that is typed, before it is saved', async () => {
    const klaviyo = await serveKlaviyoStandIn({ port: 0, limits: 'none' })
    try {
      await store.close()
      await open({ options: { marketing: { apiUrl: klaviyo.origin } } })
      await ask('/globals/marketing-settings', { privateApiKey: demoApiKey })
      const test = async (body: unknown): Promise<unknown> =>
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
    } finally {
      await klaviyo.close()
    }
  })
})
