import { postgresAdapter } from '@payloadcms/db-postgres'
import { sqliteAdapter } from '@payloadcms/db-sqlite'

/** The database behind a URL: `postgres://…` is PostgreSQL, anything else an SQLite file. */
export const databaseAt = (url: string) =>
  /^postgres(ql)?:/.test(url)
    ? postgresAdapter({
        pool: {
          connectionString: url,
          // Saving a cart takes two connections, so a small pool can wait for itself.
          max: Number(process.env.DATABASE_CONNECTIONS || 30),
          connectionTimeoutMillis: 5000,
        },
      })
    : sqliteAdapter({
        client: { url },
        wal: { synchronous: 'NORMAL' },
        busyTimeout: 5000,
      })
