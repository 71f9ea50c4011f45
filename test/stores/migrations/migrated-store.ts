import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { getPayload, type BasePayload } from 'payload'
import type { MarketingOptions, StoreConnectOptions } from '../../../src/plugin/options.js'
import { closeInstance } from '../../support/close-instance.js'
import { migrationFiles, migrationsIn } from '../../support/migrations-in.js'
import { emptyDatabase } from '../../support/own-database.js'
import type { DatabaseKind } from '../../support/store-config.js'
import { migratedConfig } from './migrated-config.js'

const run = promisify(execFile)
const modules = join(import.meta.dirname, '../../../node_modules')

/** Before Storeconnect was added to its config, with it, or with one of its products alone. */
export type Stage = 'bare' | 'connected' | 'shipping' | 'marketing'

/** A store with an empty database and an empty folder of migrations. */
export interface MigratedStore {
  /** Runs Payload's command line, with nobody there to answer a question. */
  payload(stage: Stage, ...parameters: string[]): Promise<void>
  /** Makes a migration in this process, which takes less time than a command line. */
  createMigration(stage: Stage, migrationName: string): Promise<void>
  /** Whether the next migration would have anything to do. */
  hasChanges(stage: Stage): Promise<boolean>
  /** Applies, in this process, the migrations that are not applied yet. */
  migrate(stage: Stage): Promise<void>
  /** Runs a command of a shell in the store's folder. */
  shell(command: string): Promise<void>
  /** The names of the migrations, in order. */
  migrations(): string[]
  /** Changes a migration's text, as a developer may. */
  mend(migration: string, change: (text: string) => string): void
  /** The store at work: at a stage, or with these options. */
  use<Result>(
    stage: Stage | MarketingOptions,
    work: (payload: BasePayload) => Promise<Result>,
  ): Promise<Result>
  remove(): Promise<void>
}

const connected: StoreConnectOptions = { marketing: { delivery: 'task' } }

const optionsAt: Readonly<Record<Stage, StoreConnectOptions | undefined>> = {
  bare: undefined,
  connected,
  shipping: { marketing: false },
  marketing: { ...connected, shipping: false },
}

/** An order as the extension alone keeps it. */
export const anOldOrder = {
  status: 'processing',
  customerEmail: 'ada@example.com',
  amount: 4250,
  currency: 'USD',
  shippingAddress: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    addressLine1: '12 St James Square',
    city: 'London',
    country: 'GB',
  },
}

/** Sells a product of which the order keeps the id alone. */
export async function sellTea(payload: BasePayload) {
  const { id: product } = await payload.create({
    collection: 'products',
    data: { title: 'Green tea', sku: 'TEA-1', priceInUSD: 2125, _status: 'published' },
  })
  const items = [{ product, quantity: 2 }]
  return payload.create({ collection: 'orders', data: { ...anOldOrder, items } })
}

export async function makeMigratedStore(kind: DatabaseKind): Promise<MigratedStore> {
  const database = await emptyDatabase(kind)
  const directory = mkdtempSync(join(tmpdir(), 'storeconnect-migrations-'))
  const migrationDir = join(directory, 'src/migrations')
  mkdirSync(dirname(migrationDir))
  // Migrations import the database adapter.
  symlinkSync(modules, join(directory, 'node_modules'))
  const setup = { kind, url: database.url, migrationDir }
  const store: MigratedStore = {
    createMigration: (stage, migrationName) =>
      store.use(stage, async (payload) =>
        payload.db.createMigration({ payload, migrationName, forceAcceptWarning: true }),
      ),
    hasChanges: (stage) =>
      store.use(stage, async (payload) => {
        // With nothing to do, Payload ends its process, which the test runner turns into an error.
        try {
          await payload.db.createMigration({ payload, skipEmpty: true })
          return true
        } catch (error) {
          if (String(error).includes('process.exit')) return false
          throw error
        }
      }),
    migrate: (stage) =>
      store.use(stage, async (payload) =>
        payload.db.migrate({ migrations: await migrationsIn(migrationDir) }),
      ),
    async payload(stage, ...parameters) {
      const command = run(process.execPath, [join(modules, 'payload/bin.js'), ...parameters], {
        cwd: directory,
        env: {
          ...process.env,
          NODE_ENV: 'production',
          PAYLOAD_CONFIG_PATH: join(import.meta.dirname, 'cli-config.ts'),
          STORE_KIND: kind,
          STORE_URL: database.url,
          STORE_MIGRATIONS: migrationDir,
          STORE_STAGE: stage,
        },
      })
      command.child.stdin?.end()
      const { stdout, stderr } = await command.catch((error: unknown) => {
        // Payload logs to the standard output why it failed.
        throw new Error((error as { stdout: string }).stdout, { cause: error })
      })
      // Payload prints the key of a text that English lacks.
      if (/key not found:/.test(stdout)) throw new Error(`It lacks a text:\n${stdout}`)
      if (/\?/.test(stdout + stderr)) throw new Error(`It asked something:\n${stdout}${stderr}`)
    },
    async shell(command) {
      await run('sh', ['-euc', command], { cwd: directory })
    },
    migrations: () => migrationFiles(migrationDir),
    mend(migration, change) {
      const path = join(migrationDir, migration)
      writeFileSync(path, change(readFileSync(path, 'utf8')))
    },
    async use(stage, work) {
      const options = typeof stage === 'string' ? optionsAt[stage] : { marketing: stage }
      const payload = await getPayload({
        config: migratedConfig({ ...setup, options }),
        key: randomUUID(),
      })
      try {
        return await work(payload)
      } finally {
        await closeInstance(payload)
      }
    },
    async remove() {
      await database.remove()
      rmSync(directory, { recursive: true })
    },
  }
  return store
}
