/** Payload's log: fields, then one plain sentence. Never log a credential, a token or a key. */
export interface Log {
  info(fields: Record<string, unknown>, sentence: string): void
  warn(fields: Record<string, unknown>, sentence: string): void
  error(fields: Record<string, unknown>, sentence: string): void
}
