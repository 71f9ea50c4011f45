import type { PayloadRequest } from 'payload'

const freshForMilliseconds = 3000

/**
 * A value that a process caches for three seconds, or as long as said. A write passes its `req` and reads for itself: a shared
 * read may wait for its connection, or fail with it.
 */
export function createCachedValue<Value>(
  read: (req?: PayloadRequest) => Promise<Value>,
  now: () => Date,
  freshForMs = freshForMilliseconds,
) {
  let cached: { value: Value; since: number } | undefined
  let shared: Promise<Value> | undefined
  let forgotten = 0

  async function readAnew(req?: PayloadRequest): Promise<Value> {
    const since = now().getTime()
    const before = forgotten
    const value = await read(req)
    if (forgotten === before) cached = { value, since }
    return value
  }

  function readTogether(): Promise<Value> {
    const together = readAnew().finally(() => {
      if (shared === together) shared = undefined
    })
    shared = together
    return together
  }

  return {
    /** Rejects when the value cannot be read. Failures are not cached. */
    async get(this: void, req?: PayloadRequest): Promise<Value> {
      // The clock may have been set back since.
      const ageMs = cached && Math.abs(now().getTime() - cached.since)
      if (cached && ageMs !== undefined && ageMs < freshForMs) return cached.value
      return req === undefined ? (shared ?? readTogether()) : readAnew(req)
    },
    forget(): void {
      cached = undefined
      shared = undefined
      forgotten += 1
    },
  }
}

export type CachedValue<Value> = ReturnType<typeof createCachedValue<Value>>

/** Wraps a function so that it runs once, on the first call; every call returns that result. */
export function lazy<Value>(run: () => Value): () => Value {
  let result: { value: Value } | undefined
  return () => (result ??= { value: run() }).value
}

/** Makes a function that runs each function that it is given once, and gives its result again from then on. */
export function createOnce() {
  const results = new Map<() => unknown, unknown>()
  return <Value>(run: () => Value): Value => {
    if (!results.has(run)) results.set(run, run())
    return results.get(run) as Value
  }
}

export type Once = ReturnType<typeof createOnce>

/** Remembers up to `limit` values by key, and forgets the value that was set longest ago. */
export function createRecentlyUsed<Value>(limit: number) {
  // A Map keeps the order in which keys were set.
  const values = new Map<string, Value>()
  return {
    get: (key: string): Value | undefined => values.get(key),
    set(key: string, value: Value): void {
      values.delete(key)
      values.set(key, value)
      if (values.size <= limit) return
      const [oldest] = values.keys()
      if (oldest !== undefined) values.delete(oldest)
    },
  }
}
