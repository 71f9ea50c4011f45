import type { LeftOut } from '../marketing/left-out.js'
import type { Properties } from '../marketing/profile.js'
import { readProperties } from '../marketing/properties.js'
import type { EventContext } from './event-context.js'
import type { OrderHooks, Subject } from './order-hooks.js'

/** What became of properties that a store's hook was asked about. */
export type Hooked = { properties: Properties } | 'vetoed' | 'failed'

interface Asked {
  hook: keyof OrderHooks
  /** Asks the hook, where the store has one. */
  ask: (properties: Properties) => Properties | false | undefined | Promise<Properties | false>
  subject: Subject
}

/**
 * The properties as the store's hook wants them, within the platform's limits. A hook that throws is
 * logged, and costs what its answer was for.
 */
export async function hookedProperties(
  properties: Properties,
  { hook, ask, subject }: Asked,
  { hooks, log }: Pick<EventContext, 'hooks' | 'log'>,
): Promise<Hooked> {
  if (hooks[hook] === undefined) return { properties }
  try {
    // A copy: what the hook changes in place must not reach other messages.
    const answer: unknown = await ask(structuredClone(properties))
    if (answer === false) return 'vetoed'
    return { properties: readAnswer(answer, { hook, subject, log }) }
  } catch (error) {
    log.error({ err: error, ...nameOf(subject) }, `The ${hook} hook failed`)
    return 'failed'
  }
}

function readAnswer(
  answer: unknown,
  { hook, subject, log }: Pick<Asked, 'hook' | 'subject'> & Pick<EventContext, 'log'>,
): Properties {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    throw new TypeError(`${hook} must return properties, or false.`)
  }
  const leftOut: LeftOut[] = []
  const read = readProperties(answer as Record<string, unknown>, {
    field: hook,
    leaveOut: (field, reason) => leftOut.push({ field, reason }),
  })
  if (leftOut.length > 0) {
    log.warn({ ...nameOf(subject), leftOut: leftOut.slice(0, 20) }, 'Properties left out')
  }
  return read
}

/** What the log calls an order or a cart. Never a cart's number, which brings the cart back. */
export const nameOf = (subject: Subject): Record<string, unknown> =>
  subject.kind === 'order' ? { reference: subject.order.reference } : { cartId: subject.cart.id }
