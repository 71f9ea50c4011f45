import type { TranslationKey } from '../../core/payload/label.js'
import { readValues } from './known-packages.js'
import { lineFieldRoute, productSlugs } from './named-fields.js'
import { fieldsOfOrders } from './order-fields.js'
import type { OrderShop } from './order-options.js'
import { namedIn } from './stored-value.js'

/** Where a value is read that the shop keeps in no field of Storeconnect's own. */
export interface ValueSource {
  value: TranslationKey
  /** Such as `payload-coupons (discount.code)`. */
  from: string
}

const ofShipping: ReadonlySet<string> = new Set(['weight', 'shippingMethod'])

/** Where refunds are told, and what is read of packages. */
export function valueSources(shop: OrderShop): ValueSource[] {
  const { payload, options } = shop
  const where = namedIn(shop)
  const { map, refunds } = options.orders
  const [products = ''] = productSlugs(options, where.fieldsOf)
  const ofPackages = [fieldsOfOrders(payload, options), where.fieldsOf(products) ?? []]
    .flatMap((fields) => readValues(fields, options))
    .filter(({ name }) => options.products.shipping || !ofShipping.has(name))
    .filter(({ name }) => map === undefined || name === 'reference')
    .map(({ package: of, name, path }) => ({ value: name, from: `${of} (${path})` }))
  if (refunds === undefined) {
    const own = map ? undefined : lineFieldRoute('refundedQuantity', options, where)
    const isKnown = ofPackages.some(({ value }) => value === 'refundedQuantity')
    return own === undefined || isKnown ? ofPackages : [refundsFrom(own.path), ...ofPackages]
  }
  return [
    refundsFrom('orders.refunds'),
    ...ofPackages.filter(({ value }) => value !== 'refundedQuantity'),
  ]
}

const refundsFrom = (from: string): ValueSource => ({ value: 'refundedQuantity', from })
