import { postgresAdapter } from '@payloadcms/db-postgres'
import { sqliteAdapter } from '@payloadcms/db-sqlite'
import { buildConfig, type BasePayload, type SanitizedConfig } from 'payload'
import { sqlDatabase } from '../../../src/database/database.js'
import { realEffects } from '../../../src/effects.js'
import { leaseCollection } from '../../../src/delivery/lease.js'
import { withSendSchema } from '../../../src/delivery/send-table.js'
import { createOutbox } from '../../../src/delivery/outbox.js'
import { sendCollection } from '../../../src/delivery/send-collection.js'
import { en } from '../../../src/translations/en.js'
import type { DatabaseKind } from '../../support/store-config.js'

export interface OutboxSetup {
  kind: DatabaseKind
  url: string
  /** Of all other collections. */
  idType: 'number' | 'uuid'
  push?: boolean
}

/** A store that has the outbox and its users alone. */
export function outboxConfig({
  kind,
  url,
  idType,
  push = false,
}: OutboxSetup): Promise<SanitizedConfig> {
  const db =
    kind === 'sqlite'
      ? sqliteAdapter({
          client: { url: `file:${url}` },
          push,
          idType,
          busyTimeout: 30_000,
          wal: { synchronous: 'NORMAL' },
        })
      : postgresAdapter({
          pool: { connectionString: url, max: 20, connectionTimeoutMillis: 30_000 },
          push,
          idType: idType === 'uuid' ? 'uuid' : 'serial',
        })
  return buildConfig({
    secret: 'a-secret-of-the-outbox-store',
    telemetry: false,
    typescript: { autoGenerate: false },
    logger: { options: { level: 'silent' } },
    i18n: { translations: { en: { storeconnect: en } } },
    db: withSendSchema(db),
    collections: [
      { slug: 'users', auth: true, fields: [{ name: 'roles', type: 'text' }] },
      sendCollection(
        { isAdmin, hasOrigin, partsOf, effects: realEffects },
        { hasTextIds: db.defaultIDType === 'text' },
      ),
      leaseCollection(),
    ],
  })
}

const partsOf = (payload: BasePayload) => ({ outbox: createOutbox(sqlDatabase(payload)) })

const hasOrigin = () => Promise.resolve(false)

const isAdmin = ({ req }: { req: { user: unknown } }) =>
  (req.user as { roles?: string } | null)?.roles === 'admin'
