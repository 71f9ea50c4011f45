import type { SanitizedConfig } from 'payload'
import type { Translator } from '../../core/payload/label.js'
import { englishText, type PlainKey } from '../../core/translations/translation.js'
import { connectionLines } from '../../marketing/settings/connection-lines.js'
import { exitCodes } from './arguments.js'
import { payloadCommand } from './payload-command.js'
import { runCommand } from './run-command.js'

/** None of what is said here has a plural. */
const inEnglish: Translator = (key, values) => englishText(key as PlainKey, values)

/** The command line of Payload 3 runs this function for `storeconnect:doctor`. It tests the stored key of Klaviyo. */
export const script = (config: SanitizedConfig): Promise<void> =>
  runCommand(config, async (_given, { testConnection }, terminal) => {
    if (testConnection === undefined) return exitCodes.done
    const lines = connectionLines(await testConnection(inEnglish), inEnglish)
    for (const { text } of lines) terminal.say(`Klaviyo: ${text}`)
    return lines.some(({ type }) => type === 'error') ? exitCodes.open : exitCodes.done
  })

/** The same for Payload 4. */
export const command = payloadCommand("Tests Klaviyo's key.", script)
