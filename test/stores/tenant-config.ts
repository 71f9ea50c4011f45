import { ecommercePlugin } from '@payloadcms/plugin-ecommerce'
import { buildConfig, type SanitizedConfig } from 'payload'
import { demoPayment } from '../../dev/payments/demo-payment.ts'
import type { Site, SiteDocument } from '../../src/shop/sites/site.js'
import { storeConnect } from '../../src/plugin.js'
import { bareConfig, type DatabaseKind } from '../support/bare-config.js'
import type { StoreSetup } from '../support/store-config.js'
import { sellingToShoppers, staffAndShoppers, withFields } from '../support/store-shapes.js'

/** A store whose sites are its own tenants. No cart of it may be without one. */
export function tenantConfig(
  kind: DatabaseKind,
  url: string,
  { options, effects, config, collections = [] }: Omit<StoreSetup, 'kind' | 'url'> = {},
): Promise<SanitizedConfig> {
  return buildConfig({
    ...bareConfig({ kind, url }),
    ...config,
    // Not the primary tenant's: what Payload makes up for calls of the store's own code tells nothing.
    serverURL: 'https://outlet.example',
    collections: [
      ...staffAndShoppers,
      {
        slug: 'tenants',
        fields: [
          { name: 'domain', type: 'text' },
          { name: 'brand', type: 'text' },
          { name: 'isMain', type: 'checkbox' },
          { name: 'isClosed', type: 'checkbox' },
        ],
      },
      ...collections,
    ],
    plugins: [
      ecommercePlugin({
        ...sellingToShoppers,
        products: {
          variants: false,
          productsCollectionOverride: withFields([
            { name: 'title', type: 'text' },
            { name: 'image', type: 'text' },
          ]),
        },
        carts: {
          allowGuestCarts: true,
          cartsCollectionOverride: withFields([
            { name: 'tenant', type: 'relationship', relationTo: 'tenants', required: true },
          ]),
        },
        payments: { paymentMethods: [demoPayment()] },
      }),
      storeConnect(
        {
          ...options,
          collections: { sites: 'tenants' },
          fields: { site: 'tenant' },
          mapSite: siteOfTenant,
        },
        effects,
      ),
    ],
  })
}

/** A tenant without a domain, such as the head office, is no site. */
function siteOfTenant({ id, domain, brand, isMain, isClosed }: SiteDocument): Site | undefined {
  if (typeof domain !== 'string') return undefined
  return {
    id,
    handle: domain,
    name: domain,
    baseUrl: `https://${domain}`,
    enabled: isClosed !== true,
    primary: isMain === true,
    store: typeof brand === 'string' ? brand : '',
    cartUrl: '/cart',
    language: '',
  }
}
