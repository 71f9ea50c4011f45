import { ecommercePlugin } from '@payloadcms/plugin-ecommerce'
import { buildConfig, type Plugin, type SanitizedConfig } from 'payload'
import { couponsPlugin } from 'payload-coupons'
import { orderNumbersPlugin } from 'payload-order-numbers'
import { refundsPlugin } from 'payload-refunds'
import { shippingClassesPlugin } from 'payload-shipping-classes'
import { shippingRatesPlugin } from 'payload-shipping-rates'
import { taxEuPlugin } from 'payload-tax-eu'
import { demoPayment } from '../../dev/payments/demo-payment.ts'
import { storeConnect } from '../../src/plugin.js'
import type { StoreConnectOptions } from '../../src/types.js'
import { bareConfig, type DatabaseKind } from '../support/bare-config.js'
import { testCredentials } from '../support/store-config.js'
import { openToUsers, withFields } from '../support/store-shapes.js'

interface PackagesSetup {
  kind: DatabaseKind
  url: string
  idType?: 'uuid'
  options?: StoreConnectOptions
  /** In place of the packages. */
  plugins?: Plugin[]
}

/** A store with the packages that Storeconnect reads, as their documentation installs them. */
export const packagesConfig = ({
  options,
  plugins = packages,
  ...database
}: PackagesSetup): Promise<SanitizedConfig> =>
  buildConfig({
    ...bareConfig(database),
    collections: [{ slug: 'users', auth: true, fields: [] }],
    plugins: [
      ecommercePlugin({
        ...openToUsers,
        carts: { allowGuestCarts: true },
        payments: { paymentMethods: [demoPayment()] },
        products: {
          productsCollectionOverride: withFields([
            { name: 'title', type: 'text' },
            { name: 'sku', type: 'text' },
          ]),
          variants: true,
        },
      }),
      ...plugins,
      storeConnect({ isAdmin: () => true, shipping: { settings: testCredentials }, ...options }),
    ],
  })

const packages: Plugin[] = [
  couponsPlugin({ currencies: ['USD'] }),
  orderNumbersPlugin({ prefix: 'ORD-', padding: 5, startAt: 1000 }),
  refundsPlugin({ restock: true, updateTransactionStatus: true }),
  shippingClassesPlugin(),
  shippingRatesPlugin(),
  taxEuPlugin({ sellerCountry: 'DE', pricesIncludeTax: true }),
]
