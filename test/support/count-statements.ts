import { vi } from 'vitest'

interface Statements {
  statements: () => number
  /** Their SQL. */
  texts: () => string[]
  end: () => void
}

/** Counts what the driver is asked, below everything that is ours or Payload's. */
export function countStatements(db: unknown): Statements {
  const { client, pool } = db as {
    client?: { execute: (...given: unknown[]) => unknown }
    pool?: { query: (...given: unknown[]) => unknown }
  }
  const spy = pool ? vi.spyOn(pool, 'query') : client && vi.spyOn(client, 'execute')
  const textOf = (asked: unknown) => {
    const { sql, text } = Object(asked) as { sql?: unknown; text?: unknown }
    return String(sql ?? text ?? asked)
  }
  return {
    statements: () => spy?.mock.calls.length ?? Number.NaN,
    texts: () => (spy?.mock.calls ?? []).map(([asked]) => textOf(asked)),
    end: () => spy?.mockRestore(),
  }
}
