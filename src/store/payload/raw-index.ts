import type { Config } from 'payload'
import { snakeCase } from './database.js'

interface RawTable {
  indexes?: Record<string, { name: string; on: string[] }>
}

interface SchemaHookArguments {
  adapter: { rawTables: Record<string, RawTable>; tableNameMap: Map<string, string> }
  schema: unknown
}

interface AdapterWithSchemaHooks {
  beforeSchemaInit?: ((args: SchemaHookArguments) => unknown)[]
}

/**
 * Adds an index that Payload's `indexes` cannot express: it refuses `id`. It goes into the schema
 * before the adapter makes it, so push and migrations know it on both databases.
 */
export function withRawIndex(
  db: Config['db'],
  index: { collection: string; name: string; on: string[] },
): Config['db'] {
  const addIndex = ({ adapter: { rawTables, tableNameMap }, schema }: SchemaHookArguments) => {
    const collection = snakeCase(index.collection)
    const table = rawTables[tableNameMap.get(collection) ?? collection]
    if (table) {
      table.indexes = { ...table.indexes, [index.name]: { name: index.name, on: index.on } }
    }
    return schema
  }
  return {
    ...db,
    init(args) {
      const adapter = db.init(args)
      const hooks = adapter as AdapterWithSchemaHooks
      // A list of its own: the store may have given one list to several adapters.
      hooks.beforeSchemaInit = [...(hooks.beforeSchemaInit ?? []), addIndex]
      return adapter
    },
  }
}
