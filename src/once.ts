/** Runs on the first call; every call gets that result. */
export function once<Value>(run: () => Value): () => Value {
  let result: { value: Value } | undefined
  return () => (result ??= { value: run() }).value
}
