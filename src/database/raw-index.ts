import type { Config } from 'payload'
import { snakeCase } from './database.js'

/** A table as Payload describes it before the adapter makes the schema. */
interface RawTable {
  columns: Record<string, { name: string; type: string; primaryKey?: boolean }>
  indexes?: Record<string, { name: string; on: string[] }>
}

interface SchemaHookArguments {
  adapter: {
    name: string
    rawTables: Record<string, RawTable | undefined>
    tableNameMap: Map<string, string>
  }
  schema: unknown
}

interface AdapterWithSchemaHooks {
  beforeSchemaInit?: ((args: SchemaHookArguments) => unknown)[]
}

/** Changes a collection's table for schema push and migrations, on both databases. */
export function withRawTable(
  db: Config['db'],
  slug: string,
  change: (table: RawTable, isSqlite: boolean) => void,
): Config['db'] {
  const changeTable = ({ adapter, schema }: SchemaHookArguments) => {
    const collection = snakeCase(slug)
    const table = adapter.rawTables[adapter.tableNameMap.get(collection) ?? collection]
    if (table) change(table, adapter.name === 'sqlite')
    return schema
  }
  return {
    ...db,
    init(args) {
      const adapter = db.init(args)
      const hooks = adapter as AdapterWithSchemaHooks
      // Make a new list: the store may share one list among several adapters.
      hooks.beforeSchemaInit = [...(hooks.beforeSchemaInit ?? []), changeTable]
      return adapter
    },
  }
}

/** Adds an index with the field `id`, which Payload's `indexes` does not accept. */
export const withRawIndex = (
  db: Config['db'],
  { collection, name, on }: { collection: string; name: string; on: string[] },
): Config['db'] =>
  withRawTable(db, collection, (table) => {
    table.indexes = { ...table.indexes, [name]: { name, on } }
  })
