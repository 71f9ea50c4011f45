import { postgresAdapter } from '@payloadcms/db-postgres'
import { sqliteAdapter } from '@payloadcms/db-sqlite'
import { ecommercePlugin } from '@payloadcms/plugin-ecommerce'
import {
  buildConfig,
  type Access,
  type Config,
  type FieldAccess,
  type Plugin,
  type SanitizedConfig,
} from 'payload'
import { en } from 'payload/i18n/en'

/** What the shop mails, as far as anybody looks at it. */
export interface Mail {
  to: string[]
  subject: string
}

export interface ShopSetup {
  kind: 'sqlite' | 'postgres'
  /** A file's path, or a PostgreSQL connection string. */
  url: string
  /** The folder of the migrations. */
  migrationDir: string
  /** Storeconnect, of any edition. */
  plugin: Plugin
  /** Of the admin; the first is that of everybody who says nothing else. Default: English. */
  languages?: NonNullable<NonNullable<Config['i18n']>['supportedLanguages']>
  /** Whether customers verify their emails. */
  isVerifying?: boolean
  /** Gets what the shop mails. */
  mail?: (message: Mail) => void
}

const isStaff: Access & FieldAccess = ({ req }) => req.user?.collection === 'staff'

/** A shop whose schema changes with migrations only. It is the same with each edition of Storeconnect. */
export function shopConfig({ kind, url, ...setup }: ShopSetup): Promise<SanitizedConfig> {
  const { migrationDir, plugin, isVerifying = false, languages = { en } } = setup
  const { mail = () => undefined } = setup
  const migrated = { push: false, migrationDir }
  return buildConfig({
    secret: 'a-secret-of-the-upgraded-shop',
    serverURL: 'https://shop.example',
    telemetry: false,
    typescript: { autoGenerate: false },
    logger: { options: { level: 'error' } },
    i18n: {
      fallbackLanguage: Object.keys(languages)[0] as 'en',
      supportedLanguages: languages,
    },
    admin: { user: 'staff' },
    db:
      kind === 'sqlite'
        ? sqliteAdapter({ client: { url: `file:${url}` }, ...migrated })
        : postgresAdapter({ pool: { connectionString: url }, ...migrated }),
    email: () => ({
      name: 'mailbox',
      defaultFromAddress: 'shop@shop.example',
      defaultFromName: 'Shop',
      sendEmail: (message: unknown) => Promise.resolve(mail(message as Mail)),
    }),
    collections: [
      { slug: 'staff', auth: true, fields: [] },
      { slug: 'shoppers', auth: isVerifying ? { verify: true } : true, fields: [] },
    ],
    plugins: [
      ecommercePlugin({
        access: {
          adminOnlyFieldAccess: isStaff,
          adminOrPublishedStatus: () => true,
          isAdmin: isStaff,
          isDocumentOwner: ({ req }) => (req.user ? { customer: { equals: req.user.id } } : false),
        },
        customers: { slug: 'shoppers' },
        carts: { allowGuestCarts: true },
        products: {
          productsCollectionOverride: ({ defaultCollection }) => ({
            ...defaultCollection,
            fields: [
              ...defaultCollection.fields,
              { name: 'title', type: 'text' },
              { name: 'sku', type: 'text' },
            ],
          }),
        },
      }),
      plugin,
    ],
  })
}
