import { execFile, execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { createClient } from '@libsql/client'
import { Client } from 'pg'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import { startDatabases } from '../support/databases.js'
import type { DatabaseKind } from '../support/store-config.js'
import { writeFrozenShop, type FrozenCall, type FrozenShop, type ShopFacts } from './frozen-shop.js'

// npm run freeze -- 0.2.0: builds an edition from the repository's history with what it locks, fills a shop
// with it on both databases, and writes what is left when its process is killed to `frozen/`.

const run = promisify(execFile)
const project = join(import.meta.dirname, '../..')
const git = (...words: string[]): string =>
  execFileSync('git', words, { cwd: project, encoding: 'utf8', stdio: 'pipe' }).trim()

/** The tag of the edition, else the last commit before the changelog got a heading above its own. */
function commitOf(edition: string): string {
  if (isWithoutHistory()) {
    throw new Error(
      'An old edition is built from the history of the repository, and this checkout has none. ' +
        'Run `git fetch --unshallow`, or clone the repository.',
    )
  }
  if (git('tag', '--list', `v${edition}`) !== '') return git('rev-list', '-1', `v${edition}`)
  const commits = git('log', '--first-parent', '--format=%H', '--', 'CHANGELOG.md').split('\n')
  const newest = (commit: string) => /^## (\S+)/m.exec(git('show', `${commit}:CHANGELOG.md`))?.[1]
  const last = commits.findIndex((commit) => newest(commit) === edition)
  if (last === -1) throw new Error(`No commit's changelog begins with ${edition}.`)
  return git('rev-parse', last === 0 ? 'HEAD' : `${commits[last - 1]}^`)
}

function isWithoutHistory(): boolean {
  try {
    return git('rev-parse', '--is-shallow-repository') === 'true'
  } catch {
    // It is no repository.
    return true
  }
}

/** The edition, built in the folder, with the code that fills a shop beside it. */
async function buildEdition(commit: string, directory: string): Promise<void> {
  const archive = join(directory, '..', 'edition.tar')
  git('archive', '--output', archive, commit)
  await run('tar', ['-xf', archive, '-C', directory])
  await run('npm', ['ci', '--ignore-scripts'], { cwd: directory })
  await run('npx', ['tsc', '-p', 'tsconfig.build.json'], { cwd: directory })
  cpSync(join(import.meta.dirname, 'shop'), join(directory, 'shop'), { recursive: true })
}

interface Shop {
  kind: DatabaseKind
  /** Of its database. */
  url: string
  migrationDir: string
  /** Where the edition is built. */
  directory: string
}

/** What the shop's process says. */
interface Line {
  call?: FrozenCall
  mail?: FrozenShop['mails'][number]
  idle?: true
  facts?: ShopFacts
}

async function migrate({ directory, ...shop }: Shop): Promise<FrozenShop['migration']> {
  mkdirSync(shop.migrationDir)
  for (const words of [['migrate:create', 'old'], ['migrate']]) {
    await run(process.execPath, ['node_modules/payload/bin.js', ...words], {
      cwd: directory,
      env: {
        ...process.env,
        NODE_ENV: 'production',
        PAYLOAD_CONFIG_PATH: 'shop/cli-config.ts',
        SHOP_KIND: shop.kind,
        SHOP_URL: shop.url,
        SHOP_MIGRATIONS: shop.migrationDir,
        STORECONNECT: join(directory, 'dist/index.js'),
      },
    })
  }
  const file = readdirSync(shop.migrationDir).find((name) => name.endsWith('.json')) ?? ''
  const name = basename(file, '.json')
  const read = (ending: string) => readFileSync(join(shop.migrationDir, name + ending), 'utf8')
  const snapshot = JSON.stringify(JSON.parse(read('.json')))
  return { name, code: read('.ts'), snapshot }
}

function startFill(stage: 'deliver' | 'wait', shop: Shop, klaviyo: ServedStandIn) {
  const { directory, kind, url, migrationDir } = shop
  const edition = join(directory, 'dist/index.js')
  const words = [stage, edition, kind, url, migrationDir, klaviyo.origin]
  const child = spawn(process.execPath, ['--import', 'tsx', 'shop/fill-shop.ts', ...words], {
    cwd: directory,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines: Line[] = []
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const isRunning = () => child.exitCode === null
  createInterface({ input: child.stdout }).on('line', (text) => {
    if (text.startsWith('{')) lines.push(JSON.parse(text) as Line)
  })
  return { child, lines, ended, isRunning }
}

/** Waits while the process runs. */
async function until(isSo: () => boolean, { isRunning }: { isRunning: () => boolean }) {
  while (!isSo()) {
    if (!isRunning()) throw new Error("The shop's process ended early.")
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Fills the shop, with its process killed while it is in a call that Klaviyo has taken. */
async function fill(shop: Shop): Promise<Pick<FrozenShop, 'calls' | 'mails' | 'facts'>> {
  const klaviyo = await serveKlaviyoStandIn({ port: 0 })
  const { faults, state } = klaviyo.standIn
  faults.add({ kind: 'poison', marker: 'poison@example.com', says: 'item' })
  const delivering = startFill('deliver', shop, klaviyo)
  await until(() => delivering.lines.some(({ idle }) => idle), delivering)
  faults.add({ kind: 'hang', calls: ['event', 'events'], isProcessed: true })
  delivering.child.stdin.write('go on\n')
  const isTaken = () => state.events.some(({ metric }) => metric === 'Shop: In a call')
  await until(isTaken, delivering)
  delivering.child.kill('SIGKILL')
  await delivering.ended
  const waiting = startFill('wait', shop, klaviyo)
  await waiting.ended
  await klaviyo.close()
  const lines = [...delivering.lines, ...waiting.lines]
  const facts = lines.flatMap((line) => line.facts ?? [])[0]
  if (!facts) throw new Error('The shop did not say what it looks like.')
  return {
    calls: lines.flatMap(({ call }) => call ?? []),
    mails: lines.flatMap(({ mail }) => mail ?? []),
    facts,
  }
}

async function sqliteRows(path: string): Promise<FrozenShop['rows']> {
  const client = createClient({ url: `file:${path}` })
  const { rows: tables } = await client.execute(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'",
  )
  const rows: FrozenShop['rows'] = {}
  for (const { name } of tables) {
    const found = await client.execute(`select * from "${String(name)}"`)
    rows[String(name)] = found.rows.map((row) =>
      Object.fromEntries(found.columns.map((column) => [column, row[column]])),
    )
  }
  client.close()
  return rows
}

async function postgresRows(connectionString: string): Promise<FrozenShop['rows']> {
  const client = new Client({ connectionString })
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  )
  const rows: FrozenShop['rows'] = {}
  for (const { name } of tables) {
    const { rows: found } = await client.query<{ row: Record<string, unknown> }>(
      `select to_json(t) as row from "${name}" t`,
    )
    rows[name] = found.map(({ row }) => row)
  }
  await client.end()
  return rows
}

const withRows = (rows: FrozenShop['rows']): FrozenShop['rows'] =>
  Object.fromEntries(Object.entries(rows).filter(([, found]) => found.length > 0))

async function freeze(edition: string): Promise<void> {
  const commit = commitOf(edition)
  const directory = mkdtempSync(join(tmpdir(), 'storeconnect-edition-'))
  const built = join(directory, 'edition')
  mkdirSync(built)
  console.log(`${edition} is built from ${commit.slice(0, 7)} ...`)
  await buildEdition(commit, built)
  const databases = await startDatabases()
  const { serverUrl } = databases.postgres
  const admin = new Client({ connectionString: `${serverUrl}/postgres` })
  await admin.connect()
  await admin.query('create database frozen')
  await admin.end()
  const urls = { sqlite: join(directory, 'shop.db'), postgres: `${serverUrl}/frozen` }
  const readRows = { sqlite: sqliteRows, postgres: postgresRows }
  for (const kind of ['sqlite', 'postgres'] as const) {
    const url = urls[kind]
    const shop = { kind, url, migrationDir: join(built, `${kind}-migrations`), directory: built }
    const migration = await migrate(shop)
    const filled = await fill(shop)
    const rows = withRows(await readRows[kind](url))
    const at = new Date().toISOString()
    writeFrozenShop({ edition, commit, at, migration, rows, ...filled }, kind)
  }
  await databases.stop()
  rmSync(directory, { recursive: true })
}

for (const edition of process.argv.slice(2)) await freeze(edition)
