import { createInterface } from 'node:readline/promises'
import { setTimeout } from 'node:timers/promises'
import { exitCodes } from './arguments.js'

export interface Terminal {
  /** Whether a person can answer. */
  isInteractive: boolean
  say(line: string): void
  /** Replaces the line that it showed last. Where a terminal cannot, it writes a new line. */
  show(line: string): void
  /** Resolves to the person's answer; to undefined when they press Ctrl-C. */
  ask(question: string): Promise<string | undefined>
  /** Whether the person has pressed Ctrl-C. */
  isLeaving(): boolean
  /** Resolves after a second, or at once when the person presses Ctrl-C. */
  wait(): Promise<void>
}

export type AskingTerminal = Pick<Terminal, 'isInteractive' | 'say' | 'ask' | 'isLeaving'>

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

/** Asks a person. Resolves to an exit code; to undefined when they agree. */
export async function refusal(
  terminal: AskingTerminal,
  { question, toDo }: { question: string; toDo: string },
): Promise<number | undefined> {
  if (!terminal.isInteractive) {
    terminal.say(`Nobody can be asked here. Pass --yes to ${toDo}.`)
    return exitCodes.usage
  }
  const answer = await terminal.ask(`${question} [y/N] `)
  if (terminal.isLeaving()) return exitCodes.left
  return /^y(?:es)?$/i.test(answer?.trim() ?? '') ? undefined : exitCodes.declined
}
