import { createInterface } from 'node:readline/promises'
import { exitCodes } from './exit-codes.js'
import type { Terminal } from './sync-orders.js'

const lookEveryMs = 1_000

/**
 * The terminal that this process was started from. Ctrl-C is a wish to leave, which is granted where
 * that leaves nothing half done; a second one ends the process.
 */
export function processTerminal(): Terminal {
  const { stdin, stdout } = process
  const isInteractive = stdin.isTTY && stdout.isTTY
  const leaving = new AbortController()
  let hasOpenLine = false
  let endWait: () => void = () => undefined

  const leave = (): void => {
    if (leaving.signal.aborted) process.exit(exitCodes.left)
    leaving.abort()
    endWait()
  }
  process.on('SIGINT', leave)

  const endLine = (): void => {
    if (hasOpenLine) stdout.write('\n')
    hasOpenLine = false
  }

  return {
    isInteractive,
    say(line) {
      endLine()
      stdout.write(`${line}\n`)
    },
    show(line) {
      // Clears what a longer line before has left.
      stdout.write(stdout.isTTY ? `\r${line}\u001B[K` : `${line}\n`)
      hasOpenLine = stdout.isTTY
    },
    async ask(question) {
      const lines = createInterface({ input: stdin, output: stdout })
      // While it asks, Ctrl-C comes here and not to the process.
      lines.once('SIGINT', leave)
      hasOpenLine = true
      try {
        const answer = await lines.question(question, { signal: leaving.signal })
        hasOpenLine = false
        return answer
      } catch (error) {
        if (!leaving.signal.aborted) throw error
        return undefined
      } finally {
        lines.close()
      }
    },
    isLeaving: () => leaving.signal.aborted,
    async wait() {
      if (leaving.signal.aborted) return
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        endWait = resolve
        timer = setTimeout(resolve, lookEveryMs)
      })
      clearTimeout(timer)
    },
  }
}
