import type { Config } from 'payload'
import { snakeCase } from '../store/payload/database.js'
import { withRawIndex } from '../store/payload/raw-index.js'
import { sendsSlug } from './send-table.js'

const table = snakeCase(sendsSlug)

/** What keeps every look at the sends as cheap with a million of them as with none. */
const indexes: Readonly<Record<string, string[]>> = {
  // What waits of a kind, in the order in which it was stored.
  waiting: ['kind', 'state', 'id'],
  // What of one profile is in the way of its other sends.
  profile: ['profile', 'state', 'id'],
  // What has been listed long enough.
  sent: ['sentAt', 'state'],
}

/** Adds the indexes of the sends, and the ids by which they are ordered. */
export function withSendSchema(db: Config['db']): Config['db'] {
  return Object.entries(indexes).reduce(
    (extended, [name, on]) =>
      withRawIndex(extended, { collection: sendsSlug, name: `${table}_${name}_idx`, on }),
    withSequentialIds(db),
  )
}

interface RawColumn {
  name: string
  type: string
  primaryKey?: boolean
}

interface SchemaHookArguments {
  adapter: {
    rawTables: Record<string, { columns: Record<string, RawColumn> } | undefined>
    tableNameMap: Map<string, string>
  }
  schema: unknown
}

/** A store whose ids are UUIDs gets a sequence for this one table: random ids have no order. */
function withSequentialIds(db: Config['db']): Config['db'] {
  return {
    ...db,
    init(args) {
      const adapter = db.init(args)
      const type = adapter.name === 'sqlite' ? 'integer' : 'serial'
      const setId = ({ adapter: { rawTables, tableNameMap }, schema }: SchemaHookArguments) => {
        const columns = rawTables[tableNameMap.get(table) ?? table]?.columns
        if (columns && columns.id?.type !== type) {
          columns.id = { name: 'id', type, primaryKey: true }
        }
        return schema
      }
      const hooks = adapter as { beforeSchemaInit?: ((args: SchemaHookArguments) => unknown)[] }
      hooks.beforeSchemaInit = [...(hooks.beforeSchemaInit ?? []), setId]
      return adapter
    },
  }
}
