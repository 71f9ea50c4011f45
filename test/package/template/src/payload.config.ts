import { sqliteAdapter } from '@payloadcms/db-sqlite'
import { lexicalEditor } from '@payloadcms/richtext-lexical'
import path from 'node:path'
import { buildConfig } from 'payload'
import { Categories, Media, Pages } from '@/collections/content'
import { Users } from '@/collections/Users'
import { Footer, Header } from '@/globals'
import { plugins } from '@/plugins'

/** A store of the shape of Payload's ecommerce template: small, and without Stripe and pictures. */
export default buildConfig({
  admin: { user: Users.slug },
  collections: [Users, Pages, Categories, Media],
  db: sqliteAdapter({
    client: { url: process.env.DATABASE_URL ?? 'file:./store.db' },
    // Commands open the same file.
    busyTimeout: 5000,
  }),
  editor: lexicalEditor(),
  globals: [Header, Footer],
  plugins,
  secret: process.env.PAYLOAD_SECRET ?? '',
  telemetry: false,
  typescript: { outputFile: path.resolve('src/payload-types.ts') },
})
