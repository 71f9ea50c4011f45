import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../dev/klaviyo/stand-in.ts'
import { partsOf } from '../../src/installation.js'
import { createProduct } from '../support/products.js'
import { anAddress } from '../support/orders.js'
import { databaseKinds } from '../support/store.js'
import { openEventShop, type EventShop } from './event-shop.js'

describe.each(databaseKinds)('A purchase (%s)', (kind) => {
  let klaviyo: ServedStandIn
  let shop: EventShop

  beforeEach(async () => {
    klaviyo = await serveKlaviyoStandIn({ port: 0 })
    const settings = { privateApiKey: demoApiKey }
    const marketing = { apiUrl: klaviyo.origin, settings }
    shop = await openEventShop(kind, { options: { marketing } })
  })
  afterEach(async () => {
    await shop.close()
    await klaviyo.close()
  })

  const deliver = () =>
    partsOf(shop.payload).delivery.runUntilIdle({ deadline: new Date(Date.now() + 30_000) })
  const arrived = () => {
    klaviyo.standIn.settle()
    return klaviyo.standIn.state.events.map(({ metric }) => metric).sort()
  }

  it('is at the platform, from the cart to the refund', async () => {
    const product = await createProduct(shop.payload, { inventory: 10 })
    const other = await createProduct(shop.payload, { sku: 'CUP-1', inventory: 10 })
    const lines = [product, other].map((id) => ({ product: id, quantity: 1 }))
    const cart = (await shop.payload.create({
      collection: 'carts',
      data: { items: lines, currency: 'USD' },
    })) as unknown as { id: number; secret: string }
    const purchase = {
      cartID: cart.id,
      secret: cart.secret,
      customerEmail: 'ada@example.com',
      billingAddress: anAddress(),
      shippingAddress: anAddress(),
    }
    await shop.api('/payments/demo/initiate', purchase)
    await shop.leaveAlone(cart.id)
    await deliver()
    expect(arrived()).toEqual(['Started Checkout', 'Updated Cart'])

    const confirmed = await shop.api('/payments/demo/confirm-order', purchase)
    const { orderID } = (await confirmed.json()) as { orderID: number }
    const order = await shop.payload.findByID({ collection: 'orders', id: orderID })
    const { reference } = order as unknown as { reference: string }
    await shop.ship(reference, { carrier: 'UPS', service: 'Ground', tracking_number: '1Z1' })
    await shop.ship(reference, { carrier: 'UPS', service: 'Ground', tracking_number: '1Z2' })
    await shop.update('orders', orderID, { status: 'cancelled' })
    await shop.update('orders', orderID, { status: 'refunded' })
    await deliver()
    expect(arrived()).toEqual([
      'Cancelled Order',
      'Ordered Product',
      'Ordered Product',
      'Placed Order',
      'Refunded Order',
      'Shipped Order',
      'Shipped Order',
      'Started Checkout',
      'Updated Cart',
    ])
    const profile = klaviyo.standIn.state.profileByEmail('ada@example.com')
    expect(profile?.attributes).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace' })
  })
})
