import type { Config } from 'payload'

// What Payload 3 knows and Payload 4 does not. It is typed as plain objects, because the types of Payload 4 lack it.

/** Payload 4 offers the field as a filter. */
export const notFilterable: object = { disableListFilter: true }

/** Payload 4 offers the field as a column. */
export const notAColumn: object = { disableListColumn: true }

/** For a collection whose hooks need fields that a reader has not asked for. */
export const alwaysReads = (...fields: string[]): object => ({
  forceSelect: Object.fromEntries(fields.map((field) => [field, true])),
})

interface Command {
  key: string
  scriptPath: string
}

/** Adds commands to Payload's command line. */
export function withCommands(config: Config, commands: readonly Command[]): Config {
  const { bin = [] } = config as { bin?: Command[] }
  const extended: object = { bin: [...bin, ...commands] }
  return { ...config, ...extended }
}
