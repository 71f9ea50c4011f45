import { beforeEach, describe, expect, it } from 'vitest'
import { openEventShop } from '../../marketing/feeds/event-shop.js'
import { apiOf } from '../../support/api-of.js'
import { partsOf } from '../../support/parts.js'
import { aLine, anOrder, saveOrder } from '../../support/orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
import { sharedStore } from '../../support/shared-store.js'
import { anyKind, databaseKinds } from '../../support/store.js'

type Document = Record<string, unknown> & { id: number }
type Listed = { docs: { handle: string }[] }

const aSite = (changes: object = {}) => ({
  name: 'Shop',
  handle: `shop-${crypto.randomUUID()}`,
  baseUrl: 'https://shop.example',
  ...changes,
})

describe.each(databaseKinds)('The sites (%s)', (kind) => {
  const store = sharedStore(kind)
  beforeEach(() => store.payload.delete({ collection: 'sites', where: {} }))

  const create = async (changes: object = {}, collection = 'sites') =>
    (await store.payload.create({
      collection,
      data: collection === 'sites' ? aSite(changes) : changes,
      depth: 0,
    })) as unknown as Document
  const update = (id: number, data: object) =>
    store.payload.update({ collection: 'sites', id, data })
  const refusal = async (changes: object) => {
    try {
      await create(changes)
    } catch (error) {
      return (error as { data: { errors: { path: string; message: string }[] } }).data.errors
    }
    return []
  }

  it('have base URLs without a slash at the end, and texts without spaces around', async () => {
    const site = await create({
      handle: ' de-1 ',
      baseUrl: ' https://shop.example/de// ',
      cartUrl: ' /cart ',
      language: ' de-CH ',
    })
    expect(site).toMatchObject({
      handle: 'de-1',
      baseUrl: 'https://shop.example/de',
      cartUrl: '/cart',
      language: 'de-CH',
    })
  })

  it('have no other values than these', async () => {
    for (const [field, values] of [
      ['handle', ['DE', 'de site', 'dé', ' ']],
      ['baseUrl', ['shop.example', '/de', 'https:shop.example', 'ftp://shop.example']],
      ['baseUrl', ['javascript://shop.example', 'https://shop.example?', 'https://']],
      ['baseUrl', ['https://shop.example/?a=1', 'https://shop.example/#a']],
      ['baseUrl', ['https://me:secret@shop.example', 'https://shop.example\\de']],
      ['cartUrl', ['//evil.example', '/\\evil.example', 'javascript:alert(1)']],
      ['cartUrl', ['https://me@shop.example/cart']],
      ['language', ['de_DE', 'German, please']],
    ] as const) {
      for (const value of values) {
        const problems = await refusal({ [field]: value })
        expect([value, problems]).toEqual([value, [expect.objectContaining({ path: field })]])
        expect(problems[0]?.message).not.toMatch(/^storeconnect:|^$/)
      }
    }
    for (const changes of [
      ...['', 'cart', '/cart?from=mail#lines', 'https://cart.example/de'].map((cartUrl) => ({
        cartUrl,
      })),
      ...['http://localhost:3000', 'http://[::1]:3000/de'].map((baseUrl) => ({ baseUrl })),
      ...['', 'en', 'zh-Hant-TW'].map((language) => ({ language })),
    ]) {
      expect([changes, await refusal(changes)]).toEqual([changes, []])
    }
  })

  it('have one primary among them: the one that became it last', async () => {
    const first = await create({ primary: true })
    const second = await create({ primary: true })
    const third = await create()
    const primaries = async () => {
      const { docs } = await store.payload.find({
        collection: 'sites',
        where: { primary: { equals: true } },
      })
      return docs.map(({ id }) => id)
    }
    expect(await primaries()).toEqual([second.id])
    await update(third.id, { primary: true })
    expect(await primaries()).toEqual([third.id])
    await update(first.id, { name: 'Renamed' })
    expect(await primaries()).toEqual([third.id])
    await update(third.id, { name: 'Renamed' })
    expect(await primaries()).toEqual([third.id])
    await update(third.id, { primary: false })
    expect(await primaries()).toEqual([])
  })

  it('are known as soon as they change, in the words of the shop', async () => {
    const { sites } = partsOf(store.payload)
    expect(await sites.at('https://shop.example/de')).toBeUndefined()
    const baseUrl = 'https://shop.example/de'
    const { id } = await create({ handle: 'de', baseUrl, cartUrl: '/cart', language: 'de' })
    const site = {
      id,
      handle: 'de',
      name: 'Shop',
      baseUrl,
      enabled: true,
      primary: false,
      store: '',
      cartUrl: '/cart',
      language: 'de',
    }
    expect(await sites.at('https://shop.example/de/tee')).toEqual(site)
    expect(await sites.find(id)).toEqual(site)
    await update(id, { enabled: false, store: 'tea' })
    expect(await sites.at('https://shop.example/de/tee')).toBeUndefined()
    expect(await sites.ofCommerceStore('tea')).toEqual([{ ...site, enabled: false, store: 'tea' }])
    await store.payload.delete({ collection: 'sites', id })
    expect(await sites.find(id)).toBeUndefined()
  })

  it('are noted on carts and orders when they are made, and not when they change', async () => {
    const cart = await create({ items: [], currency: 'USD' }, 'carts')
    expect([cart.site, (await create(anOrder(), 'orders')).site]).toEqual([null, null])
    const { id } = await create({ primary: true })
    const customerNotes = 'Ring twice'
    await store.payload.update({ collection: 'carts', id: cart.id, data: { customerNotes } })
    expect(
      (await store.payload.findByID({ collection: 'carts', id: cart.id, depth: 0 })).site,
    ).toBeNull()
    expect((await create({ items: [], currency: 'USD' }, 'carts')).site).toBe(id)
    expect((await create(anOrder(), 'orders')).site).toBe(id)
  })

  it('that are switched off are shown to admins alone', async () => {
    await create({ handle: 'open', primary: true })
    const old = await create({ handle: 'old' })
    // From before there was such a switch.
    await store.payload.db.updateOne({ collection: 'sites', id: old.id, data: { enabled: null } })
    const closed = await create({ handle: 'closed', enabled: false })
    const api = apiOf(store)
    for (const [as, handles] of [
      [undefined, ['old', 'open']],
      ['customer', ['old', 'open']],
      ['admin', ['closed', 'old', 'open']],
    ] as const) {
      const ask = async (path: string) => (await (await api(path, { as })).json()) as Listed
      const isAdmin = as === 'admin'
      expect((await ask('/sites?sort=handle')).docs.map(({ handle }) => handle)).toEqual(handles)
      const off = await ask('/sites?where[enabled][equals]=false')
      expect(off.docs.map(({ handle }) => handle)).toEqual(isAdmin ? ['closed'] : [])
      expect(await ask('/sites/count')).toEqual({ totalDocs: handles.length })
      expect((await api(`/sites/${closed.id}`, { as })).status).toBe(isAdmin ? 200 : 404)
    }
  })
})

it('An order of a site below a path has its pictures on the origin, where uploads are, and its pages below the path', async () => {
  const productUrl = ({ sku }: { sku: string }) => `/products/${sku}`
  const shop = await openEventShop(anyKind, { options: { productUrl } })
  const site = await shop.payload.create({
    collection: 'sites',
    data: aSite({ baseUrl: 'https://shop.example/us', primary: true }),
  })
  const items = [aLine({ sku: 'TEA-1', imageUrl: '/api/media/file/tea.png' })]
  await saveOrder(shop.payload, anOrder({ site: site.id, items }))

  const [placed] = await shop.events()
  expect(placed?.properties.Items).toMatchObject([
    {
      ImageURL: 'https://shop.example/api/media/file/tea.png',
      ProductURL: expect.stringMatching(/^https:\/\/shop\.example\/us\/products\//) as string,
    },
  ])
  const xml = await (await shop.handle(exportRequest())).text()
  expect(xml).toContain('https://shop.example/api/media/file/tea.png')
})
