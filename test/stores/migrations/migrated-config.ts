import { postgresAdapter } from '@payloadcms/db-postgres'
import { sqliteAdapter } from '@payloadcms/db-sqlite'
import { ecommercePlugin } from '@payloadcms/plugin-ecommerce'
import { buildConfig, type Access, type FieldAccess, type SanitizedConfig } from 'payload'
import { de } from 'payload/i18n/de'
import { en } from 'payload/i18n/en'
import { storeConnect } from '../../../src/plugin.js'
import type { StoreConnectOptions } from '../../../src/plugin/options.js'
import { testCredentials, type DatabaseKind } from '../../support/store-config.js'

export interface MigratedSetup {
  kind: DatabaseKind
  /** A file's path, or a PostgreSQL connection string. */
  url: string
  /** The folder of the migrations. */
  migrationDir: string
  /** Storeconnect's options; undefined for the store as it was before. */
  options: StoreConnectOptions | undefined
}

const isStaff: Access & FieldAccess = ({ req }) => req.user?.collection === 'staff'

/** A store that never pushes its schema: its database changes with migrations only. */
export function migratedConfig(setup: MigratedSetup): Promise<SanitizedConfig> {
  const { kind, url, migrationDir, options } = setup
  return buildConfig({
    secret: 'a-secret-of-the-test-store',
    serverURL: 'https://shop.example',
    telemetry: false,
    typescript: { autoGenerate: false },
    logger: { options: { level: 'error' } },
    // Payload keeps the texts of a language once a process: without ours, the bare store would leave them out.
    i18n:
      options === undefined
        ? { fallbackLanguage: 'de', supportedLanguages: { de } }
        : { fallbackLanguage: 'en', supportedLanguages: { en } },
    admin: { user: 'staff' },
    db:
      kind === 'sqlite'
        ? sqliteAdapter({ client: { url: `file:${url}` }, push: false, migrationDir })
        : postgresAdapter({
            pool: { connectionString: url, max: 30, connectionTimeoutMillis: 30_000 },
            push: false,
            migrationDir,
          }),
    collections: [
      { slug: 'staff', auth: true, fields: [] },
      { slug: 'shoppers', auth: true, fields: [] },
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
      ...(options === undefined
        ? []
        : [storeConnect({ ...options, shipping: { settings: testCredentials } })]),
    ],
  })
}
