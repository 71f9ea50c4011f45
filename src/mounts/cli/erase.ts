import type { SanitizedConfig } from 'payload'
import type { Erasures, ErasurePreview } from '../../merchant/erasure/erasures.js'
import { Problem } from '../../core/errors.js'
import { exitCodes, readEraseArguments } from './arguments.js'
import { payloadCommand } from './payload-command.js'
import { runCommand } from './run-command.js'
import { refusal, type AskingTerminal } from './terminal.js'

/** The command line of Payload 3 runs this function for `storeconnect:erase`. */
export const script = (config: SanitizedConfig): Promise<void> =>
  runCommand(config, (given, { erasures }, terminal) => erase(given, { erasures, terminal }))

/** The same for Payload 4. */
export const command = payloadCommand('Erases a person.', script)

/** Runs `storeconnect erase`. Resolves to the exit code. It never repeats the email, as output is kept. */
export async function erase(
  given: readonly string[],
  { erasures, terminal }: { erasures: Erasures; terminal: AskingTerminal },
): Promise<number> {
  const call = readEraseArguments(given)
  if (!('wanted' in call)) {
    terminal.say(call.text)
    return call.exitCode
  }
  const { email, isSure } = call.wanted
  const orders = call.wanted.orders ?? erasures.byDefault
  terminal.say(foundLine(await erasures.preview(email), erasures))
  terminal.say(
    orders === 'keep'
      ? 'Orders and payments stay as they are.'
      : 'Orders and payments lose the person.',
  )
  const declined = isSure
    ? undefined
    : await refusal(terminal, { question: 'Erase this person for good?', toDo: 'erase' })
  if (declined !== undefined) return declined
  try {
    const { klaviyo } = await erasures.erase(email, { orders, door: 'command' })
    terminal.say('Erased in the shop.')
    if (erasures.hasKlaviyo) {
      terminal.say(
        klaviyo === 'none'
          ? 'Klaviyo was not asked: the shop has no API key.'
          : 'Klaviyo is asked to delete the profile while the shop runs. The admin shows when it has agreed.',
      )
    }
    return exitCodes.done
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    terminal.say(error.message)
    return exitCodes.failed
  }
}

function foundLine(found: ErasurePreview, { hasKlaviyo }: Pick<Erasures, 'hasKlaviyo'>): string {
  const { hasAccount, orderCount, paymentCount, cartCount, addressCount, sendCount } = found
  const account = hasAccount ? 'An account' : 'No account'
  return `${account}; orders: ${orderCount}, payments: ${paymentCount}, carts: ${cartCount}, addresses: ${addressCount}${hasKlaviyo ? `, sends: ${sendCount}` : ''}.`
}
