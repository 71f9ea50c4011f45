import { withoutParameters } from './database.js'

/** Payload's log: fields, then one plain sentence. Never log a credential, a token or a key. */
export interface Log {
  debug(fields: Record<string, unknown>, sentence: string): void
  info(fields: Record<string, unknown>, sentence: string): void
  warn(fields: Record<string, unknown>, sentence: string): void
  error(fields: Record<string, unknown>, sentence: string): void
}

/** The log, without what the errors of failed statements quote. */
export function safeLog(log: Log): Log {
  const safe = (fields: Record<string, unknown>) =>
    'err' in fields ? { ...fields, err: withoutParameters(fields.err) } : fields
  return {
    debug: (fields, sentence) => log.debug(safe(fields), sentence),
    info: (fields, sentence) => log.info(safe(fields), sentence),
    warn: (fields, sentence) => log.warn(safe(fields), sentence),
    error: (fields, sentence) => log.error(safe(fields), sentence),
  }
}
