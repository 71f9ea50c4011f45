import { postgresAdapter } from '@payloadcms/db-postgres'
import { sqliteAdapter } from '@payloadcms/db-sqlite'
import type { Config } from 'payload'
import type { DatabaseKind } from './store-config.js'

/** What the stores have in common that tests make of their own: quiet, on a database of theirs. */
export const bareConfig = (kind: DatabaseKind, url: string, push: boolean) =>
  ({
    secret: 'a-secret-of-the-test-store',
    serverURL: 'https://shop.example',
    telemetry: false,
    typescript: { autoGenerate: false },
    logger: { options: { level: 'silent' } },
    db:
      kind === 'sqlite'
        ? sqliteAdapter({ client: { url: `file:${url}` }, push, busyTimeout: 30_000 })
        : postgresAdapter({ pool: { connectionString: url, max: 30 }, push }),
  }) satisfies Partial<Config>
