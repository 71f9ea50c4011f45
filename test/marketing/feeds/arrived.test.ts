import { expect, it } from 'vitest'
import { createProduct } from '../../support/products.js'
import { aPurchase } from '../../support/orders.js'
import { databaseKinds } from '../../support/store.js'
import { openEventShop } from './event-shop.js'

it.each(databaseKinds)(
  'A purchase is at the platform, from the cart to the refund (%s)',
  async (kind) => {
    const shop = await openEventShop(kind)
    /** The events that have arrived once everything is delivered. */
    const arrived = async () => {
      await shop.deliver()
      return shop.standIn.state.events.map(({ metric }) => metric).sort()
    }
    const product = await createProduct(shop.payload, { inventory: 10 })
    const other = await createProduct(shop.payload, { sku: 'CUP-1', inventory: 10 })
    const items = [product, other].map((id) => ({ product: id, quantity: 1 }))
    const data = { items, currency: 'USD' }
    const cart = (await shop.payload.create({ collection: 'carts', data })) as unknown as {
      id: number
      secret: string
    }
    const purchase = aPurchase(cart, 'ada@example.com')
    await shop.aBrowser().apiPost('/payments/demo/initiate', purchase)
    await shop.leaveCarts()
    expect(await arrived()).toEqual(['Started Checkout', 'Updated Cart'])

    const confirmed = await shop.aBrowser().apiPost('/payments/demo/confirm-order', purchase)
    const { orderID } = (await confirmed.json()) as { orderID: number }
    const order = await shop.payload.findByID({ collection: 'orders', id: orderID })
    const { reference } = order as unknown as { reference: string }
    for (const tracking of ['1Z1', '1Z2']) {
      await shop.ship(reference, { carrier: 'UPS', service: 'Ground', tracking_number: tracking })
    }
    await shop.update('orders', orderID, { status: 'cancelled' })
    await shop.update('orders', orderID, { status: 'refunded' })
    expect(await arrived()).toEqual([
      ...[
        'Cancelled Order',
        'Ordered Product',
        'Ordered Product',
        'Placed Order',
        'Refunded Order',
      ],
      ...['Shipped Order', 'Shipped Order', 'Started Checkout', 'Updated Cart'],
    ])
    const profile = shop.standIn.state.profileByEmail('ada@example.com')
    expect(profile?.attributes).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace' })
  },
)
