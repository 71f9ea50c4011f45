import type { Config } from 'payload'
import { snakeCase } from './database.js'

interface Reference {
  table: string
}

interface TableDescription {
  columns: Record<string, { reference?: Reference }>
  foreignKeys?: Record<string, { foreignColumns: Reference[] }>
}

type SchemaHook = (args: { adapter: SqliteAdapter; schema: unknown }) => unknown

interface SqliteAdapter {
  name: string
  push?: boolean
  /** By the names of the tables. */
  rawTables: Record<string, TableDescription>
  /** The names of the tables that are not called like their collections, by the snake-case slugs. */
  tableNameMap: Map<string, string>
  beforeSchemaInit?: SchemaHook[]
  requireDrizzleKit(): { pushSchema: PushSchema }
}

type PushSchema = (...given: unknown[]) => Promise<{ statementsToExecute: string[] }>

/**
 * Lets a shop whose SQLite schema Payload pushes take Storeconnect in, and out again. Its tables refer to those of
 * these collections without foreign keys, because of two mistakes in Drizzle's push
 * (`docs/decisions/0011-databases.md` (A pushed schema)): it loses the `ON DELETE` of a column that it adds, and it makes each
 * index of a table that it makes anew twice, which fails. The second is mended while Storeconnect is there.
 */
export const withPushedSchema = (db: Config['db'], slugs: readonly string[]): Config['db'] => ({
  ...db,
  init(args) {
    const adapter = db.init(args)
    if (adapter.name !== 'sqlite') return adapter
    const sqlite = adapter as unknown as SqliteAdapter
    // A new list, because the store may share one among several adapters.
    sqlite.beforeSchemaInit = [...(sqlite.beforeSchemaInit ?? []), withoutForeignKeysTo(slugs)]
    const requireDrizzleKit = sqlite.requireDrizzleKit.bind(sqlite)
    sqlite.requireDrizzleKit = () => {
      const tools = requireDrizzleKit()
      return { ...tools, pushSchema: withEachIndexOnce(tools.pushSchema) }
    }
    return adapter
  },
})

const withoutForeignKeysTo =
  (slugs: readonly string[]): SchemaHook =>
  ({ adapter, schema }) => {
    if (!isPushed(adapter)) return schema
    const own = slugs.map((slug) => adapter.tableNameMap.get(snakeCase(slug)) ?? snakeCase(slug))
    for (const { columns, foreignKeys = {} } of Object.values(adapter.rawTables)) {
      for (const column of Object.values(columns)) {
        if (column.reference && own.includes(column.reference.table)) delete column.reference
      }
      for (const [name, { foreignColumns }] of Object.entries(foreignKeys)) {
        if (foreignColumns.some(({ table }) => own.includes(table))) delete foreignKeys[name]
      }
    }
    return schema
  }

/** Whether connecting will push the schema, as Payload's adapter decides it. */
const isPushed = ({ push }: SqliteAdapter): boolean =>
  push !== false &&
  process.env.NODE_ENV !== 'production' &&
  process.env.PAYLOAD_MIGRATING !== 'true'

const withEachIndexOnce =
  (push: PushSchema): PushSchema =>
  async (...given) => {
    const pushed = await push(...given)
    const { statementsToExecute: statements } = pushed
    const once = statements.filter(
      (statement, at) => !statement.startsWith('CREATE') || statements.indexOf(statement) === at,
    )
    // What `apply` runs is this very list.
    statements.splice(0, statements.length, ...once)
    return pushed
  }
