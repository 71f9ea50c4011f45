import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { demoApiKey } from '../../../../dev/klaviyo/stand-in.ts'
import { processScript } from '../../../support/process-script.js'
import type { DatabaseKind } from '../../../support/store-config.js'

export type Role = 'web' | 'worker' | 'shop'

/** A store in a process of its own (`deliver-process.ts`). */
export interface StoreProcess {
  /** What it has said so far. */
  readonly said: readonly string[]
  /** Resolves when it has ended. */
  readonly ended: Promise<void>
  /** Resolves when it has said so many lines, or has ended. */
  lines(count: number): Promise<void>
  /** Gives it something to do. Resolves to what it answers. */
  become(role: Role): Promise<string>
  /** Tells it something. Resolves to what it says of it, which begins with the same word. */
  tell(text: string): Promise<string>
  /** Stops it where it is, as a debugger or a sleeping machine does. */
  pause(): void
  /** Lets it go on. Resolves when it had the time to finish what it was at. */
  resume(): Promise<void>
  /** Ends it as the system does when memory is short. Resolves when it is gone. */
  kill(): Promise<void>
}

/** Answers in a row after a pause. Each takes the process one turn of its event loop. */
const turnsAfterPause = 20

export interface ProcessSetup {
  script: 'deliver-process' | 'send-history-process'
  kind: DatabaseKind
  url: string
  /** Where the platform is. */
  apiUrl: string
}

export async function startStoreProcess(setup: ProcessSetup): Promise<StoreProcess> {
  const { script, kind, url, apiUrl } = setup
  const words = [processScript(script), kind, url, apiUrl, demoApiKey]
  const child = spawn(process.execPath, words, {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const said: string[] = []
  let turns = 0
  const waiting = new Set<{ count: number; resolve: () => void }>()
  const heard = (): void => {
    for (const waiter of waiting) if (said.length >= waiter.count || hasEnded) waiter.resolve()
  }
  let hasEnded = false
  const ended = once(child, 'close').then(() => {
    hasEnded = true
    heard()
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    said.push(line)
    heard()
  })

  const lines = async (count: number): Promise<void> => {
    if (said.length >= count || hasEnded) return
    await new Promise<void>((resolve) => {
      const waiter = {
        count,
        resolve: () => {
          waiting.delete(waiter)
          resolve()
        },
      }
      waiting.add(waiter)
    })
  }
  const line = async (number: number): Promise<string> => {
    await lines(number)
    const text = said[number - 1]
    if (text === undefined) throw new Error('A process of the store ended by itself.')
    return text
  }
  await line(1)

  return {
    said,
    ended,
    lines,
    async become(role) {
      child.stdin.write(`${role}\n`)
      return line(2)
    },
    async tell(text) {
      const [word = ''] = text.split(' ')
      let number = said.length + 1
      child.stdin.write(`${text}\n`)
      while (!(await line(number)).startsWith(word)) number += 1
      return line(number)
    },
    pause: () => void child.kill('SIGSTOP'),
    async resume() {
      child.kill('SIGCONT')
      for (let turn = 0; turn < turnsAfterPause && !hasEnded; turn++) {
        const word = `turn ${(turns += 1)}`
        child.stdin.write(`${word}\n`)
        while (!hasEnded && !said.includes(word)) await lines(said.length + 1)
      }
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Processes that have started ahead: starting one takes longer than what it is needed for. */
export interface SpareProcesses {
  next(): Promise<StoreProcess>
  stop(): Promise<void>
}

export function spareProcesses(
  setup: ProcessSetup,
  { count, ahead }: { count: number; ahead: number },
): SpareProcesses {
  const waiting: Promise<StoreProcess>[] = []
  let toStart = count
  const startSome = (): void => {
    for (; toStart > 0 && waiting.length < ahead; toStart--) waiting.push(startStoreProcess(setup))
  }
  startSome()
  return {
    async next() {
      const spare = await waiting.shift()
      if (spare === undefined) throw new Error('All processes have been used.')
      startSome()
      return spare
    },
    async stop() {
      toStart = 0
      for (const spare of waiting) await (await spare).kill()
    },
  }
}
