import { serverOnlyConfigProperties, type Config } from 'payload'

// Where Payload 3 and Payload 4 differ. It is typed as plain objects, because each version lacks the types of the other.

/** Payload 4 offers the field as a filter. */
export const notFilterable: object = { disableListFilter: true }

/** Payload 4 offers the field as a column. */
export const notAColumn: object = { disableListColumn: true }

interface Command {
  key: string
  /** A module with the exports `script`, for Payload 3, and `command`, for Payload 4. */
  scriptPath: string
}

/** Adds commands to Payload's command line, whichever property of the config this version of Payload reads them from. */
export function withCommands(config: Config, commands: readonly Command[]): Config {
  const { bin = [], cli = {} } = config as { bin?: Command[]; cli?: false | { commands?: object } }
  // A property that Payload does not know goes to the browser, so only one is set.
  const known: readonly string[] = serverOnlyConfigProperties
  if (!known.includes('cli')) {
    const extended: object = { bin: [...bin, ...commands] }
    return { ...config, ...extended }
  }
  const named = Object.fromEntries(
    commands.map(({ key, scriptPath }) => [key, { path: scriptPath, exportName: 'command' }]),
  )
  const extended: object = { cli: cli && { ...cli, commands: { ...named, ...cli.commands } } }
  return { ...config, ...extended }
}
