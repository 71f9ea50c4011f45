import { withoutParameters } from './database.js'
import type { Log } from './log.js'

/** The log, without what the errors of failed statements quote. */
export function safeLog(log: Log): Log {
  const safe = (fields: Record<string, unknown>) =>
    'err' in fields ? { ...fields, err: withoutParameters(fields.err) } : fields
  return {
    info: (fields, sentence) => log.info(safe(fields), sentence),
    warn: (fields, sentence) => log.warn(safe(fields), sentence),
    error: (fields, sentence) => log.error(safe(fields), sentence),
  }
}
