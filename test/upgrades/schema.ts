import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getPayload, type Plugin } from 'payload'
import { storeConnect } from '../../src/plugin.js'
import type { DatabaseKind } from '../support/store-config.js'
import { shopConfig } from './shop/shop-config.js'

export const schemaFile = join(import.meta.dirname, 'schema.txt')

const changelogFile = join(import.meta.dirname, '../../CHANGELOG.md')

/** A schema as Payload keeps it beside each migration, as far as it is read here. */
export interface SchemaSnapshot {
  tables: Record<string, Table>
  /** Of PostgreSQL. */
  enums?: Record<string, { name: string; values: string[] }>
}

interface Table {
  name: string
  columns: Record<string, Column>
  indexes: Record<string, { name: string; columns: unknown[]; isUnique: boolean }>
  foreignKeys: Record<string, { columnsFrom: string[]; tableTo: string; onDelete?: string }>
}

interface Column {
  name: string
  type: string
  notNull: boolean
  default?: unknown
}

/** A line for each column, index, reference and list of values. */
export const linesOf = ({ tables, enums = {} }: SchemaSnapshot): string[] =>
  [
    ...Object.values(tables).flatMap((table) => [
      ...Object.values(table.columns).map((of) => `${table.name}.${of.name} ${typeOf(of)}`),
      ...Object.values(table.indexes).map(
        ({ name, columns, isUnique }) =>
          `${table.name} ${isUnique ? 'unique index' : 'index'} ${name} (${columns.map(nameOf).join(', ')})`,
      ),
      ...Object.values(table.foreignKeys).map(
        ({ columnsFrom, tableTo, onDelete = 'no action' }) =>
          `${table.name}.${columnsFrom.join(', ')} references ${tableTo} on delete ${onDelete}`,
      ),
    ]),
    ...Object.values(enums).map(({ name, values }) => `${name} is ${values.join(', ')}`),
  ].sort()

function typeOf({ type, notNull, default: preset }: Column): string {
  const parts = [type, notNull && 'not null', preset !== undefined && `default ${String(preset)}`]
  return parts.filter(Boolean).join(' ')
}

/** PostgreSQL has a description of each column of an index. */
const nameOf = (column: unknown): string =>
  typeof column === 'string' ? column : (column as { expression: string }).expression

async function snapshotOf(kind: DatabaseKind, plugin: Plugin): Promise<SchemaSnapshot> {
  const { db } = await getPayload({
    config: shopConfig({
      kind,
      url: 'postgres://nowhere',
      migrationDir: '',
      plugin,
      isVerifying: true,
    }),
    key: randomUUID(),
    disableDBConnect: true,
    disableOnInit: true,
  })
  const adapter = db as unknown as {
    schema: object
    requireDrizzleKit(): { generateDrizzleJson(schema: object): Promise<SchemaSnapshot> }
  }
  return adapter.requireDrizzleKit().generateDrizzleJson(adapter.schema)
}

/** What a shop with Storeconnect has, and which of it is Storeconnect's. */
export async function readSchema(kind: DatabaseKind) {
  const all = linesOf(await snapshotOf(kind, storeConnect()))
  const bare = new Set(linesOf(await snapshotOf(kind, (config) => config)))
  return { all, own: all.filter((line) => !bare.has(line)) }
}

/** The text of the file. */
export async function schemaText(): Promise<string> {
  const [sqlite, postgres] = [await readSchema('sqlite'), await readSchema('postgres')]
  const ofPostgres = new Set(postgres.own)
  const common = new Set(sqlite.own.filter((line) => ofPostgres.delete(line)))
  const lines = sqlite.own.map((line) => {
    const [name = ''] = line.split(' ', 1)
    const other = [...ofPostgres].find((each) => each.startsWith(`${name} `))
    if (common.has(line) || other === undefined) return line
    ofPostgres.delete(other)
    return `${line} | ${other.slice(name.length + 1)}`
  })
  return `What Storeconnect adds to the database of a shop. \`npm run schema\` writes this file. Where the databases
differ, SQLite comes before the bar and PostgreSQL behind it.

${lines.join('\n')}

PostgreSQL alone

${[...ofPostgres].join('\n')}
`
}

/** The notes about migrations in the first section of the changelog, that of this edition. */
export function migrationNotes(): string[] {
  const [, section = ''] = readFileSync(changelogFile, 'utf8').split(/^## /m)
  return section.split(/^- /m).flatMap((note) => /\bMigrate\b[^]*/.exec(note)?.[0] ?? [])
}
