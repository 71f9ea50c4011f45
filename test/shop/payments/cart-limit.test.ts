import { ecommercePlugin } from '@payloadcms/plugin-ecommerce'
import { buildConfig } from 'payload'
import { expect, it, onTestFinished } from 'vitest'
import { storeConnect } from '../../../src/plugin.js'
import { captureLog, type CapturedLog } from '../../support/captured-log.js'
import { bareConfig } from '../../support/bare-config.js'
import { partsOf } from '../../support/parts.js'
import { createProduct } from '../../support/products.js'
import type { DatabaseKind } from '../../support/store-config.js'
import { databaseKinds, openShapedStore, startStore } from '../../support/store.js'
import { openToUsers } from '../../support/store-shapes.js'
import { createPaymentProvider } from './payment-provider.js'

const configOf = (idName: string, log: CapturedLog) => (kind: DatabaseKind, url: string) =>
  buildConfig({
    ...bareConfig({ kind, url }),
    ...log.config,
    collections: [{ slug: 'users', auth: true, fields: [{ name: 'role', type: 'text' }] }],
    plugins: [
      ecommercePlugin({
        ...openToUsers,
        products: { variants: false },
        carts: { allowGuestCarts: true },
        payments: {
          paymentMethods: [
            {
              name: 'stripe',
              label: 'Card',
              group: { name: 'stripe', type: 'group', fields: [{ name: idName, type: 'text' }] },
              ...createPaymentProvider().adapter,
            },
          ],
        },
      }),
      storeConnect(),
    ],
  })

const openShop = (kind: DatabaseKind, idName: string, log = captureLog()) =>
  openShapedStore(kind, configOf(idName, log))

it.each(
  databaseKinds.flatMap((kind) => ['paymentIntentID', 'another'].map((id) => ({ kind, id }))),
)(
  'The overview says how many lines a cart may have, where shoppers come close to that ($kind, $id)',
  async ({ kind, id }) => {
    const log = captureLog()
    const store = await openShop(kind, id, log)
    onTestFinished(() => store.close())
    const { payload } = store
    const product = await createProduct(payload)
    const fill = (count: number) =>
      payload.create({
        collection: 'carts',
        data: {
          items: Array.from({ length: count }, () => ({ product, quantity: 1 })),
          currency: 'USD',
        },
      })
    await fill(8)
    log.clear()
    const started = await startStore(await configOf(id, log)(kind, store.url), {
      kind,
      url: store.url,
    })
    onTestFinished(() => started.close())
    const { open } = await partsOf(started.payload).alerts.matters()
    const found = open.filter(({ name }) => name === 'cartsTooLong')
    // Only the extension's own method for Stripe has this limit.
    expect(found.map(({ facts }) => facts.count)).toEqual(id === 'another' ? [] : [8])
    const said = log.lines().filter(({ msg }) => msg.includes('cannot be paid with Stripe'))
    expect(said).toHaveLength(found.length)
  },
)

it('Nobody hears of a limit while carts are short', async () => {
  const store = await openShop('sqlite', 'paymentIntentID')
  onTestFinished(() => store.close())
  const { payload } = store
  const product = await createProduct(payload)
  const items = [1, 2, 3].map((quantity) => ({ product, quantity }))
  await payload.create({ collection: 'carts', data: { items, currency: 'USD' } })
  expect((await partsOf(payload).alerts.matters()).open.map(({ name }) => name)).not.toContain(
    'cartsTooLong',
  )
})
