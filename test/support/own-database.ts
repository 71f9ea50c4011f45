import { randomUUID } from 'node:crypto'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { inject } from 'vitest'
import { newDatabaseFolder } from './database-folder.js'
import type { DatabaseKind } from './store-config.js'

/** A database of a test's own. */
export interface OwnDatabase {
  /** A file's path, or a PostgreSQL connection string. */
  url: string
  remove(): Promise<void>
}

/** With the test store's schema, and nothing in it. */
export const storeDatabase = (kind: DatabaseKind): Promise<OwnDatabase> =>
  kind === 'sqlite'
    ? Promise.resolve(newFile(inject('sqliteTemplate')))
    : newDatabase(`template ${inject('postgres').template}`)

/** Without any table. */
export const emptyDatabase = (kind: DatabaseKind): Promise<OwnDatabase> =>
  kind === 'sqlite' ? Promise.resolve(newFile()) : newDatabase('')

function newFile(template?: string): OwnDatabase {
  const directory = newDatabaseFolder()
  const url = join(directory, 'store.db')
  if (template !== undefined) copyFileSync(template, url)
  return { url, remove: () => Promise.resolve(rmSync(directory, { recursive: true })) }
}

async function newDatabase(from: string): Promise<OwnDatabase> {
  const { serverUrl, poolerUrl = serverUrl } = inject('postgres')
  const name = `store_${randomUUID().replaceAll('-', '')}`
  // Copied as files, which takes half the work of copying each block through the log.
  await onServer(serverUrl, `create database ${name} ${from} strategy file_copy`)
  return {
    url: `${poolerUrl}/${name}`,
    remove: () => onServer(serverUrl, `drop database ${name} with (force)`),
  }
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: `${serverUrl}/postgres` })
  await client.connect()
  await client.query(statement)
  await client.end()
}
