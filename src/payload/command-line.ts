import { pathToFileURL } from 'node:url'
import type { Config, SanitizedConfig } from 'payload'
import * as z from 'zod'

interface CommandLines {
  bin?: { key: string; scriptPath: string }[]
  /** False switches the command line off. */
  cli?: false | { commands?: Record<string, unknown> }
}

interface Script {
  script: (config: SanitizedConfig) => Promise<void>
}

/**
 * Adds commands to Payload's command line: as `bin` for Payload 3, and as `cli` for Payload 4, each of which
 * passes over what the other knows.
 *
 * @param scripts The file of each command, which exports `script`.
 */
export function withCommands(config: Config, scripts: Readonly<Record<string, string>>): Config {
  const { bin = [], cli = {} } = config as CommandLines
  const commands = Object.entries(scripts).map(([name, path]) => [name, commandOf(path)] as const)
  return {
    ...config,
    bin: [...bin, ...Object.entries(scripts).map(([key, scriptPath]) => ({ key, scriptPath }))],
    cli: cli && { ...cli, commands: { ...cli.commands, ...Object.fromEntries(commands) } },
  } as Config
}

/** A command of Payload 4. The script reads its words itself. */
const commandOf = (path: string) => ({
  allowUnknownOption: true,
  cli: {},
  description: 'See `storeconnect --help`.',
  input: z.looseObject({}),
  schema: {},
  async handler({ getConfig }: { getConfig: () => Promise<SanitizedConfig> }) {
    const { script } = (await import(pathToFileURL(path).href)) as Script
    await script(await getConfig())
  },
})
