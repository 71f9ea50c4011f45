import type { Config } from 'payload'
import { snakeCase } from './database.js'

/** A table as Payload describes it, before the adapter makes it. */
interface TableDescription {
  columns: Record<string, { name: string; type: string; primaryKey?: boolean }>
  indexes?: Record<string, { name: string; on: string[] }>
}

interface AdapterDescription {
  name: string
  /** By the names of the tables. */
  rawTables: Record<string, TableDescription | undefined>
  /** The names of the tables that are not called like their collections, by the snake-case slugs. */
  tableNameMap: Map<string, string>
}

/** The adapter calls it with what it is about to make, and makes the schema that it returns. */
type SchemaHook = (args: { adapter: AdapterDescription; schema: unknown }) => unknown

/** The database with one collection's table changed, for schema push and for migrations. */
export function withChangedTable(
  db: Config['db'],
  slug: string,
  change: (table: TableDescription, isSqlite: boolean) => void,
): Config['db'] {
  const changeTable: SchemaHook = ({ adapter, schema }) => {
    const collection = snakeCase(slug)
    const table = adapter.rawTables[adapter.tableNameMap.get(collection) ?? collection]
    if (table) change(table, adapter.name === 'sqlite')
    return schema
  }
  return {
    ...db,
    init(args) {
      const adapter = db.init(args)
      const hooks = adapter as { beforeSchemaInit?: SchemaHook[] }
      // A new list, because the store may share one list among several adapters.
      hooks.beforeSchemaInit = [...(hooks.beforeSchemaInit ?? []), changeTable]
      return adapter
    },
  }
}

/** The database with one more index. It may have the field `id`, which Payload's `indexes` refuses. */
export const withIndex = (
  db: Config['db'],
  { collection, name, on }: { collection: string; name: string; on: string[] },
): Config['db'] =>
  withChangedTable(db, collection, (table) => {
    table.indexes = { ...table.indexes, [name]: { name, on } }
  })
