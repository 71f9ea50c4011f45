import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { installedIn } from '../../../src/core/installation.js'
import { abandonedCartUrl } from '../../../src/index.js'
import type { StoreConnectOptions } from '../../../src/plugin/options.js'
import { shopOrigin } from '../../support/browser.js'
import { createProduct } from '../../support/products.js'
import { anyKind, openStore } from '../../support/store.js'
import { codeOf } from './restore-world.js'

describe('The link of a cart in a store without sites', () => {
  afterEach(() => vi.unstubAllEnvs())

  const openWithCart = async (options: StoreConnectOptions = {}, serverURL = shopOrigin) => {
    const store = await openStore(anyKind, { options, config: { serverURL } })
    onTestFinished(() => store.close())
    const product = await createProduct(store.payload)
    const data = { items: [{ product, quantity: 1 }], currency: 'USD' }
    const cart = await store.payload.create({ collection: 'carts', data, depth: 0 })
    return { ...store, link: await abandonedCartUrl({ payload: store.payload, cart }) }
  }

  it.each([
    ['the checkout', {}, `${shopOrigin}/checkout`],
    ['the page that the options name', { cartPath: '/basket' }, `${shopOrigin}/basket`],
    ['a page elsewhere', { cartPath: 'https://far.example/basket' }, 'https://far.example/basket'],
  ])('brings the cart back, and leads to %s', async (_, options, expected) => {
    const store = await openWithCart(options)
    const visitor = store.aBrowser()
    const answer = await visitor.get(String(store.link).replace(shopOrigin, ''))
    expect([answer.status, answer.headers.get('location')]).toEqual([302, expected])
    expect((await visitor.session()).cartId).toBeDefined()
  })

  it('is that of NEXT_PUBLIC_SERVER_URL where Payload has no serverURL, else there is none', async () => {
    expect((await openWithCart({}, '')).link).toBeUndefined()
    vi.stubEnv('NEXT_PUBLIC_SERVER_URL', 'https://public.example')
    expect((await openWithCart({}, '')).link).toMatch(/^https:\/\/public\.example\/actions\//)
    expect((await openWithCart()).link).toMatch(/^https:\/\/shop\.example\/actions\//)
  })

  it('needs a site only where nothing else says where the shop is', async () => {
    const stepsOf = async (serverURL: string) => {
      const { payload } = await openWithCart({}, serverURL)
      const matters = await (await installedIn(payload))?.alerts.matters()
      return matters?.steps.find(({ name }) => name === 'sitesMissing')
    }
    expect(await stepsOf('')).toMatchObject({ name: 'sitesMissing', isDone: false })
    expect((await stepsOf(''))?.row.adminPath).toBe('/collections/sites')
    expect(await stepsOf(shopOrigin)).toMatchObject({ name: 'sitesMissing', isDone: true })
  })

  it('leads to no cart once there is a site without a Cart URL', async () => {
    const { link = '', payload, handle } = await openWithCart()
    const data = { name: 'Shop', handle: 'shop', baseUrl: shopOrigin, primary: true }
    await payload.create({ collection: 'sites', data })
    expect(codeOf(await handle(new Request(link)))).toEqual([400, 'CART_URL_MISSING'])
  })

  it('lets no store start whose cart path leads nowhere', async () => {
    await expect(openWithCart({ cartPath: '//evil.example' })).rejects.toThrow(
      /cartPath must be a path or an http\(s\) URL/,
    )
  })
})
