import { ecommercePlugin } from '@payloadcms/plugin-ecommerce'
import { storeConnect } from 'payload-storeconnect'
import { buildConfig } from 'payload'
import { de } from 'payload/i18n/de'
import { en } from 'payload/i18n/en'
import { es } from 'payload/i18n/es'
import { fr } from 'payload/i18n/fr'
import { it } from 'payload/i18n/it'
import { ja } from 'payload/i18n/ja'
import { nl } from 'payload/i18n/nl'
import { pl } from 'payload/i18n/pl'
import { pt } from 'payload/i18n/pt'
import { sv } from 'payload/i18n/sv'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  isAdmin,
  isAdminField,
  isAdminOrPublished,
  isCustomerField,
  isDocumentOwner,
} from './collections/access.ts'
import { mediaIn } from './collections/media.ts'
import { Newsletter } from './collections/newsletter.ts'
import { withOrderFields } from './collections/orders.ts'
import { withProductFields, withVariantFields } from './collections/products.ts'
import { Users } from './collections/users.ts'
import { currencies } from './currencies.ts'
import { databaseAt } from './database.ts'
import { emailToLog } from './email.ts'
import { demoPayment } from './payments/demo-payment.ts'

const directory = path.dirname(fileURLToPath(import.meta.url))
const dataDirectory = process.env.STORE_DATA_DIR || path.join(directory, '.data')

export default buildConfig({
  admin: {
    avatar: 'default',
    importMap: {
      autoGenerate: false,
      baseDir: directory,
      importMapFile: path.join(directory, 'app/(payload)/admin/importMap.js'),
    },
    meta: { titleSuffix: ' · Kettle & Quill' },
    user: 'users',
  },
  collections: [Users, mediaIn(path.join(dataDirectory, 'media'))],
  db: databaseAt(process.env.DATABASE_URL || `file:${path.join(dataDirectory, 'store.db')}`),
  email: emailToLog,
  globals: [Newsletter],
  graphQL: { disable: true },
  // The admin switches between them; the pages of the shop follow the browser.
  i18n: { supportedLanguages: { de, en, es, fr, it, ja, nl, pl, pt, sv } },
  plugins: [
    ecommercePlugin({
      access: {
        adminOnlyFieldAccess: isAdminField,
        adminOrPublishedStatus: isAdminOrPublished,
        isAdmin,
        isAuthenticated: ({ req }) => Boolean(req.user),
        isCustomer: isCustomerField,
        isDocumentOwner,
      },
      currencies: { defaultCurrency: 'USD', supportedCurrencies: currencies },
      customers: { slug: 'users' },
      orders: { ordersCollectionOverride: withOrderFields },
      payments: { paymentMethods: [demoPayment()] },
      products: {
        productsCollectionOverride: withProductFields,
        variants: { variantsCollectionOverride: withVariantFields },
      },
    }),
    storeConnect({
      timezone: 'UTC',
      shipping: {
        settings: {
          username: 'shipstation',
          password: '$SHIPSTATION_PASSWORD',
          storeField: 'warehouse',
          pageSize: 25,
        },
      },
      marketing: {
        // The stand-in for Klaviyo, unless the environment names another.
        apiUrl: process.env.KLAVIYO_URL || undefined,
        scriptUrl: process.env.KLAVIYO_URL || undefined,
        settings: {
          privateApiKey: '$KLAVIYO_API_KEY',
          publicApiKey: '$KLAVIYO_PUBLIC_KEY',
          followUnsubscribes: true,
          // A list of the stand-in.
          consentList: 'WELCOME',
          catalog: 'api',
        },
      },
    }),
  ],
  secret: process.env.PAYLOAD_SECRET || '',
  telemetry: false,
  typescript: {
    // `npm run generate` and `npm run check` write them: a start changes no source file.
    autoGenerate: false,
    declare: false,
    outputFile: path.join(directory, 'payload-types.ts'),
  },
})
