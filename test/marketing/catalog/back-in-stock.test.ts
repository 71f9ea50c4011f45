import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { honeypotParameter } from '../../../src/marketing/forms/form-guard.js'
import { apiOf } from '../../support/api-of.js'
import type { PostOptions } from '../../support/browser.js'
import { createProduct, createVariants } from '../../support/products.js'
import { databaseKinds } from '../../support/store.js'
import { catalogShop, image } from './catalog-shop.js'

const email = 'ada@example.com'
const phone = '+12025550123'
const minute = 60_000
const day = 24 * 60 * minute

describe.each(databaseKinds)('Who asks for a product that is sold out (%s)', (kind) => {
  const shop = catalogShop(kind, {
    cleared: ['users', 'variants', 'products', 'marketing-catalog'],
  })

  const product = async (data = {}) => {
    const id = await createProduct(shop.payload, { image, inventory: 0, ...data })
    await shop.settle()
    return id
  }
  const ask = (fields: Record<string, string>, options: PostOptions = { ajax: true }) =>
    shop.aBrowser().post('marketingconnect/api/track', fields, options)
  const askFor = (id: number, fields: Record<string, string> = { email }) =>
    ask({ ...fields, 'backInStock[productId]': String(id) })
  /** Who waits at Klaviyo, and for what. */
  const waiting = () =>
    shop.standIn.state.waiting.map(({ profile, variant, channels, arrivals, toldAt }) => ({
      who: shop.standIn.state.profiles.get(profile)?.attributes,
      variant: variant.replace('$custom:::$default:::', ''),
      channels: [...channels],
      arrivals,
      isTold: toldAt !== undefined,
    }))
  const passFor = async (minutes: number) => {
    for (let passed = 0; passed < minutes; passed++) {
      shop.move(minute)
      await shop.pass()
    }
  }
  const wishes = async () => (await shop.sends()).filter(({ kind: of }) => of === 'back-in-stock')

  it('is told by Klaviyo when it is there again, and goes back to the page without JavaScript', async () => {
    const id = await product()
    const answer = await ask(
      { email, 'backInStock[productId]': String(id) },
      { headers: { referer: `https://shop.example/tea/${id}` } },
    )
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `https://shop.example/tea/${id}`,
    ])
    await shop.settle(5_000)
    expect(waiting()).toMatchObject([
      { who: { email }, variant: `product-${id}`, channels: ['EMAIL'], isTold: false },
    ])
    await shop.update('products', id, { inventory: 3 })
    await shop.settle(5_000)
    expect(waiting()).toMatchObject([{ isTold: true }])
    expect((await shop.sends()).map(({ kind: of, state }) => [of, state])).toEqual([
      ['identify', 'sent'],
      ['back-in-stock', 'sent'],
    ])
  })

  it('names the variant of a product that has several', async () => {
    const { product: id, variants } = await createVariants(shop.payload, [900, 700], {
      inventory: 0,
      product: { image },
    })
    const [first = 0, second = 0] = variants
    await shop.update('variants', second, { inventory: 2 })
    await shop.settle()
    expect((await ask({ email, 'backInStock[variantId]': String(first) })).status).toBe(200)
    await shop.settle(5_000)
    expect(waiting()).toMatchObject([{ variant: String(first), isTold: false }])
    const others: Record<string, string>[] = [
      { 'backInStock[productId]': String(id) },
      { 'backInStock[variantId]': String(second) },
    ]
    const codes = await Promise.all(others.map((each) => ask({ email, ...each })))
    expect(codes.map(({ headers }) => headers.get('x-error-code'))).toEqual([
      'PARAMETER_INVALID',
      'PRODUCT_IN_STOCK',
    ])
    await shop.update('variants', first, { inventory: 1 })
    await shop.settle(5_000)
    expect(waiting()).toMatchObject([{ isTold: true }])
  })

  it('is one who asks twice, until it has been in stock in between', async () => {
    const id = await product()
    await askFor(id)
    await askFor(id, { email: 'ADA@example.com' })
    await shop.settle(5_000)
    shop.move(20 * 24 * 60 * minute)
    await askFor(id)
    await shop.settle(5_000)
    expect(waiting()).toMatchObject([{ arrivals: 1 }])
    await askFor(id, { email: 'grace@example.com' })
    await askFor(id, { email, 'profile[phone_number]': phone })
    await shop.settle(5_000)
    expect(await wishes()).toHaveLength(3)
    await shop.update('products', id, { inventory: 3 })
    await shop.settle(5_000)
    await shop.update('products', id, { inventory: 0 })
    await shop.settle(5_000)
    await askFor(id)
    await askFor(id)
    await shop.settle(5_000)
    expect(waiting().map(({ isTold }) => isTold)).toEqual([true, true, false])
    expect(await wishes()).toHaveLength(4)
  })

  it('goes with the profile first, while the catalog does not have it yet', async () => {
    const away = shop.standIn.faults.add({
      kind: 'error',
      status: 503,
      calls: ['create-variants'],
    })
    const id = await createProduct(shop.payload, { image, inventory: 0 })
    await askFor(id)
    await shop.settle()
    expect(shop.standIn.state.profileByEmail(email)).toBeDefined()
    expect(waiting()).toEqual([])
    expect(await wishes()).toMatchObject([
      { state: 'queued', error: { code: 'VARIANT_NOT_FOUND' } },
    ])
    away.remove()
    await shop.settle(2 * minute)
    expect(waiting()).toMatchObject([{ who: { email }, variant: `product-${id}` }])
  })

  it('is tried again for ten minutes when Klaviyo does not know the variant, and stops nobody for ever', async () => {
    // The comparison of the night would put the catalog right.
    shop.move(day + day / 2 - (shop.now() % day))
    const id = await product()
    shop.standIn.state.catalog.remove('variant', `product-${id}`)
    await askFor(id)
    await shop.settle(3_000)
    expect(await wishes()).toMatchObject([{ state: 'queued', attempts: 1 }])
    await askFor(await product({ title: 'Oolong' }), { email: 'grace@example.com' })
    await shop.settle(5_000)
    expect(waiting()).toMatchObject([{ who: { email: 'grace@example.com' } }])
    await passFor(40)
    expect(await wishes()).toMatchObject([
      { state: 'failed', error: { code: 'not_found' } },
      { state: 'sent' },
    ])
    shop.standIn.state.catalog.put('variant', `product-${id}`, { inventory_quantity: 0 })
    const [failed] = await wishes()
    expect(await shop.parts.outbox.resend(failed?.id ?? 0, new Date(shop.now()))).toBe(true)
    await shop.settle(5_000)
    expect(waiting()).toHaveLength(2)
  })

  it('is not told of a variant that was deleted before Klaviyo heard of them, and nothing else waits for that', async () => {
    const { variants } = await createVariants(shop.payload, [900], {
      inventory: 0,
      product: { image },
    })
    const [variant = 0] = variants
    await shop.settle()
    const away = shop.standIn.faults.add({ kind: 'error', status: 503, calls: ['back-in-stock'] })
    await ask({ email, 'backInStock[variantId]': String(variant) })
    await shop.settle(5_000)
    await shop.payload.delete({ collection: 'variants', id: variant })
    await shop.settle()
    away.remove()
    await ask({ email, 'event[name]': 'Looked' })
    await passFor(40)
    expect(waiting()).toEqual([])
    expect((await shop.sends()).map(({ kind: of, state }) => [of, state])).toEqual([
      ['identify', 'sent'],
      ['back-in-stock', 'failed'],
      ['event', 'sent'],
    ])
  })

  it('holds up nothing else of the person while the key lacks a scope for it', async () => {
    const id = await product()
    const forbidden = shop.standIn.faults.add({ kind: 'forbidden', calls: ['back-in-stock'] })
    await askFor(id)
    await shop.settle(5_000)
    await ask({ email, 'event[name]': 'Looked' })
    await shop.settle(5_000)
    expect((await shop.sends()).map(({ kind: of, state }) => [of, state])).toEqual([
      ['identify', 'sent'],
      ['back-in-stock', 'queued'],
      ['event', 'sent'],
    ])
    forbidden.remove()
    await passFor(70)
    expect(waiting()).toHaveLength(1)
  })

  it.each([
    ['the key lacks a scope for the catalog', 'forbidden', ['create-items', 'back-in-stock']],
    ['Klaviyo is away', 'error', ['create-items', 'back-in-stock']],
    ['only the call itself lacks its scope', 'forbidden', ['back-in-stock']],
  ] as const)(
    'fails where a merchant reads it when the shop goes back to the feed while %s, and may ask anew',
    async (_, fault, calls) => {
      const status = fault === 'error' ? { status: 503 } : {}
      const away = shop.standIn.faults.add({ kind: fault, calls: [...calls], ...status })
      const id = await product()
      await askFor(id)
      await ask({ email, 'event[name]': 'Looked' })
      await shop.settle(5_000)
      expect(await wishes()).toMatchObject([{ state: 'queued' }])
      await shop.save({ catalog: 'feed' })
      await shop.settle(5_000)
      expect((await shop.sends()).map(({ kind: of, state }) => [of, state])).toEqual([
        ['identify', 'sent'],
        ['back-in-stock', 'failed'],
        ['event', 'sent'],
      ])
      expect(await shop.parts.failures.read()).toMatchObject([
        { reason: 'catalog_by_feed', count: 1 },
      ])
      const { open } = await shop.parts.alerts.matters()
      expect(open.map(({ name }) => name)).toContain('sendsFailed')

      away.remove()
      // A missing scope is looked for again each hour.
      shop.move(70 * minute)
      await shop.save({ catalog: 'api' })
      await askFor(id)
      await shop.settle(2 * minute)
      expect((await wishes()).map(({ state }) => state)).toEqual(['failed', 'sent'])
      const [failed] = await wishes()
      expect(await shop.parts.outbox.resend(failed?.id ?? 0, new Date(shop.now()))).toBe(true)
      await shop.settle(5_000)
      expect((await wishes()).map(({ state }) => state)).toEqual(['sent', 'sent'])
      expect(waiting()).toMatchObject([{ who: { email }, isTold: false, arrivals: 2 }])
    },
  )

  it('waits no longer once erased, and may ask anew', async () => {
    const id = await product()
    await askFor(id)
    await shop.settle(5_000)
    await askFor(await product({ title: 'Oolong' }))
    const erase = { as: 'admin', body: { email } } as const
    expect((await apiOf(shop)('/marketing-erasures/erase', erase)).status).toBe(201)
    expect(await wishes()).toEqual([])
    await passFor(8)
    expect(waiting()).toEqual([])
    await askFor(id)
    await shop.settle(5_000)
    expect(waiting()).toMatchObject([{ who: { email }, variant: `product-${id}` }])
  })

  it('is told within seconds, whatever saves that it is there again, and in whichever process', async () => {
    const other = await shop.join()
    const { variants } = await createVariants(shop.payload, [900, 700], {
      inventory: 0,
      product: { image },
    })
    const [ofApi = 0, ofDatabase = 0] = variants
    const data = { inventory: 2 }
    const update = { method: 'PATCH', as: 'admin', body: data } as const
    const saves: [id: number, save: (id: number) => PromiseLike<unknown>][] = [
      [ofApi, (id) => apiOf(other)(`/variants/${id}`, update)],
      [
        ofDatabase,
        (id) => other.payload.db.updateOne({ collection: 'variants', id, data, req: {} }),
      ],
      [await product(), (id) => other.payload.update({ collection: 'products', id, data })],
      [
        await product(),
        (id) => other.payload.db.updateOne({ collection: 'products', id, data, req: {} }),
      ],
      [
        await product(),
        (id) =>
          sqlDatabase(other.payload).run(sql`update products set inventory = 2,
            updated_at = ${new Date(shop.now()).toISOString()} where id = ${id}`),
      ],
    ]
    await shop.settle()
    for (const [of, save] of saves) {
      const isVariant = variants.includes(of)
      const name = isVariant ? 'backInStock[variantId]' : 'backInStock[productId]'
      await ask({ email, [name]: String(of) })
      await shop.settle(5_000)
      await save(of)
      await shop.settle(5_000)
      expect(waiting().at(-1)).toMatchObject({
        variant: isVariant ? String(of) : `product-${of}`,
        isTold: true,
      })
    }
  })

  it('is told once, though the answer to the call was lost', async () => {
    const id = await product()
    const lost = { kind: 'reset', calls: ['back-in-stock'], times: 1, isProcessed: true } as const
    shop.standIn.faults.add(lost)
    await askFor(id)
    await passFor(2)
    expect(await wishes()).toMatchObject([{ state: 'sent' }])
    expect(waiting()).toMatchObject([{ arrivals: 2 }])
  })

  it('is reached by what was posted, or else by the email of the account', async () => {
    const id = await product()
    await askFor(id, { 'profile[phone_number]': phone })
    await askFor(id, { email, 'profile[phone_number]': phone })
    const login = { email: 'account@shop.example', password: 'green tea, no sugar' }
    await shop.payload.create({ collection: 'users', data: login })
    const browser = shop.aBrowser()
    await browser.apiPost('/users/login', login)
    await browser.track({ 'backInStock[productId]': String(id) })
    const messages = (await wishes()).map(({ message }) => message)
    expect(messages).toMatchObject([
      { profile: { phoneNumber: phone }, channels: ['sms'] },
      { profile: { email, phoneNumber: phone }, channels: ['email', 'sms'] },
      { profile: { email: login.email }, channels: ['email'] },
    ])
  })

  it('can subscribe to a list, or be the subject of an event, by the same form', async () => {
    const id = await product()
    const list = { list: 'WELCOME', subscribe: '1', 'event[name]': 'Asked' }
    await askFor(id, { email, ...list })
    expect((await shop.sends()).map(({ kind: of }) => of)).toEqual([
      'event',
      'subscribe',
      'back-in-stock',
    ])
  })

  it.each<[what: string, of: (id: number) => Record<string, string>, says: string]>([
    ['no id', () => ({ email, 'backInStock[productId]': ' ' }), 'backInStock[productId]'],
    ['a text', () => ({ email, backInStock: '1' }), 'must be nested'],
    ['a list', () => ({ email, 'backInStock[productId][]': '1' }), 'backInStock[productId]'],
    ['nobody', (id) => ({ 'backInStock[productId]': String(id) }), 'email'],
    [
      'no email address',
      (id) => ({ email: 'ada', 'backInStock[productId]': String(id) }),
      'profile[phone_number]',
    ],
    [
      'an unknown product',
      (id) => ({ email, 'backInStock[productId]': String(id + 1000) }),
      'backInStock[productId]',
    ],
    [
      'an id that is none',
      () => ({ email, 'backInStock[variantId]': "1' or '1" }),
      'backInStock[variantId]',
    ],
  ])('is told what is wrong with %s, and nothing is stored', async (what, of, says) => {
    const id = await product()
    const answer = await ask(of(id))
    const code = ['nobody', 'no email address'].includes(what)
      ? 'EMAIL_INVALID'
      : 'PARAMETER_INVALID'
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([400, code])
    expect(await answer.text()).toContain(says)
    expect(await shop.sends()).toEqual([])
  })

  it.each([
    ['is in stock', { inventory: 1 }, 'PRODUCT_IN_STOCK'],
    ['is not counted', { inventory: null }, 'PRODUCT_IN_STOCK'],
    ['is a draft', { _status: 'draft' }, 'PARAMETER_INVALID'],
    ['is in the trash', { deletedAt: '2026-11-01T10:00:00.000Z' }, 'PARAMETER_INVALID'],
    ['has no price', { priceInUSD: null, priceInUSDEnabled: false }, 'PARAMETER_INVALID'],
    ['has no picture', { image: '' }, 'PARAMETER_INVALID'],
  ])('hears that the product %s', async (_, data, code) => {
    const answer = await askFor(await product(data))
    expect(answer.headers.get('x-error-code')).toBe(code)
    expect(await shop.sends()).toEqual([])
  })

  it('hears that the shop does not send its catalog', async () => {
    const id = await product()
    await shop.save({ catalog: 'feed' })
    const answer = await askFor(id)
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([409, 'BACK_IN_STOCK_OFF'])
  })

  it('gets the usual answer as a robot, and has to wait as somebody who asks all the time', async () => {
    const id = await product()
    const robot = await askFor(id, { email, [honeypotParameter]: 'https://spam.example' })
    expect(await robot.json()).toBe('success')
    expect(await shop.sends()).toEqual([])
    await shop.save({ postsPerAddress: 1 })
    const again = () =>
      ask({ email, 'backInStock[productId]': String(id) }, { ajax: true, address: '192.0.2.7' })
    await again()
    expect((await again()).headers.get('x-error-code')).toBe('POSTS_THROTTLED')
  })
})
