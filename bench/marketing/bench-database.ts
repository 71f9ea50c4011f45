import { randomUUID } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import { sql, type SQL } from 'drizzle-orm'
import { Client } from 'pg'
import { getPayload, type BasePayload } from 'payload'
import { sqlDatabase, type Database } from '../../src/core/database/database.js'
import type { TemplateDatabases } from '../../test/support/databases.js'
import { storeConfig, type DatabaseKind, type StoreSetup } from '../../test/support/store-config.js'

/** What a store of the benches stands on. */
export type Ground = 'sqlite' | 'sqlite, wal' | 'postgres'

/** A database of its own, open in this process too. */
export interface BenchDatabase {
  kind: DatabaseKind
  url: string
  payload: BasePayload
  database: Database
}

export const kindOf = (ground: Ground): DatabaseKind =>
  ground === 'postgres' ? 'postgres' : 'sqlite'

/** An empty store's database. Both journals of SQLite write through to the disk (`synchronous=FULL`). */
export async function openDatabase(
  databases: TemplateDatabases,
  ground: Ground,
  setup: Pick<StoreSetup, 'options' | 'effects'> = {},
): Promise<BenchDatabase> {
  const kind = kindOf(ground)
  const url = await copyTemplate(databases, kind)
  const payload = await getPayload({
    config: await storeConfig({ ...setup, kind, url }),
    key: randomUUID(),
  })
  // The server stops before this process does, and the pool calls that an error.
  const { pool } = payload.db as { pool?: { on: (event: 'error', listener: () => void) => void } }
  pool?.on('error', () => undefined)
  const database = sqlDatabase(payload)
  // The file remembers it.
  if (ground === 'sqlite, wal') await database.rows(sql`pragma journal_mode = wal`)
  return { kind, url, payload, database }
}

/** A number that a statement answers with. */
export async function numberOf(database: Database, query: SQL): Promise<number> {
  const [row] = await database.rows(query)
  return Number(Object.values(row ?? {})[0] ?? NaN)
}

async function copyTemplate(
  { sqliteTemplate, postgres }: TemplateDatabases,
  kind: DatabaseKind,
): Promise<string> {
  const name = `bench_${randomUUID().replaceAll('-', '')}`
  if (kind === 'sqlite') {
    const file = sqliteTemplate.replace('template', name)
    copyFileSync(sqliteTemplate, file)
    return file
  }
  const client = new Client({ connectionString: `${postgres.serverUrl}/postgres` })
  await client.connect()
  await client.query(`create database ${name} template ${postgres.template}`)
  await client.end()
  return `${postgres.serverUrl}/${name}`
}
