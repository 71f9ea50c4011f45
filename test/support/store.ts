import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { getPayload, type BasePayload } from 'payload'
import { inject } from 'vitest'
import type { Handle } from '../../src/actions/front-door.js'
import { handlerOf } from '../../src/installation.js'
import { closeInstance } from './close-instance.js'
import { storeConfig, type DatabaseKind, type StoreSetup } from './store-config.js'

export const databaseKinds: DatabaseKind[] = ['sqlite', 'postgres']

/** A store with a database of its own. Close it when the test is over. */
export interface TestStore {
  payload: BasePayload
  handle: Handle
  /** Where the database is, for a second process on it. */
  url: string
  kind: DatabaseKind
  close(): Promise<void>
}

export async function openStore(
  kind: DatabaseKind,
  setup: Omit<StoreSetup, 'kind' | 'url'> = {},
): Promise<TestStore> {
  const database = kind === 'sqlite' ? copyTemplateFile() : await copyTemplateDatabase()
  const store = await joinStore(kind, database.url, setup)
  return {
    ...store,
    async close() {
      await store.close()
      await database.remove()
    },
  }
}

/** A second instance on a database that is there already, as another process would be. */
export async function joinStore(
  kind: DatabaseKind,
  url: string,
  setup: Omit<StoreSetup, 'kind' | 'url'> = {},
): Promise<TestStore> {
  const config = await storeConfig({ ...setup, kind, url })
  const payload = await getPayload({ config, key: randomUUID() })
  return {
    payload,
    handle: handlerOf(payload),
    url,
    kind,
    close: () => closeInstance(payload),
  }
}

function copyTemplateFile() {
  const directory = mkdtempSync(join(tmpdir(), 'storeconnect-'))
  const url = join(directory, 'store.db')
  copyFileSync(inject('sqliteTemplate'), url)
  return { url, remove: () => Promise.resolve(rmSync(directory, { recursive: true })) }
}

async function copyTemplateDatabase() {
  const { serverUrl, template } = inject('postgres')
  const name = `store_${randomUUID().replaceAll('-', '')}`
  await onServer(serverUrl, `create database ${name} template ${template}`)
  return {
    url: `${serverUrl}/${name}`,
    remove: () => onServer(serverUrl, `drop database ${name} with (force)`),
  }
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: `${serverUrl}/postgres` })
  await client.connect()
  await client.query(statement)
  await client.end()
}
