import { ecommercePlugin } from '@payloadcms/plugin-ecommerce'
import { buildConfig, type Field, type SanitizedConfig } from 'payload'
import { storeConnect } from '../../src/plugin.js'
import type { StoreConnectOptions } from '../../src/plugin/options.js'
import { bareConfig, type DatabaseKind } from '../support/bare-config.js'
import { testCredentials } from '../support/store-config.js'
import { sellingToShoppers, staffAndShoppers, withFields } from '../support/store-shapes.js'

interface TemplateSetup {
  kind: DatabaseKind
  url: string
  options?: StoreConnectOptions
  /** Fields of products and variants beside those of the template. */
  ofProducts?: Field[]
  ofVariants?: Field[]
}

/** A store whose products are those of Payload's ecommerce template, with variants. */
export const templateConfig = ({
  kind,
  url,
  options,
  ofProducts = [],
  ofVariants = [],
}: TemplateSetup): Promise<SanitizedConfig> =>
  buildConfig({
    ...bareConfig({ kind, url }),
    admin: { user: 'staff' },
    collections: [
      ...staffAndShoppers,
      { slug: 'media', upload: { disableLocalStorage: true }, fields: [] },
    ],
    plugins: [
      ecommercePlugin({
        ...sellingToShoppers,
        products: {
          productsCollectionOverride: withFields([
            { name: 'title', type: 'text' },
            { type: 'tabs', tabs: [{ label: 'Content', fields: [gallery] }] },
            ...ofProducts,
          ]),
          variants: { variantsCollectionOverride: withFields(ofVariants) },
        },
      }),
      storeConnect({ shipping: { settings: testCredentials }, ...options }),
    ],
  })

const gallery: Field = {
  name: 'gallery',
  type: 'array',
  fields: [{ name: 'image', type: 'upload', relationTo: 'media' }],
}
