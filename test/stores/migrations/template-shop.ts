import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@libsql/client'
import { Client } from 'pg'
import { onTestFinished, vi } from 'vitest'
import type { Dialog } from '../../../src/installer/dialog.js'
import { runInstaller, type InstallerCommand } from '../../../src/installer/installer.js'
import { emptyDatabase, type OwnDatabase } from '../../support/own-database.js'
import type { DatabaseKind } from '../../support/store-config.js'
import { project, shopFolder, shopManifest } from '../../unit/installer/shop-folder.js'

const run = promisify(execFile)
const configFile = 'src/payload.config.ts'

/** Each row, as text, by its table. */
type Rows = Record<string, string[]>
type Columns = Record<string, string[]>

/** A shop of the shape of Payload's template, whose database changes with migrations only. */
export interface TemplateShop {
  folder: string
  changeConfig(from: string, to: string): void
  /** Runs Payload's command line. */
  payload(...parameters: string[]): Promise<void>
  /** Runs a script of the shop, given as its text. */
  script(text: string): Promise<void>
  /** Runs a command of the installer, and what it runs in the shop. Resolves to the exit code and to what it said. */
  install(command: InstallerCommand): Promise<{ code: number; said: string }>
  /** The columns of each table. */
  columns(): Promise<Columns>
  /** What these columns have. */
  rows(columns: Columns): Promise<Rows>
}

export async function templateShop(kind: DatabaseKind): Promise<TemplateShop> {
  const database = await emptyDatabase(kind)
  onTestFinished(() => database.remove())
  const folder = shopFolder({
    'package.json': shopManifest.replace('db-sqlite', `db-${kind}`),
    // Nothing is installed, and Payload's command line starts at once.
    'bin/npm': '#!/bin/sh\n',
    'bin/npx': '#!/bin/sh\nshift 2\nexec node node_modules/payload/bin.js "$@"\n',
  })
  for (const name of ['npm', 'npx']) chmodSync(join(folder, 'bin', name), 0o755)
  linkPackages(folder)
  change(folder, configFile, (text) =>
    withoutLines(kind === 'sqlite' ? text : onPostgres(text), /lexical/),
  )
  change(folder, 'src/plugins/index.ts', (text) => withoutLines(text, /formBuilder/))
  for (const name of ['Products', 'content'])
    change(folder, `src/collections/${name}.ts`, (text) => text.replace("'richText'", "'textarea'"))
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: kind === 'sqlite' ? `file:${database.url}` : database.url,
    PAYLOAD_SECRET: 'a secret of this store, long enough',
    PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
  }
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const payload = async (...parameters: string[]) => {
    const command = [join(project, 'node_modules/payload/bin.js'), ...parameters]
    await run(process.execPath, command, { cwd: folder }).catch((error: unknown) => {
      // Payload logs to the standard output why it failed.
      throw new Error((error as { stdout: string }).stdout, { cause: error })
    })
  }
  const query = queryOf(kind, database)
  return {
    folder,
    changeConfig: (from, to) => change(folder, configFile, (text) => text.replace(from, to)),
    payload,
    async script(text) {
      writeFileSync(join(folder, 'src/script.ts'), text)
      await payload('run', 'src/script.ts')
    },
    async install(command) {
      const said: string[] = []
      const dialog: Dialog = {
        say: (text) => said.push(text),
        confirm: () => Promise.resolve(true),
        choose: () => Promise.resolve('both'),
        during: (_, work) => work(),
        hasPerson: false,
      }
      const code = await runInstaller(command, { given: ['--yes'], folder, dialog })
      return { code, said: said.join('\n') }
    },
    async columns() {
      const found: Columns = {}
      for (const { table, name } of await query<{ table: string; name: string }>(columnsOn[kind]))
        (found[table] ??= []).push(name)
      return found
    },
    async rows(columns) {
      const found: Rows = {}
      for (const [table, names] of Object.entries(columns)) {
        const list = names.map((name) => `"${name}"`).join()
        const rows = await query<object>(`select ${list} from "${table}"`)
        found[table] = rows.map((row) => JSON.stringify(row)).sort()
      }
      return found
    },
  }
}

const columnsOn: Record<DatabaseKind, string> = {
  sqlite: `select t.name as "table", c.name as name from sqlite_master t
    join pragma_table_info(t.name) c where t.type = 'table' and t.name not like 'sqlite_%'`,
  postgres: `select table_name as "table", column_name as name from information_schema.columns
    where table_schema = 'public'`,
}

const onPostgres = (config: string) =>
  config
    .replace('{ sqliteAdapter }', '{ postgresAdapter }')
    .replace('@payloadcms/db-sqlite', '@payloadcms/db-postgres')
    .replace(
      /sqliteAdapter\(\{.*?\n {2}\}\),/s,
      'postgresAdapter({ pool: { connectionString: process.env.DATABASE_URL } }),',
    )

/** Without what needs a package that the checkout does not have. */
const withoutLines = (text: string, gone: RegExp) =>
  text
    .split('\n')
    .filter((line) => !gone.test(line))
    .join('\n')

function change(folder: string, path: string, how: (text: string) => string): void {
  const file = join(folder, path)
  writeFileSync(file, how(readFileSync(file, 'utf8')))
}

/** Those of the checkout, and the package as its source. */
function linkPackages(folder: string): void {
  const modules = join(folder, 'node_modules')
  for (const name of ['@payloadcms', 'next', 'payload', 'react', 'react-dom'])
    symlinkSync(join(project, 'node_modules', name), join(modules, name))
  mkdirSync(join(modules, 'payload-storeconnect'))
  symlinkSync(join(project, 'src'), join(modules, 'payload-storeconnect/src'))
  writeFileSync(
    join(modules, 'payload-storeconnect/package.json'),
    JSON.stringify({ type: 'module', exports: './src/index.ts' }),
  )
}

/** Asks the database in a connection of its own, as Payload knows the tables of its config alone. */
const queryOf =
  (kind: DatabaseKind, { url }: OwnDatabase) =>
  async <Row>(text: string): Promise<Row[]> => {
    if (kind === 'sqlite') {
      const client = createClient({ url: `file:${url}` })
      const { rows } = await client.execute(text)
      client.close()
      return rows as Row[]
    }
    const client = new Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(text)
    await client.end()
    return rows as Row[]
  }
