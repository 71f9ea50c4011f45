import type { Message } from '../marketing/message.js'
import type { CallAnswer, Outcome, PlatformError } from '../marketing/platform.js'
import type { ItemsBody, ProfilePlace } from './bodies.js'
import type { CallContext } from './exchange.js'
import { outcomesOf, type Batch } from './outcomes.js'
import { call } from './call.js'
import { unfitProfile } from './unfit.js'

/** A call that carries items. */
export interface ItemCall<Item> extends Pick<Batch, 'list' | 'delivered'> {
  items: readonly Item[]
  path: string
  /** Why the platform would refuse the item. */
  unfit: (item: Item) => PlatformError | undefined
  /** Items that are one profile in the body. */
  places?: (items: readonly Item[]) => readonly ProfilePlace[]
  messageOf: (item: Item) => Message | undefined
  bodyOf: (items: readonly Item[]) => ItemsBody
}

/** Sends the items that are fit, and gives an outcome for each; no call when none is. */
export async function sendItems<Item>(
  context: CallContext,
  { items, path, unfit, places = () => [], messageOf, bodyOf, ...about }: ItemCall<Item>,
): Promise<CallAnswer> {
  const outcomes = items.map((item): Outcome | undefined => {
    const error = unfit(item)
    return error && { is: 'refused', error }
  })
  const open = () => [...items.keys()].filter((index) => outcomes[index] === undefined)
  const answer = () => outcomes.filter((outcome) => outcome !== undefined)

  const fit = open()
  for (const { profile, indexes } of places(at(items, fit))) {
    // Items that are unfit only together, as one profile, go apart.
    const error = indexes.length > 1 ? unfitProfile(profile) : undefined
    if (error) for (const index of at(fit, indexes)) outcomes[index] = { is: 'suspect', error }
  }
  const sent = open()
  if (sent.length === 0) return { outcomes: answer(), isUnasked: true }
  const inCall = at(items, sent)
  const { body, itemsAt } = bodyOf(inCall)
  const { reading, ...rate } = await call(context, { method: 'POST', path, body })
  const told = outcomesOf(reading, { messages: inCall.map(messageOf), itemsAt, ...about })
  for (const [place, index] of sent.entries()) outcomes[index] = told[place]
  // Refused by ourselves, before it was sent.
  return { outcomes: answer(), ...rate, ...(reading.is === 'refused' && { isUnasked: true }) }
}

const at = <Value>(values: readonly Value[], indexes: readonly number[]): Value[] =>
  indexes.flatMap((index) => values[index] ?? [])
