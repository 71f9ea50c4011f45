/** What a command says of an error: its first cause. A failed statement quotes a person, and output is kept. */
export function problemText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : problemText(error.cause)
}
