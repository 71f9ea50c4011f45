import { parseArgs } from 'node:util'
import { readEmail } from '../../core/people/email.js'
import { orderChoices, type OrderChoice } from '../../merchant/erasure/erasure-options.js'

interface EraseArguments {
  email: string
  /** Undefined: what the store's options say. */
  orders: OrderChoice | undefined
  /** Erases without asking. */
  isSure: boolean
}

type EraseCall = 'help' | { problem: string } | { wanted: EraseArguments }

const usage = `Usage: storeconnect erase ada@example.com [--orders keep|anonymise] [--yes]

Erases the person with this email: the customer account, the addresses, what waits
for Klaviyo or was sent, and the person's part in carts. Klaviyo is asked to delete
the profile. It cannot be undone.

  --orders  keep: orders and payments stay as they are; anonymise: they lose the
            person. Without it, the store's options decide.
  --yes     Erases without asking
`

/** The text for a call that is not carried out: why not, if it was wrong, and how to call it. */
export const eraseExplanation = (call: 'help' | { problem: string }): string =>
  call === 'help' ? usage : `${call.problem}\n\n${usage}`

export function readEraseArguments(given: readonly string[]): EraseCall {
  const { values, positionals, problem } = parse(given)
  if (problem !== undefined) return { problem }
  if (values.help) return 'help'
  const [text, ...more] = positionals
  if (text === undefined) return { problem: 'Whom? Name the email.' }
  if (more.length > 0) return { problem: 'One email at a time.' }
  const email = readEmail(text)
  if (email === undefined) return { problem: 'This is not an email address.' }
  const orders = orderChoices.find((choice) => choice === values.orders)
  if (values.orders !== undefined && orders === undefined) {
    return { problem: '--orders is keep or anonymise.' }
  }
  return { wanted: { email, orders, isSure: values.yes === true } }
}

function parse(given: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...given],
      allowPositionals: true,
      options: {
        orders: { type: 'string' },
        yes: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    return { values, positionals, problem: undefined }
  } catch (error) {
    // An option is unknown or lacks its value. Only the first sentence of Node's message helps here.
    if (!(error instanceof TypeError)) throw error
    const values: { orders?: string; yes?: boolean; help?: boolean } = {}
    return { values, positionals: [], problem: `${/^[^.\n]*/.exec(error.message)?.[0]}.` }
  }
}
