import { randomUUID } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import { Client } from 'pg'
import { getPayload, type Payload } from 'payload'
import { seedOrders } from '../dev/seed/bulk-orders.ts'
import type { Handle } from '../src/core/http/reply.js'
import { handlerOf } from '../src/core/installation.js'
import type { TemplateDatabases } from '../test/support/databases.js'
import { storeConfig, type DatabaseKind } from '../test/support/store-config.js'
import { showProgress } from './progress.js'

/** A store with so many orders, in this process. */
export interface BenchStore {
  kind: DatabaseKind
  url: string
  payload: Payload
  handle: Handle
}

/** Orders in one store are spread over one year, so that a window can pick a share of them. */
export const spread = {
  from: new Date('2026-01-01T00:00:00Z'),
  to: new Date('2027-01-01T00:00:00Z'),
}

export async function makeStore(
  databases: TemplateDatabases,
  kind: DatabaseKind,
  count: number,
): Promise<BenchStore> {
  const store = await openBenchStore(kind, await copyDatabase(databases, kind), 500)
  const title = `Seeding ${count.toLocaleString('en')} orders on ${kind}`
  const progress = showProgress(title)
  await seedOrders({ payload: store.payload, count, spread, ties: 3, onProgress: progress.update })
  progress.end()
  if (kind === 'postgres') await onServer(store.url, 'vacuum analyze')
  return store
}

export async function openBenchStore(
  kind: DatabaseKind,
  url: string,
  pageSize: number,
): Promise<BenchStore> {
  const config = await storeConfig({ kind, url, options: { shipping: { settings: { pageSize } } } })
  const payload = await getPayload({ config, key: randomUUID() })
  // The server stops before this process does, and the pool calls that an error.
  const { pool } = payload.db as { pool?: { on: (event: 'error', listener: () => void) => void } }
  pool?.on('error', () => undefined)
  return { kind, url, payload, handle: handlerOf(payload) }
}

async function copyDatabase({ sqliteTemplate, postgres }: TemplateDatabases, kind: DatabaseKind) {
  const name = `bench_${randomUUID().replaceAll('-', '')}`
  if (kind === 'sqlite') {
    const file = sqliteTemplate.replace('template', name)
    copyFileSync(sqliteTemplate, file)
    return file
  }
  await onServer(
    `${postgres.serverUrl}/postgres`,
    `create database ${name} template ${postgres.template}`,
  )
  return `${postgres.serverUrl}/${name}`
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}
