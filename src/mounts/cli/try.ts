import type { BasePayload, SanitizedConfig } from 'payload'
import { isComplete, type Credentials } from '../../shipping/shipping-access.js'
import { realEffects, type Effects } from '../../core/effects.js'
import { readTrial } from '../../core/trial.js'
import type { KeyProblem } from '../../marketing/settings/marketing-settings.js'
import { createAccount } from './klaviyo/account.js'
import { serveAccount } from './klaviyo/serve-account.js'
import { lendTrial } from './lend-trial.js'
import { createShippingPlay } from './play-shipping.js'
import { payloadCommand } from './payload-command.js'
import { problemText, runCommand } from './run-command.js'
import { createShipStation } from './shipstation/stand-in.js'
import { exitCodes } from './arguments.js'
import { refusal, type Terminal } from './terminal.js'
import { readTryArguments, type TryArguments } from './try-arguments.js'

interface TryTools {
  payload: BasePayload
  effects: Effects
  terminal: Terminal
  /** Undefined in a store without ShipStation. */
  shipping: (() => Promise<{ credentials: Credentials; statusHandle: string }>) | undefined
  /** Undefined in a store without Klaviyo. */
  marketing: (() => Promise<MarketingState>) | undefined
}

interface MarketingState {
  keyProblem: KeyProblem | undefined
  waiting: readonly { kind: string; count: number }[]
}

/** The command line of Payload 3 runs this function for `storeconnect:try`. */
export const script = (config: SanitizedConfig): Promise<void> =>
  runCommand(config, (given, { payload, shippingSettings, deliveryStatus, overview }, terminal) =>
    tryShop(given, {
      payload,
      effects: realEffects,
      terminal,
      shipping: shippingSettings && (() => shippingSettings.get()),
      marketing:
        deliveryStatus &&
        (async () => {
          const { keyProblem } = await deliveryStatus()
          return { keyProblem, waiting: (await overview.facts()).marketing?.waiting ?? [] }
        }),
    }),
  )

/** The same for Payload 4. */
export const command = payloadCommand(
  'Plays ShipStation and Klaviyo for a shop without accounts.',
  script,
)

/** Runs `storeconnect try`. Resolves to the exit code. */
async function tryShop(given: readonly string[], tools: TryTools): Promise<number> {
  const { terminal } = tools
  const call = readTryArguments(given)
  if (!('wanted' in call)) {
    terminal.say(call.text)
    return call.exitCode
  }
  const { wanted } = call
  const plays = {
    shipping: wanted.only === 'marketing' ? undefined : tools.shipping,
    marketing: wanted.only === 'shipping' ? undefined : tools.marketing,
  }
  const declined = await whyNot(wanted, { ...tools, ...plays })
  return declined ?? play(wanted, { ...tools, ...plays })
}

/** Resolves to an exit code when nothing may begin. */
async function whyNot(wanted: TryArguments, tools: TryTools): Promise<number | undefined> {
  const { terminal, marketing, shipping, effects } = tools
  const { url, isSure } = wanted
  const say = (text: string, code: number): number => {
    terminal.say(text)
    return code
  }
  if (marketing === undefined && shipping === undefined) {
    return say(`This store has no ${wanted.only ?? 'product'} to try.`, exitCodes.usage)
  }
  if (!(await answers(url, effects))) {
    return say(`No answer from ${url}. Start the shop first, or say where it is with --url.`, 1)
  }
  if ((await readTrial(tools)) !== undefined) {
    return say('Another try is running. One that was killed is over after 15 seconds.', 4)
  }
  const held = marketing && (await whyNotMarketing(await marketing(), wanted, terminal))
  if (held !== undefined) return held
  for (const line of whatHappens(tools)) terminal.say(line)
  return isSure ? undefined : refusal(terminal, { question: 'Begin?', toDo: 'begin' })
}

/** A shop with an account, or with something that Klaviyo must get, does not send to the page. */
async function whyNotMarketing(
  { keyProblem, waiting }: MarketingState,
  { takesWaiting, isSure }: TryArguments,
  terminal: Terminal,
): Promise<number | undefined> {
  if (keyProblem === undefined || keyProblem === 'unreadable') {
    terminal.say('This shop has a Klaviyo key, so what it sends is meant for Klaviyo.')
    terminal.say('Pass --only shipping to try ShipStation alone.')
    return exitCodes.declined
  }
  const counted = waiting.filter(({ count }) => count > 0)
  const sum = counted.reduce((before, { count }) => before + count, 0)
  if (sum === 0) return undefined
  const kinds = counted.map(({ kind, count }) => `${count} ${kind}`).join(', ')
  terminal.say(`${sum} sends already wait for Klaviyo: ${kinds}.`)
  if (counted.some(({ kind }) => mustArrive.has(kind))) {
    terminal.say('Klaviyo must hear who leaves and who is erased. Pass --only shipping.')
    return exitCodes.declined
  }
  terminal.say('The page would get them, and Klaviyo never would.')
  if (takesWaiting) return undefined
  if (!isSure)
    return refusal(terminal, { question: 'Give them away?', toDo: 'begin, and --waiting' })
  terminal.say('Pass --waiting to give them to the page.')
  return exitCodes.declined
}

const mustArrive = new Set(['unsubscribe', 'erase'])

const whatHappens = ({ shipping, marketing }: TryTools): string[] => [
  ...(shipping
    ? ['ShipStation is played here: it pulls orders, and ships one if you say so.']
    : []),
  ...(marketing
    ? [
        'Klaviyo is played by a page on this machine. What happens in the shop meanwhile, also by others,',
        'goes to that page, and not to Klaviyo later. Try a shop without real shoppers.',
      ]
    : []),
  'No setting is changed. It all ends with this command.',
]

async function answers(url: string, { fetch, deadline }: Effects): Promise<boolean> {
  try {
    await fetch(`${url}/actions/`, { redirect: 'manual', signal: deadline(60_000) })
    return true
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) return false
    throw error
  }
}

async function play(wanted: TryArguments, tools: TryTools): Promise<number> {
  const { terminal, effects, shipping, marketing } = tools
  const random = () => Buffer.from(effects.randomBytes(24)).toString('base64url')
  const own = await shipping?.()
  const isLent = own !== undefined && !isComplete(own.credentials)
  const lent = { username: 'storeconnect-try', password: random() }
  const apiKey = `storeconnect-try-${random()}`
  const served = marketing && (await serveAccount(createAccount(effects.now), apiKey))
  const end = await lendTrial(
    tools,
    {
      isForProduction: wanted.isForProduction,
      ...(isLent && { shipping: lent }),
      ...(served && { klaviyo: { apiKey, port: served.port } }),
    },
    (error) => terminal.say(`The trial could not be renewed: ${problemText(error)}`),
  )
  try {
    if (served) terminal.say(`Klaviyo's page: ${served.url}`)
    const credentials = isLent ? lent : own?.credentials
    await (own && credentials
      ? playShipping(wanted, { ...tools, credentials, shippedStatus: own.statusHandle })
      : untilLeft(terminal, new Map()))
    return exitCodes.done
  } finally {
    await end()
    await served?.close()
    terminal.say('Ended. The settings are as they were.')
  }
}

async function playShipping(
  { url, order }: TryArguments,
  {
    terminal,
    effects,
    credentials,
    shippedStatus,
  }: TryTools & { credentials: Credentials; shippedStatus: string },
): Promise<void> {
  const { pull, ship } = createShippingPlay({
    shipStation: createShipStation({
      url: `${url}/actions/shippingconnect/orders/process`,
      ...credentials,
      fetch: (request) => effects.fetch(request),
    }),
    shippedStatus,
    terminal,
    now: effects.now,
  })
  // The shop reads its settings again after three seconds.
  for (let seconds = 0; seconds < 4 && !terminal.isLeaving(); seconds += 1) await terminal.wait()
  if (terminal.isLeaving()) return
  if ((await pull()) && order !== undefined) await ship(order)
  terminal.say('p: pull again, s: ship an order.')
  await untilLeft(
    terminal,
    new Map([
      ['p', pull],
      ['s', () => ship()],
    ]),
  )
}

/** Does what a person types, until it is `q` or Ctrl-C. */
async function untilLeft(
  terminal: Terminal,
  keys: ReadonlyMap<string, () => Promise<unknown>>,
): Promise<void> {
  terminal.say('q or Ctrl-C: end.')
  while (!terminal.isLeaving()) {
    if (!terminal.isInteractive) {
      await terminal.wait()
      continue
    }
    const key = (await terminal.ask('> '))?.trim().toLowerCase() ?? ''
    if (key === 'q') return
    await keys.get(key)?.()
  }
}
