import type { SanitizedConfig } from 'payload'
import * as z from 'zod/mini'

const input = z.object({ given: z.optional(z.array(z.string())) })

/**
 * Makes of a script, as Payload 3 runs it, the command that Payload 4 runs. The script reads the arguments of the process;
 * `input` only has Payload accept them all.
 */
export const payloadCommand = (
  description: string,
  script: (config: SanitizedConfig) => Promise<void>,
) => ({
  description,
  allowUnknownOption: true,
  cli: { given: 'argument' },
  input,
  schema: z.toJSONSchema(input),
  handler: async ({ getConfig }: { getConfig: () => Promise<SanitizedConfig> }) =>
    script(await getConfig()),
})
