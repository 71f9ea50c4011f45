import { type BasePayload } from 'payload'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { apiOf } from '../support/api-of.js'
import { storeSettings } from '../support/exported-orders.js'
import { basic, exportRequest, noticeRequest } from '../support/shipping-requests.js'
import { saveOrder } from '../support/orders.js'
import { anyKind, joinStore, openStore, type TestStore } from '../support/store.js'

const slug = 'shipping-settings'
const mask = '••••••••'

const stored = async (payload: BasePayload): Promise<Record<string, unknown>> =>
  payload.db.findGlobal<Record<string, unknown>>({ slug })

const statusWith = async (store: TestStore, username: string, password: string) => {
  const headers = { authorization: basic(username, password) }
  return (await store.handle(exportRequest({}, { headers }))).status
}

describe('the shipping settings', () => {
  let store: TestStore
  let payload: BasePayload
  let passedMs = 0
  const effects = { now: () => new Date(Date.now() + passedMs) }
  beforeAll(async () => {
    store = await openStore(anyKind, { effects })
    payload = store.payload
  })
  afterAll(() => store.close())

  const save = (data: Record<string, unknown>) => payload.updateGlobal({ slug, data })
  beforeEach(() => save({ username: 'ship', password: 'secret:ü', pageSize: '25' }))

  it("Payload's API lets admins in and nobody else, and shows no password", async () => {
    await save({ password: 'in the clear?' })
    const ask = apiOf(store)
    const path = `/globals/${slug}`
    const body = { pageSize: '7' }
    for (const as of [undefined, 'customer'] as const) {
      expect((await ask(path, { as })).status).toBe(403)
      expect((await ask(path, { as, body })).status).toBe(403)
    }
    const answers = [await ask(path, { as: 'admin' }), await ask(path, { as: 'admin', body })]
    for (const answer of answers) {
      expect(answer.status).toBe(200)
      const text = await answer.text()
      expect(text).toContain(mask)
      expect(text).not.toContain('in the clear?')
      expect(text).not.toContain('encrypted:')
    }
    expect(await statusWith(store, 'ship', 'in the clear?')).toBe(200)
  })

  describe('the password', () => {
    it('is stored encrypted, another text each time, and read as dots, also below access rules', async () => {
      const texts: unknown[] = []
      for (let time = 0; time < 2; time += 1) {
        expect(await save({ password: 'a new secret' })).toMatchObject({ password: mask })
        texts.push((await stored(payload)).password)
      }
      expect(await payload.findGlobal({ slug })).toMatchObject({ password: mask })
      expect(texts[0]).not.toBe(texts[1])
      for (const text of texts) expect(text).toMatch(/^encrypted:(?!.*secret)/)
      expect(await statusWith(store, 'ship', 'a new secret')).toBe(200)
    })

    it('stays when the dots come back, or nothing', async () => {
      await save({ password: 'keep me' })
      await save({ password: mask, pageSize: '30' })
      expect(await statusWith(store, 'ship', 'keep me')).toBe(200)
      await save({ pageSize: '31' })
      expect(await statusWith(store, 'ship', 'keep me')).toBe(200)
      expect(await statusWith(store, 'ship', mask)).toBe(401)
    })

    it.each(['$TEST_PASSWORD', '${TEST_PASSWORD}'])(
      'is shown as it is when it names a variable: %s',
      async (reference) => {
        vi.stubEnv('TEST_PASSWORD', 'of the environment')
        await save({ password: reference })
        expect(await payload.findGlobal({ slug })).toMatchObject({ password: reference })
        expect((await stored(payload)).password).toBe(reference)
        expect(await statusWith(store, 'ship', 'of the environment')).toBe(200)
        vi.unstubAllEnvs()
        expect(await statusWith(store, 'ship', 'of the environment')).toBe(401)
      },
    )

    it('may itself begin with the mark of an encrypted one', async () => {
      await save({ password: 'encrypted:abc' })
      expect(await statusWith(store, 'ship', 'encrypted:abc')).toBe(200)
    })
  })

  it('are live at once in this process, and within three seconds in another', async () => {
    const other = await joinStore(anyKind, store.url, { effects })
    try {
      await save({ username: 'before', password: 'one' })
      expect(await statusWith(store, 'before', 'one')).toBe(200)
      expect(await statusWith(other, 'before', 'one')).toBe(200)
      await save({ username: 'after', password: 'two' })
      expect(await statusWith(store, 'after', 'two')).toBe(200)
      passedMs += 3000
      for (const instance of [store, other]) {
        expect(await statusWith(instance, 'after', 'two')).toBe(200)
        expect(await statusWith(instance, 'before', 'one')).toBe(401)
      }
      await other.payload.updateGlobal({ slug, data: { username: 'third' } })
      expect(await statusWith(other, 'third', 'two')).toBe(200)
      passedMs += 3000
      expect(await statusWith(store, 'third', 'two')).toBe(200)
    } finally {
      await other.close()
    }
  })

  it('are live at once: page size, status handle and the handle of the tracking field', async () => {
    const { id, reference } = await saveOrder(payload)
    await saveOrder(payload)
    await save({ pageSize: '1' })
    expect(await (await store.handle(exportRequest())).text()).toContain('pages="2"')
    await storeSettings(payload, { pageSize: 'many' })
    expect(await (await store.handle(exportRequest())).text()).toContain('pages="1"')
    await storeSettings(payload, { pageSize: '25' })
    await save({ statusHandle: 'completed', matrixField: 'parcels', entryType: 'shipment' })
    const notice = await store.handle(noticeRequest({ order_number: reference, carrier: 'DHL' }))
    expect(notice.status).toBe(200)
    expect(await payload.findByID({ collection: 'orders', id })).toMatchObject({
      status: 'completed',
      parcels: [{ blockType: 'shipment', carrier: 'DHL' }],
    })
    await save({ statusHandle: 'shipped', matrixField: 'tracking', entryType: '' })
  })
})

describe('presets of the shipping settings', () => {
  const stores: TestStore[] = []
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close()
  })
  const open = async (settings: Record<string, unknown>) => {
    const store = await openStore('sqlite', { options: { shipping: { settings } } })
    stores.push(store)
    return store
  }

  it('are what the form shows before anything is saved, the password as dots', async () => {
    const { payload } = await open({
      username: 'preset',
      password: 'preset secret',
      pageSize: 40,
      storeField: 'warehouse',
      failOnInvalidOrder: true,
    })
    expect(await payload.findGlobal({ slug })).toMatchObject({
      username: 'preset',
      password: mask,
      pageSize: '40',
      storeField: 'warehouse',
      failOnInvalidOrder: true,
      readDatesAsUtc: false,
      statusHandle: 'shipped',
      matrixField: 'tracking',
      carrierField: 'carrier',
    })
  })

  it('apply until a merchant saves others, and stay for what was not saved', async () => {
    const store = await open({ username: 'preset', password: 'preset secret', pageSize: 1 })
    expect(await statusWith(store, 'preset', 'preset secret')).toBe(200)
    await store.payload.updateGlobal({ slug, data: { username: 'merchant' } })
    expect(await statusWith(store, 'merchant', 'preset secret')).toBe(200)
    expect(await statusWith(store, 'preset', 'preset secret')).toBe(401)
    await store.payload.updateGlobal({ slug, data: { password: 'own secret' } })
    expect(await statusWith(store, 'merchant', 'own secret')).toBe(200)
    expect(await statusWith(store, 'merchant', 'preset secret')).toBe(401)
  })

  it('keep a password of the code out of the database when the form is saved as it came', async () => {
    vi.stubEnv('TEST_USER', 'preset')
    const store = await open({ username: '$TEST_USER', password: 'preset secret' })
    const form = (await store.payload.findGlobal({ slug })) as Record<string, unknown>
    expect(form).toMatchObject({ username: '$TEST_USER' })
    await store.payload.updateGlobal({ slug, data: form })
    expect(JSON.stringify(await stored(store.payload))).not.toContain('preset secret')
    expect(await statusWith(store, 'preset', 'preset secret')).toBe(200)
    vi.unstubAllEnvs()
  })

  it('still let ShipStation in when other settings were saved twice', async () => {
    const store = await open({ username: 'preset', password: 'preset secret' })
    for (const pageSize of ['7', '9'])
      await store.payload.updateGlobal({ slug, data: { pageSize } })
    expect(await statusWith(store, 'preset', 'preset secret')).toBe(200)
  })

  it('that name a variable are credentials alone, so that nobody reads a secret by another', async () => {
    vi.stubEnv('SHIPPED_STATUS', 'shipped')
    const { payload, handle } = await open({ statusHandle: '$SHIPPED_STATUS' })
    const { reference } = await saveOrder(payload)
    expect((await handle(noticeRequest({ order_number: reference }))).status).toBe(500)
    vi.unstubAllEnvs()
  })
})
