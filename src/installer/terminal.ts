import { cancel, confirm, isCancel, select, spinner } from '@clack/prompts'
import type { Dialog } from './dialog.js'
import { runInstaller, type InstallerCommand } from './installer.js'

/** Runs a command of the installer in this terminal and in this folder, and sets the exit code. */
export async function runInTerminal(
  command: InstallerCommand,
  given: readonly string[],
): Promise<void> {
  process.exitCode = await runInstaller(command, {
    given,
    folder: process.cwd(),
    dialog: terminal,
  })
}

const say = (text: string) => process.stdout.write(`${text}\n`)

const terminal: Dialog = {
  say,
  hasPerson: process.stdin.isTTY && process.stdout.isTTY,
  async confirm(message) {
    const answer = await confirm({ message })
    return isCancel(answer) ? end() : answer
  },
  async choose(message, options) {
    const answer = await select({ message, options: [...options] })
    return isCancel(answer) ? end() : answer
  },
  async during(title, work) {
    // Without a terminal a spinner would fill the log with its pictures.
    if (!process.stdout.isTTY) {
      say(title)
      return work()
    }
    const shown = spinner({ indicator: 'timer' })
    shown.start(title)
    try {
      const result = await work()
      shown.stop(title)
      return result
    } catch (error) {
      shown.error(title)
      throw error
    }
  },
}

/** Whoever presses Ctrl+C at a question has changed nothing. */
function end(): never {
  cancel('Nothing was changed.')
  process.exit(1)
}
