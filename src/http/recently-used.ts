/** Remembers values by text, and forgets what was used longest ago. */
export interface RecentlyUsed<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
}

export function createRecentlyUsed<Value>(limit: number): RecentlyUsed<Value> {
  // A Map keeps the order in which keys were set.
  const values = new Map<string, Value>()
  return {
    get: (key) => values.get(key),
    set(key, value) {
      values.delete(key)
      values.set(key, value)
      if (values.size <= limit) return
      const [oldest] = values.keys()
      if (oldest !== undefined) values.delete(oldest)
    },
  }
}
