import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OnsiteEvent } from '../../../src/marketing/onsite/onsite-events.js'
import type { MarketingEvent } from '../../../src/marketing/klaviyo/message.js'
import { eventShop, openEventShop } from '../feeds/event-shop.js'
import { createProduct, createVariants } from '../../support/products.js'
import { anyKind } from '../../support/store.js'
import type { TestBrowser } from '../../support/browser.js'

const updatePath = '/actions/commerce/cart/update-cart'
const addedPath = '/actions/marketingconnect/onsite/added-to-cart'
const feedPath = '/actions/marketingconnect/catalog/products'
const cookie = '__Host-storeconnect-added'

interface Summary {
  id: number
  number: string
}

describe('The events of the pages', () => {
  let browser: TestBrowser
  let tea: number
  const image = '/media/tea.png'

  const shop = eventShop(anyKind, {
    config: { serverURL: 'https://shop.example' },
    options: {
      // The products of the test store have no slugs.
      productFields: { slug: 'sku' },
      marketing: {
        settings: { publicApiKey: 'SITEID', eventPrefix: 'Shop' },
        lineItemProperties: (properties) =>
          properties.SKU !== 'UNLISTED-1' && { ...properties, Season: 'spring' },
        beforeEvent: (event) =>
          JSON.stringify(event.properties).includes('SECRET-1') && !event.name.includes('Updated')
            ? false
            : event,
      },
    },
  })
  beforeAll(async () => {
    const site = { name: 'Tea', handle: 'tea', baseUrl: 'https://shop.example', primary: true }
    await shop.payload.create({ collection: 'sites', data: site })
    tea = await createProduct(shop.payload, {
      ...{ inventory: 100, image, brand: 'Kettle', categories: ['Tea', 'Green'] },
      compareAtPriceInUSD: 1500,
    })
  })
  beforeEach(() => {
    browser = shop.aBrowser()
  })

  const consent = () =>
    browser.post('/actions/marketingconnect/onsite/visitor', { consent: '1', _kx: 'kx-Grace' })
  const add = async (parameters: Record<string, string>): Promise<Summary> => {
    const response = await browser.post(updatePath, parameters, { ajax: true })
    return (await response.json()) as Summary
  }
  const added = async (query: string): Promise<OnsiteEvent[]> => {
    const response = await browser.get(`${addedPath}?${query}`)
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
    return (await response.json()) as OnsiteEvent[]
  }
  const updatedCart = async ({ number }: Summary): Promise<MarketingEvent | undefined> => {
    await shop.leaveCarts()
    return (await shop.events(number)).at(-1)
  }
  const viewed = (productId: number, currency?: string) =>
    shop.parts.onsite.viewedProduct({ productId, siteId: undefined, currency })

  describe('Added to Cart', () => {
    it('has the properties of Updated Cart, and those of the added item', async () => {
      await consent()
      await add({ productId: String(tea), qty: '2' })
      const cart = await add({ productId: String(tea), qty: '3' })
      const [event, ...others] = await added(`productId=${tea}&qty=3`)
      const {
        $event_id: id,
        $value: value,
        $value_currency: currency,
        ...properties
      } = event?.properties ?? {}
      const server = await updatedCart(cart)
      expect(others).toEqual([])
      expect(event?.name).toBe('Shop Added to Cart')
      expect([value, currency]).toEqual([server?.value, server?.valueCurrency])
      expect([value, currency]).toEqual([62.5, 'USD'])
      expect(server?.properties).toMatchObject({
        ItemNames: ['Green tea'],
        CheckoutURL: expect.stringContaining(cart.number) as string,
        Items: [{ ProductID: tea, Quantity: 5 }],
      })
      expect(id).toMatch(new RegExp(`^${cart.number}:added:\\d+:0:${tea}:$`))
      expect(properties).toEqual({
        ...server?.properties,
        AddedItemProductID: tea,
        AddedItemProductName: 'Green tea',
        AddedItemSKU: 'TEA-1',
        AddedItemCategories: ['Tea', 'Green'],
        AddedItemImageURL: `https://shop.example${image}`,
        AddedItemURL: 'https://shop.example/products/TEA-1',
        AddedItemPrice: 12.5,
        AddedItemQuantity: 3,
      })
    })

    it('is about the variant that was added', async () => {
      await consent()
      const { product, variants } = await createVariants(shop.payload, [900, 1100], { sku: 'V-1' })
      await add({ variantId: String(variants[1]) })
      const [byVariant] = await added(`variantId=${variants[1]}`)
      expect(byVariant?.properties).toMatchObject({
        AddedItemProductID: product,
        AddedItemPrice: 11,
        AddedItemSKU: 'V-1',
      })
      expect(await added(`productId=${product}`)).toEqual([])
      expect(await added(`variantId=${variants[0]}`)).toEqual([])
    })

    it('is the same event when a page asks again, and another one after another addition', async () => {
      await consent()
      await add({ productId: String(tea) })
      const before = await added(`productId=${tea}`)
      expect(await added(`productId=${tea}`)).toEqual(before)
      shop.move(1_000)
      await add({ productId: String(tea) })
      const [after] = await added(`productId=${tea}`)
      expect(after?.properties.$event_id).not.toBe(before[0]?.properties.$event_id)
    })

    it('is none for what the own cart does not hold, without a cart, and without consent', async () => {
      expect(await added(`productId=${tea}`)).toEqual([])
      await add({ productId: String(tea) })
      expect(await added(`productId=${tea}`)).toEqual([])
      await consent()
      expect(await added('productId=999999')).toEqual([])
      expect(await added('')).toEqual([])
    })

    it('is none when a hook of the store vetoes it, or keeps its line out of events', async () => {
      await consent()
      const secret = await createProduct(shop.payload, { sku: 'SECRET-1' })
      await add({ productId: String(secret) })
      expect(await added(`productId=${secret}`)).toEqual([])
      await add({ clearLineItems: '1' })
      const unlisted = await createProduct(shop.payload, { sku: 'UNLISTED-1' })
      await add({ productId: String(tea) })
      await add({ productId: String(unlisted) })
      expect(await added(`productId=${unlisted}`)).toEqual([])
      expect(await added(`productId=${tea}`)).toMatchObject([
        { properties: { ItemNames: ['Green tea'], Items: [{ SKU: 'TEA-1' }] } },
      ])
    })

    it('is at most ten events, however much is asked for, and a 400 for what names nothing', async () => {
      await consent()
      await add({ productId: String(tea) })
      const query = Array.from({ length: 60 }, (_, index) => `items[${index}][productId]=${tea}`)
      expect(await added(query.join('&'))).toHaveLength(10)
      expect((await browser.get(`${addedPath}?items[0][qty]=1`)).status).toBe(400)
      expect((await browser.post(addedPath, { productId: String(tea) })).status).toBe(405)
    })

    it('is told to the next page by a cookie, with all that no page has taken yet', async () => {
      await consent()
      await add({ productId: String(tea) })
      await browser.post(updatePath, { 'items[0][productId]': String(tea), 'items[0][qty]': '4' })
      const text = decodeURIComponent(browser.cookies.get(cookie) ?? '')
      const events = await added(text)
      expect(events.map(({ properties }) => properties.AddedItemQuantity)).toEqual([1, 4])
      // Klaviyo records an id once.
      expect(new Set(events.map(({ properties }) => properties.$event_id)).size).toBe(2)
    })

    it('leaves no cookie when nothing was added, or without consent', async () => {
      const { items } = (await add({ productId: String(tea) })) as unknown as {
        items: { id: string }[]
      }
      expect(browser.cookies.has(cookie)).toBe(false)
      await consent()
      await add({ [`lineItems[${items[0]?.id}][qty]`]: '3' })
      await add({ productId: String(tea), qty: '0' })
      expect(browser.cookies.has(cookie)).toBe(false)
    })

    it('survives a cookie that nobody of ours wrote', async () => {
      await consent()
      const strange = ['../../1', 'x'.repeat(65)].map(
        (id) => `items[0][productId]=${id}&items[0][qty]=1`,
      )
      for (const forged of ['%', '%E0%A4%A', ...strange, 'x'.repeat(3000)]) {
        browser.cookies.set(cookie, forged)
        await add({ productId: String(tea) })
        const text = decodeURIComponent(browser.cookies.get(cookie) ?? '')
        expect([...new URLSearchParams(text)]).toEqual([
          ['items[0][productId]', String(tea)],
          ['items[0][qty]', '1'],
        ])
      }
    })
  })

  describe('Viewed Product', () => {
    it('has the values that an item of the server’s events has', async () => {
      await consent()
      const cart = await add({ productId: String(tea) })
      const [item] = ((await updatedCart(cart))?.properties.Items ?? []) as Record<
        string,
        unknown
      >[]
      const { Quantity, RowTotal, Season, ProductCategories: Categories, ...shared } = item ?? {}
      expect([Quantity, RowTotal, Season]).toEqual([1, 12.5, 'spring'])
      expect(await viewed(tea)).toEqual({
        name: 'Shop Viewed Product',
        properties: {
          ...shared,
          URL: shared.ProductURL,
          Price: shared.ItemPrice,
          Categories,
          Brand: 'Kettle',
          CompareAtPrice: 15,
          $value: 12.5,
          $value_currency: 'USD',
        },
        viewedItem: {
          Title: 'Green tea',
          ItemId: tea,
          Categories: ['Tea', 'Green'],
          ImageUrl: shared.ImageURL,
          Url: shared.ProductURL,
          Metadata: { Brand: 'Kettle', Price: 12.5, CompareAtPrice: 15 },
        },
      })
    })

    it('has the id, the link, the picture, the price and the categories of the product feed', async () => {
      const response = await shop.handle(new Request(`https://shop.example${feedPath}`))
      const items = (await response.json()) as Record<string, unknown>[]
      const item = items.find(({ id }) => id === String(tea))
      const { properties = {} } = (await viewed(tea)) ?? {}
      expect(item).toMatchObject({
        id: String(properties.ProductID),
        title: properties.ProductName,
        link: properties.URL,
        image_link: properties.ImageURL,
        price: properties.Price,
        sku: properties.SKU,
        compare_at_price: properties.CompareAtPrice,
        brand: properties.Brand,
        categories: properties.Categories,
      })
    })

    it('has links in a store without sites too', async () => {
      const small = await openEventShop(anyKind, {
        config: { serverURL: 'https://small.example' },
        options: { productFields: { slug: 'sku' } },
      })
      const productId = await createProduct(small.payload, { image })
      const viewed = await small.parts.onsite.viewedProduct({ productId, siteId: undefined })
      expect(viewed?.properties).toMatchObject({
        URL: 'https://small.example/products/TEA-1',
        ProductURL: 'https://small.example/products/TEA-1',
        ImageURL: `https://small.example${image}`,
      })
    })

    it('has the lowest price of the variants, and none in a currency that it is not sold in', async () => {
      const { product } = await createVariants(shop.payload, [900, 1100])
      expect((await viewed(product))?.properties).toMatchObject({ Price: 9, $value: 9 })
      const { properties = {} } = (await viewed(tea, 'XXX')) ?? {}
      for (const name of ['Price', '$value', '$value_currency']) {
        expect(properties).not.toHaveProperty([name])
      }
    })

    it('is none for a product that visitors may not see, or that a hook vetoes', async () => {
      const draft = await createProduct(shop.payload, { _status: 'draft' })
      const secret = await createProduct(shop.payload, { sku: 'SECRET-1' })
      for (const id of [draft, secret, 999_999]) expect(await viewed(id)).toBeUndefined()
    })
  })
})
