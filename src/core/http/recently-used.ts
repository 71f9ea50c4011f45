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
