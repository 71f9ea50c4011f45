import { createInterface } from 'node:readline/promises'
import type { Terminal } from './sync-orders.js'

const lookEveryMs = 1_000

/** The terminal that this process was started from. Ctrl-C is a wish to leave, and no end. */
export function processTerminal(): Terminal {
  const { stdin, stdout } = process
  const isInteractive = stdin.isTTY && stdout.isTTY
  let hasOpenLine = false
  let isLeaving = false
  let wake: () => void = () => undefined
  process.on('SIGINT', () => {
    isLeaving = true
    wake()
  })

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
      const left = new AbortController()
      // While it asks, Ctrl-C comes here and not to the process.
      lines.once('SIGINT', () => left.abort())
      try {
        return await lines.question(question, { signal: left.signal })
      } catch (error) {
        if (!left.signal.aborted) throw error
        return ''
      } finally {
        lines.close()
      }
    },
    async leaves() {
      if (!isLeaving) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, lookEveryMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      return isLeaving
    },
  }
}
