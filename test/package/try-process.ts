import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** `storeconnect try`, while it plays both platforms. */
export interface TryProcess {
  /** What it has printed so far. */
  printed: () => string
  /** Where it shows what Klaviyo would get. */
  pageUrl(): string | undefined
  /** Ends it as Ctrl-C does. Resolves to its exit code. */
  end(): Promise<number | null>
}

/** Starts the command of the package that is installed in the folder. */
export function startTry(
  command: readonly string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): TryProcess {
  const child = spawn(process.execPath, command, { cwd, env: { ...process.env, ...env } })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (data: string) => (text += data))
  }
  return {
    printed: () => text,
    pageUrl: () => /Klaviyo's page: (\S+)/.exec(text)?.[1],
    async end() {
      child.kill('SIGINT')
      return ended
    },
  }
}
