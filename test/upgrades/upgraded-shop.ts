import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { mendedAddition } from '../../src/installer/mended-addition.js'
import { createClient, type InValue } from '@libsql/client'
import { getPayload, handleEndpoints, type BasePayload } from 'payload'
import { Client } from 'pg'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import { handlerOf } from '../../src/core/installation.js'
import { wholePartsOf } from '../support/parts.js'
import type { StoreConnectOptions } from '../../src/plugin/options.js'
import { storeConnect } from '../../src/plugin.js'
import { virtualDates } from '../simulation/virtual-date.js'
import { closeInstance } from '../support/close-instance.js'
import { migrationsIn } from '../support/migrations-in.js'
import { emptyDatabase, type OwnDatabase } from '../support/own-database.js'
import type { DatabaseKind } from '../support/store-config.js'
import { readFrozenShop, type FrozenShop, type ShopFacts } from './frozen-shop.js'
import { shopConfig } from './shop/shop-config.js'
import type { Handle } from './shop/visitor.js'

const project = join(import.meta.dirname, '../..')
const modules = join(project, 'node_modules')

/** How long the shop stood still for the upgrade. */
const pauseMs = 3_600_000

export interface UpgradedShop {
  frozen: FrozenShop
  payload: BasePayload
  handle: Handle
  api(request: Request): Promise<Response>
  klaviyo: ServedStandIn
  /** What Payload found before anything else happened. */
  found: Pick<ShopFacts, 'documents' | 'settings'>
  /** The subjects of what the shop has mailed since. */
  mails: string[]
  /** What Payload asked while it made the migration. */
  questions: string[]
  /** Lets time go by for the shop and for Klaviyo. */
  pass(ms: number): void
  /** Delivers everything that waits, as Payload's task does. Resolves to how much still waits. */
  deliver(): Promise<number>
  close(): Promise<void>
}

/**
 * A shop as an old edition left it, on its own database, with this edition and the migration that Payload
 * makes for it. Its time goes on an hour after it was frozen.
 */
export async function upgradeShop(edition: string, kind: DatabaseKind): Promise<UpgradedShop> {
  const frozen = withSendInImport(readFrozenShop(edition, kind))
  const database = await emptyDatabase(kind)
  const directory = mkdtempSync(join(tmpdir(), 'storeconnect-upgrade-'))
  const migrationDir = join(directory, 'src/migrations')
  mkdirSync(migrationDir, { recursive: true })
  // Migrations import the database adapter.
  symlinkSync(modules, join(directory, 'node_modules'))
  const { name, code, snapshot } = frozen.migration
  writeFileSync(join(migrationDir, `${name}.ts`), code)
  writeFileSync(join(migrationDir, `${name}.json`), snapshot)

  const mails: string[] = []
  const key = randomUUID()
  const open = (options: StoreConnectOptions, { isForMigration = false } = {}) =>
    getPayload({
      config: shopConfig({
        kind,
        url: database.url,
        migrationDir,
        plugin: storeConnect(options),
        mail: ({ subject }) => void mails.push(subject),
      }),
      key: isForMigration ? randomUUID() : key,
      disableOnInit: isForMigration,
    })

  const migrate = async () => {
    const before = await open({}, { isForMigration: true })
    await before.db.migrate({ migrations: await migrationsIn(migrationDir) })
    await closeInstance(before)
  }
  await migrate()
  await (kind === 'sqlite' ? fillSqlite : fillPostgres)(database, frozen.rows)
  const questions = await createMigration({ directory, kind, url: database.url, migrationDir })
  if (kind === 'sqlite') mendMigration(migrationDir)
  await migrate()

  let ahead = new Date(frozen.at).getTime() + pauseMs - performance.now()
  const endVirtualDates = virtualDates(() => performance.now() + ahead)
  const klaviyo = await serveKlaviyoStandIn({ port: 0, limits: 'none', now: () => Date.now() })
  for (const { method, path, headers, body } of frozen.calls) {
    // What Klaviyo had refused, it does not know.
    if (method === 'GET' || body.includes('poison@example.com')) continue
    await fetch(`${klaviyo.origin}${path}`, { method, headers, body })
  }
  klaviyo.standIn.settle()
  const payload = await open({ marketing: { apiUrl: klaviyo.origin, delivery: 'task' } })
  return {
    frozen,
    payload,
    handle: handlerOf(payload),
    api: (request) =>
      handleEndpoints({ config: payload.config, payloadInstanceCacheKey: key, request }),
    found: await readShop(payload),
    pass: (ms) => void (ahead += ms),
    async deliver() {
      const { delivery } = await wholePartsOf(payload)
      await delivery.runUntilIdle({ deadline: new Date(Date.now() + 30_000) })
      klaviyo.standIn.settle()
      const where = { state: { in: ['queued', 'sending'] } }
      return (await payload.count({ collection: 'marketing-sends', where })).totalDocs
    },
    klaviyo,
    mails,
    questions,
    async close() {
      await closeInstance(payload)
      endVirtualDates()
      await klaviyo.close()
      await database.remove()
      rmSync(directory, { recursive: true })
    },
  }
}

/** As the installer does. */
function mendMigration(migrationDir: string): void {
  const names = readdirSync(migrationDir)
  const [upgrade = ''] = names.filter((name) => name.endsWith('_upgrade.ts'))
  const [before = ''] = names.filter(
    (name) => name.endsWith('.json') && !name.endsWith('_upgrade.json'),
  )
  const read = (name: string) => readFileSync(join(migrationDir, name), 'utf8')
  const schema: unknown = JSON.parse(read(before))
  writeFileSync(join(migrationDir, upgrade), mendedAddition(read(upgrade), schema))
}

/** Earlier editions sent profiles in bulk imports of Klaviyo. One was still open when the shop stood still. */
function withSendInImport(frozen: FrozenShop): FrozenShop {
  const { rows, facts } = frozen
  for (const send of [
    ...(rows.marketing_sends ?? []),
    ...(facts.documents['marketing-sends'] ?? []),
  ]) {
    const isOne = send.kind === 'identify' && String(send.profile).endsWith('waiting@example.com')
    if (isOne) Object.assign(send, { state: 'sending', job: 'JOB1' })
  }
  return frozen
}

async function readShop(payload: BasePayload): Promise<UpgradedShop['found']> {
  const found: UpgradedShop['found'] = { documents: {}, settings: {} }
  for (const { slug: collection } of payload.config.collections) {
    const { docs } = await payload.find({ collection, depth: 0, pagination: false, sort: 'id' })
    found.documents[collection] = docs
  }
  for (const { slug } of payload.config.globals) {
    found.settings[slug] = await payload.findGlobal({ slug, depth: 0 })
  }
  return found
}

interface CommandLine {
  directory: string
  kind: DatabaseKind
  url: string
  migrationDir: string
}

/** What docs/upgrading.md tells to answer with a rename, as Payload offers it. */
export const documentedRenames = (): string[] =>
  [
    ...readFileSync(join(project, 'docs/upgrading.md'), 'utf8').matchAll(
      /^ *\| `(\w+)` +\| `(\w+)` +\|$/gm,
    ),
  ].flatMap(([, old = '', now = '']) => [`${old} › ${now}`, `${now} › ${old}`])

/** The last one of a text, with its choices. */
const question = /Is ([^?]+) created or renamed from another \w+\?\n([^?]*)$/

/** Runs Payload's command line, and answers what it asks as docs/upgrading.md says. Resolves to the questions. */
async function createMigration(commandLine: CommandLine): Promise<string[]> {
  const { directory, kind, url, migrationDir } = commandLine
  const command = [join(modules, 'payload/bin.js'), 'migrate:create', 'upgrade']
  const child = spawn(process.execPath, command, {
    cwd: directory,
    timeout: 120_000,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PAYLOAD_CONFIG_PATH: join(import.meta.dirname, 'shop/cli-config.ts'),
      SHOP_KIND: kind,
      SHOP_URL: url,
      SHOP_MIGRATIONS: migrationDir,
      STORECONNECT: join(project, 'src/plugin.ts'),
    },
  })
  const renames = documentedRenames()
  const questions: string[] = []
  let all = ''
  let unanswered = ''
  const read = (chunk: Buffer) => {
    all += chunk.toString()
    unanswered += chunk.toString()
    const asked = question.exec(stripVTControlCharacters(unanswered))
    if (!asked) return
    const [, subject = '', options = ''] = asked
    unanswered = ''
    // It is printed again for each key.
    if (questions.at(-1) === subject) return
    questions.push(subject)
    const choices = options.split('\n').filter((line) => /[+~] /.test(line))
    const chosen = choices.findIndex((line) => renames.some((rename) => line.includes(rename)))
    child.stdin.write(`${'\u001b[B'.repeat(Math.max(0, chosen))}\r`)
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`payload migrate:create ended with ${String(code)}:\n${all}`)
  return questions
}

type Fill = (database: OwnDatabase, rows: FrozenShop['rows']) => Promise<void>

const fillSqlite: Fill = async ({ url }, rows) => {
  const client = createClient({ url: `file:${url}` })
  await client.execute('pragma foreign_keys = off')
  await client.executeMultiple('delete from payload_migrations')
  for (const [table, tableRows] of Object.entries(rows)) {
    for (const row of tableRows) {
      const columns = Object.keys(row).map((column) => `"${column}"`)
      const places = columns.map(() => '?')
      await client.execute({
        sql: `insert into "${table}" (${columns.join()}) values (${places.join()})`,
        args: Object.values(row) as InValue[],
      })
    }
  }
  client.close()
}

const fillPostgres: Fill = async ({ url }, rows) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query("set session_replication_role = 'replica'")
  await client.query('delete from payload_migrations')
  for (const [table, tableRows] of Object.entries(rows)) {
    await client.query(
      `insert into "${table}" select * from json_populate_recordset(null::"${table}", $1)`,
      [JSON.stringify(tableRows)],
    )
    const { rows: found } = await client.query<{ name: string | null }>(
      "select pg_get_serial_sequence($1, 'id') as name",
      [`"${table}"`],
    )
    if (!found[0]?.name) continue
    await client.query(`select setval($1, (select max(id) from "${table}"))`, [found[0].name])
  }
  await client.end()
}
