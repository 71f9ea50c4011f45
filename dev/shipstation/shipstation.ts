import { parseCommandLine, UsageError, type Command } from './command-line.ts'
import { pullCommand } from './command-pull.ts'
import { shipCommand } from './command-ship.ts'
import { HELP } from './help-text.ts'
import { createShipStation, type ShipStation } from './stand-in.ts'
import { problemText } from './problem-text.ts'
import { createScreen } from './screen.ts'

const screen = createScreen(process.stdout)

async function run(command: Command): Promise<number> {
  if (command.name === 'help') {
    screen.line(HELP)
    return 0
  }
  const shipStation = shipStationAt(command.connection)
  if (command.name === 'ship') {
    return (await shipCommand(command, { shipStation, screen })) > 0 ? 1 : 0
  }
  await pullCommand(command, { shipStation, screen })
  return 0
}

function shipStationAt(connection: {
  url: string
  username: string
  password: string
}): ShipStation {
  try {
    return createShipStation(connection)
  } catch (cause) {
    if (cause instanceof TypeError) throw new UsageError(cause.message, { cause })
    throw cause
  }
}

try {
  const command = parseCommandLine(process.argv.slice(2), { env: process.env, now: new Date() })
  process.exitCode = await run(command)
} catch (error) {
  const isUsage = error instanceof UsageError
  process.stderr.write(`${problemText(error)}\n${isUsage ? 'Try --help\n' : ''}`)
  process.exitCode = isUsage ? 2 : 1
}
