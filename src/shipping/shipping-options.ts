import * as z from 'zod/mini'
import { callback, schemaOf, type OptionsOf } from '../core/options-schema.js'
import type { Order } from '../shop/orders/order.js'
import type { Shop } from '../core/shop.js'
import { shippingSettingsSchema, type StoredShippingSettings } from './shipping-settings.js'

export interface ShippingOptions {
  /**
   * Values that the shipping settings have until a merchant saves others. `$NAME` and `${NAME}`
   * read the environment.
   */
  settings?: Partial<StoredShippingSettings>
  /**
   * Called with each order before it is written. Return the order, changed or not, or `false` to
   * hold it back: it is then listed among the skipped orders. If it throws, the order is skipped too.
   *
   * @example
   * beforeExport: (order) => ({ ...order, customField1: order.gift ? 'GIFT' : '' })
   */
  beforeExport?: (order: Order) => Order | false | Promise<Order | false>
}

export const shippingOptions = schemaOf<ShippingOptions>()(
  z.strictObject({
    settings: shippingSettingsSchema,
    beforeExport: z.optional(callback<ShippingOptions['beforeExport']>()),
  }),
)

export type ShippingShop = Shop<{ shipping: OptionsOf<typeof shippingOptions> }>
