import type { Config } from 'payload'

export type LogLine = Record<string, unknown> & { level: number; msg: string }

/** The CMS log of one store, kept in memory: pass `config` to `openStore`. */
export interface CapturedLog {
  config: Pick<Config, 'logger'>
  /** The lines so far. */
  lines(): LogLine[]
  /** The same as one text, to look for what must not be there. */
  text(): string
  clear(): void
}

export function captureLog(): CapturedLog {
  const written: string[] = []
  return {
    config: {
      logger: {
        options: { level: 'trace' },
        destination: { write: (line: string) => void written.push(line) },
      },
    },
    lines: () => written.map((line) => JSON.parse(line) as LogLine),
    text: () => written.join(''),
    clear: () => void written.splice(0),
  }
}
