import type { Config } from 'payload'

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
  return {
    ...db,
    init(args) {
      const adapter = db.init(args)
      const { beforeSchemaInit } = adapter as AdapterWithSchemaHooks
      beforeSchemaInit?.push(({ adapter: { rawTables, tableNameMap }, schema }) => {
        const table = rawTables[tableNameMap.get(index.collection) ?? index.collection]
        if (table) {
          table.indexes = { ...table.indexes, [index.name]: { name: index.name, on: index.on } }
        }
        return schema
      })
      return adapter
    },
  }
}
