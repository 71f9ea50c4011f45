import type { LeftOut } from '../marketing/left-out.js'
import type { Properties } from '../marketing/profile.js'
import { readProperties } from '../marketing/properties.js'
import type { EventContext } from './event-context.js'
import type { OrderHooks, Subject } from './order-hooks.js'

type Asking = Pick<EventContext, 'hooks' | 'log'> & { hook: keyof OrderHooks; subject: Subject }

/**
 * The properties as the store's hook wants them, within the platform's limits; `false` when it vetoes
 * them. A hook that throws is logged, and `undefined` is its answer.
 */
export async function askPropertiesHook(
  properties: Properties,
  ask: (properties: Properties) => unknown,
  asking: Asking,
): Promise<Properties | false | undefined> {
  const { hooks, log, hook, subject } = asking
  if (hooks[hook] === undefined) return properties
  try {
    // A copy: what the hook changes in place must not reach other messages.
    const answer = await ask(structuredClone(properties))
    return answer === false ? false : readAnswer(answer, asking)
  } catch (error) {
    log.error({ err: error, ...nameOf(subject) }, `The ${hook} hook failed`)
    return undefined
  }
}

function readAnswer(answer: unknown, { hook, subject, log }: Asking): Properties {
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
