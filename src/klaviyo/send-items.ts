import type { Message } from '../marketing/message.js'
import type { CallAnswer, Outcome, PlatformError } from '../marketing/platform.js'
import { rateOf } from './ask.js'
import type { ItemsBody, ProfilePlace } from './bodies.js'
import type { CallContext } from './exchange.js'
import { outcomesOf, type Batch } from './outcomes.js'
import { readAnswer } from './read-answer.js'
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
  { items, path, bodyOf, messageOf, list, delivered, ...rest }: ItemCall<Item>,
): Promise<CallAnswer> {
  const known = knownBefore(items, rest)
  const fit = items.filter((_, index) => known[index] === undefined)
  if (fit.length === 0) {
    return { outcomes: known.filter((outcome) => outcome !== undefined), isUnasked: true }
  }
  const { body, itemsAt } = bodyOf(fit)
  const answer = await context.exchange({ method: 'POST', path, body }, context)
  const told = outcomesOf(readAnswer(answer, context), {
    size: fit.length,
    itemsAt,
    messageAt: (index) => fit[index] && messageOf(fit[index]),
    list,
    ...(delivered && { delivered }),
  }).values()
  return {
    outcomes: items.flatMap((_, index) => known[index] ?? told.next().value ?? []),
    ...rateOf(answer, context),
    ...(answer.is === 'too-large' && { isUnasked: true }),
  }
}

/** Items unfit by themselves are refused; those unfit only together, as one profile, go apart. */
function knownBefore<Item>(
  items: readonly Item[],
  { unfit, places = () => [] }: Pick<ItemCall<Item>, 'unfit' | 'places'>,
): (Outcome | undefined)[] {
  const known = items.map((item): Outcome | undefined => {
    const error = unfit(item)
    return error && { is: 'refused', error }
  })
  const fit = [...items.keys()].filter((index) => known[index] === undefined)
  for (const { profile, indexes } of places(fit.flatMap((index) => items[index] ?? []))) {
    const error = indexes.length > 1 ? unfitProfile(profile) : undefined
    if (error === undefined) continue
    for (const index of indexes) known[fit[index] ?? -1] = { is: 'suspect', error }
  }
  return known
}
