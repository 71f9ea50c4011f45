import { describe, expect, it } from 'vitest'
import {
  productFeedItem,
  type ProductFeedView,
} from '../../../../src/marketing/product-feed/product-feed-item.js'
import { defaultProductUrl } from '../../../../src/shop/sites/site.js'
import type { PublicProduct } from '../../../../src/marketing/product-feed/public-products.js'

const aProduct = (product: Partial<PublicProduct> = {}): PublicProduct => ({
  id: 7,
  title: 'Green tea',
  slug: 'green-tea',
  sku: 'TEA-1',
  description: 'Fresh and grassy.',
  image: '/api/media/file/tea.png',
  categories: ['Tea', 'Green'],
  brand: 'Kettle',
  prices: { USD: 1250, JPY: 1250, KWD: 1250 },
  compareAtPrices: {},
  stock: 12,
  variants: undefined,
  ...product,
})

const view: ProductFeedView = {
  site: undefined,
  baseUrl: 'https://shop.example/de',
  currency: 'USD',
  productUrl: defaultProductUrl,
}

describe('A product in the feed', () => {
  it.each([
    ['USD', 12.5],
    ['JPY', 1250],
    ['KWD', 1.25],
  ])('costs major units of %s', (currency, price) => {
    expect(productFeedItem(aProduct(), { ...view, currency })).toMatchObject({ price, currency })
  })

  it('has no price where there is none, and no stock where none is counted', () => {
    const item = productFeedItem(aProduct({ prices: { USD: 1 }, stock: undefined }), {
      ...view,
      currency: 'EUR',
    })
    const none = ['price', 'currency', 'inventory_quantity', 'inventory_policy']
    for (const name of none) expect(item).not.toHaveProperty(name)
  })

  it('says that it is free or sold out, and has its title for a blank description', () => {
    const product = aProduct({ prices: { USD: 0 }, stock: 0, description: ' ' })
    const item = { price: 0, inventory_quantity: 0, description: 'Green tea' }
    expect(productFeedItem(product, view)).toMatchObject(item)
  })

  it.each([{ title: ' ' }, { slug: '' }, { image: '' }, { image: 'javascript:alert(1)' }])(
    'that the platform cannot show is left out: %o',
    (product) => expect(productFeedItem(aProduct(product), view)).toBeUndefined(),
  )
})
