import { getPayload, type BasePayload, type SanitizedConfig } from 'payload'
import { waitForLocks } from '../../core/database/renew-busy-connection.js'
import { partsOf, type Parts } from '../../core/installation.js'
import { exitCodes } from './arguments.js'
import { processTerminal, type Terminal } from './terminal.js'

/** Runs a command that Payload's command line has begun. It resolves to the exit code. */
export async function runCommand(
  config: SanitizedConfig,
  run: (
    given: readonly string[],
    store: Parts & { payload: BasePayload },
    terminal: Terminal,
  ) => Promise<number>,
): Promise<void> {
  const terminal = processTerminal()
  process.exitCode = exitCodes.failed
  try {
    const payload = await openPayload(config)
    const parts = await partsOf(payload)
    process.exitCode = await run(process.argv.slice(3), { ...parts, payload }, terminal)
  } catch (error) {
    terminal.say(problemText(error))
  }
  // Payload would end the process with 0, even if the command has failed.
  process.exit(process.exitCode)
}

/** Opens the store without its own `onInit`, while the shop may be writing to the same file. */
export async function openPayload(config: SanitizedConfig): Promise<BasePayload> {
  if (config.secret === '') {
    throw new Error(
      'The store has no secret. Run the command with the variables that the shop has, such as PAYLOAD_SECRET.',
    )
  }
  const payload = await getPayload({ config, disableOnInit: true })
  await waitForLocks(payload)
  return payload
}

/** What a command says of an error: its first cause. A failed statement quotes a person, and output is kept. */
export function problemText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : problemText(error.cause)
}
