import { parseCommandLine, UsageError, type Command } from './command-line.ts'
import { pullCommand } from './command-pull.ts'
import { shipCommand } from './command-ship.ts'
import { HELP } from './help-text.ts'
import { printable } from '../../src/mounts/cli/shipstation/printable.js'
import { createShipStation } from '../../src/mounts/cli/shipstation/stand-in.js'

const say = (line: string) => console.log(line)

/** Resolves to the exit code. */
async function run(command: Command): Promise<number> {
  if (command.name === 'help') {
    say(HELP)
    return 0
  }
  const shipStation = createShipStation(command.connection)
  if (command.name === 'ship') {
    return (await shipCommand(command, { shipStation, say })) > 0 ? 1 : 0
  }
  await pullCommand(command.filter, { shipStation, say })
  return 0
}

try {
  const command = parseCommandLine(process.argv.slice(2), { env: process.env, now: new Date() })
  process.exitCode = await run(command)
} catch (error) {
  const isUsage = error instanceof UsageError
  console.error(printable(error instanceof Error ? error.message : String(error)))
  if (isUsage) console.error('Try --help')
  process.exitCode = isUsage ? 2 : 1
}
