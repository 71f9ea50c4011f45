import type { BasePayload } from 'payload'

type Method = (this: unknown, ...args: unknown[]) => Promise<unknown>

interface Adapter {
  client?: Record<string, Method>
  pool?: Record<string, Method>
}

/**
 * Has `before` called with each statement of an instance ahead of it, on both databases. A statement for
 * which it throws does not run; one for which it waits runs later. Returns what ends this.
 */
export function beforeStatements(
  { db }: BasePayload,
  before: (statement: unknown, values?: unknown) => void | Promise<void>,
): () => void {
  const { client, pool } = db as unknown as Adapter
  const connection = client ?? pool ?? {}
  const names = client ? ['execute', 'batch', 'transaction'] : ['query']
  const originals = names.map((name) => [name, connection[name]] as const)
  for (const [name, run] of originals) {
    connection[name] = async function (...args) {
      await before(args[0], args[1])
      return run?.apply(this, args)
    }
  }
  return () => Object.assign(connection, Object.fromEntries(originals))
}
