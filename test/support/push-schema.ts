import { randomUUID } from 'node:crypto'
import { getPayload, type SanitizedConfig } from 'payload'
import { closeInstance } from './close-instance.js'

/** What Payload's adapters have of Drizzle's tools. */
interface SchemaTools {
  drizzle: unknown
  schema: Record<string, unknown>
  execute(statement: { drizzle: unknown; raw: string }): Promise<unknown>
  requireDrizzleKit(): {
    generateDrizzleJson: (schema: Record<string, unknown>) => unknown
    generateMigration: (before: unknown, after: unknown) => Promise<string[]>
  }
}

/**
 * Makes the schema of a store in its database, which is empty or has that of an earlier config. Payload itself does
 * that only once a process.
 */
export async function pushSchema(
  config: SanitizedConfig,
  earlier?: SanitizedConfig,
): Promise<void> {
  const known =
    earlier && (await getPayload({ config: earlier, key: randomUUID(), disableOnInit: true }))
  const payload = await getPayload({ config, key: randomUUID(), disableOnInit: true })
  const database = payload.db as unknown as SchemaTools
  const { generateDrizzleJson, generateMigration } = database.requireDrizzleKit()
  const [before, after] = [
    await generateDrizzleJson(known ? (known.db as unknown as SchemaTools).schema : {}),
    await generateDrizzleJson(database.schema),
  ]
  for (const raw of await generateMigration(before, after)) {
    await database.execute({ drizzle: database.drizzle, raw })
  }
  if (known) await closeInstance(known)
  await closeInstance(payload)
}
