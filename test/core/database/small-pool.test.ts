import { postgresAdapter } from '@payloadcms/db-postgres'
import { expect, it, onTestFinished } from 'vitest'
import { saveOrder } from '../../support/orders.js'
import { createProduct } from '../../support/products.js'
import { noticeRequest } from '../../support/shipping-requests.js'
import { hasPostgres, joinStore, openStore } from '../../support/store.js'

it.runIf(hasPostgres)(
  'A pool of two is enough for notices, posts and carts at once, where a hook of the store takes a connection of its own',
  async () => {
    const first = await openStore('postgres')
    onTestFinished(() => first.close())
    const db = postgresAdapter({ pool: { connectionString: first.url, max: 2 }, push: false })
    const store = await joinStore('postgres', first.url, {
      config: { db },
      orderHooks: {
        afterChange: [
          async ({ req: { payload } }) => {
            await payload.count({ collection: 'orders' })
          },
        ],
      },
    })
    onTestFinished(() => store.close())
    const orders = await Promise.all(Array.from({ length: 8 }, () => saveOrder(first.payload)))
    const product = await createProduct(first.payload, { inventory: 100 })
    const notices = orders.map(({ reference }) =>
      store.handle(noticeRequest({ order_number: reference, tracking_number: '1Z' })),
    )
    const posts = orders.map((_, index) =>
      store.aBrowser().track({ email: `p${index}@example.com`, 'event[name]': 'Liked' }),
    )
    const carts = orders.map(() =>
      store
        .aBrowser()
        .post('/actions/commerce/cart/update-cart', { productId: String(product) }, { ajax: true }),
    )
    const answers = await Promise.all([...notices, ...posts, ...carts])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  },
)
