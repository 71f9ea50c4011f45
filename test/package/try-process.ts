import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A command that ends with it did nothing: on Node 20 the store's config did not finish loading. */
export const idleExitCode = 75

/** `storeconnect try`, while it plays both platforms. */
export interface TryProcess {
  /** What it has printed so far. */
  printed: () => string
  /** Where it shows what Klaviyo would get. */
  pageUrl: string
  /** Ends it as Ctrl-C does. Resolves to its exit code. */
  end(): Promise<number | null>
}

/** Starts the command of the package that is installed in the folder. Resolves when it shows its page. */
export async function startTry(
  command: readonly string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<TryProcess> {
  const child = spawn(process.execPath, command, { cwd, env: { ...process.env, ...env } })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  let text = ''
  const shown = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (data: string) => {
        text += data
        const [, url] = /Klaviyo's page: (\S+)/.exec(text) ?? []
        if (url !== undefined) resolve(url)
      })
    }
  })
  const first = await Promise.race([shown, ended])
  if (first === idleExitCode) return startTry(command, { cwd, env })
  if (typeof first !== 'string') throw new Error(`It ended with ${first}:\n${text}`)
  return {
    printed: () => text,
    pageUrl: first,
    async end() {
      child.kill('SIGINT')
      return ended
    },
  }
}
