/** The CMS log. Fields first, then one plain sentence. Never a credential, a token or a key. */
export interface Log {
  info(fields: Record<string, unknown>, sentence: string): void
  warn(fields: Record<string, unknown>, sentence: string): void
  error(fields: Record<string, unknown>, sentence: string): void
}
