import { sql, type Column, type SQL, type Table } from 'drizzle-orm'
import type { DefaultDocumentIDType, Payload } from 'payload'

interface Drizzle {
  update(table: Table): {
    set(values: { createdAt: string; updatedAt: string }): {
      where(condition: SQL): PromiseLike<unknown>
    }
  }
}

interface DrizzleAdapter {
  drizzle: Drizzle
  tables: Record<string, Table & { id: Column }>
}

/** Dates a document back. Payload itself always writes the present. */
export async function writeTimes(
  payload: Payload,
  document: { collection: string; id: DefaultDocumentIDType },
  times: { createdAt: Date; updatedAt: Date },
): Promise<void> {
  const { collection, id } = document
  const { drizzle, tables } = payload.db as unknown as DrizzleAdapter
  const table = tables[collection]
  if (!table) throw new TypeError(`There is no table "${collection}"`)
  await drizzle
    .update(table)
    .set({ createdAt: times.createdAt.toISOString(), updatedAt: times.updatedAt.toISOString() })
    .where(sql`${table.id} = ${id}`)
}
