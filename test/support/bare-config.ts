import { postgresAdapter } from '@payloadcms/db-postgres'
import { sqliteAdapter } from '@payloadcms/db-sqlite'
import type { Config } from 'payload'

export type DatabaseKind = 'sqlite' | 'postgres'

interface BareSetup {
  kind: DatabaseKind
  /** A file's path, or a PostgreSQL connection string. */
  url: string
  /** Of all collections. */
  idType?: 'number' | 'uuid' | undefined
}

/** What the stores of tests have in common: quiet, on a database of theirs. */
export const bareConfig = ({ kind, url, idType = 'number' }: BareSetup) =>
  ({
    secret: 'a-secret-of-the-test-store',
    serverURL: 'https://shop.example',
    telemetry: false,
    typescript: { autoGenerate: false },
    logger: { options: { level: 'silent' } },
    db:
      kind === 'sqlite'
        ? sqliteAdapter({
            client: { url: `file:${url}` },
            push: false,
            idType,
            busyTimeout: 30_000,
          })
        : postgresAdapter({
            pool: { connectionString: url, max: 30, connectionTimeoutMillis: 30_000 },
            push: false,
            idType: idType === 'uuid' ? 'uuid' : 'serial',
          }),
  }) satisfies Partial<Config>
