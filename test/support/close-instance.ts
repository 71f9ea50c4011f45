import type { BasePayload } from 'payload'
import { builtPartsIn } from '../../src/core/installation.js'

interface Connections {
  pool?: { on(event: 'error', listener: () => void): void }
  client?: { close(): void }
}

/** Closes a Payload instance that a test got by itself; Payload leaves the connections open. */
export async function closeInstance(payload: BasePayload): Promise<void> {
  await builtPartsIn(payload)?.delivery.stop()
  const { pool, client } = payload.db as unknown as Connections
  // Dropping the database ends the adapter's own session, which it reports as an error.
  pool?.on('error', () => undefined)
  await payload.destroy()
  client?.close()
}
