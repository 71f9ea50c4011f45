import { createInterface } from 'node:readline/promises'
import { setTimeout } from 'node:timers/promises'
import { exitCodes } from './sync-orders-arguments.js'
import type { Terminal } from './sync-orders.js'

const waitMs = 1_000

/**
 * The terminal that this process was started from. After Ctrl-C, the command ends as soon as nothing
 * is half done. A second Ctrl-C ends the process at once.
 */
export function processTerminal(): Terminal {
  const { stdin, stdout } = process
  const leaving = new AbortController()
  let hasOpenLine = false

  const leave = (): void => {
    if (leaving.signal.aborted) process.exit(exitCodes.left)
    leaving.abort()
  }
  process.on('SIGINT', leave)

  const endLine = (): void => {
    if (hasOpenLine) stdout.write('\n')
    hasOpenLine = false
  }

  return {
    isInteractive: stdin.isTTY && stdout.isTTY,
    say(line) {
      endLine()
      stdout.write(`${line}\n`)
    },
    show(line) {
      // `\u001B[K` clears the rest of a longer line that stood there before.
      stdout.write(stdout.isTTY ? `\r${line}\u001B[K` : `${line}\n`)
      hasOpenLine = stdout.isTTY
    },
    async ask(question) {
      const lines = createInterface({ input: stdin, output: stdout })
      // While readline asks, it receives Ctrl-C instead of the process.
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
      try {
        await setTimeout(waitMs, undefined, { signal: leaving.signal })
      } catch (error) {
        if (!leaving.signal.aborted) throw error
      }
    },
  }
}
