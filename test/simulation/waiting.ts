import { backInStockKey } from '../../src/marketing/klaviyo/send-key.js'
import type { BackInStockMessage } from '../../src/marketing/klaviyo/message.js'
import type { Span } from './model.js'
import { emailOf } from './people.js'
import type { SimProcess } from './sim-process.js'
import type { World } from './world.js'

/** Somebody asks for the one product, which is sold out; or it comes back and is sold out again, maybe before they ask. */
export interface WaitingStep {
  do: 'back in stock'
  person: number
  what: 'asks' | 'comes back' | 'asks when it was back'
  at: number
}

const variant = 'product-1'

const messageOf = (email: string): BackInStockMessage => ({
  kind: 'back-in-stock',
  profile: { email },
  variant,
  product: 'Tea',
  channels: ['email'],
})

/** People who wait for a product that Klaviyo's catalog has. */
export class Waiting {
  readonly #asked: (Span & { email: string })[] = []
  readonly #returns: Span[] = []

  constructor(readonly world: World) {}

  async begin(): Promise<void> {
    this.world.klaviyo.state.catalog.put('variant', variant, { inventory_quantity: 0 })
    await this.world.rows(`insert into marketing_catalog (id, kind, entry_id, product, known, state)
      values ('variant:${variant}', 'variant', '${variant}', '1', 'known', 'done')`)
  }

  do({ person, what, at }: WaitingStep): void {
    const process = this.world.processes.at(at)
    const returned = what === 'asks' ? Promise.resolve() : this.#comeBack(process)
    const done = what === 'comes back' ? returned : returned.then(() => this.#ask(person, process))
    done.catch(() => undefined)
  }

  async #ask(person: number, process: SimProcess): Promise<void> {
    const { moments } = this.world
    const message = messageOf(emailOf(person))
    const asked = moments.begin({ email: emailOf(person) })
    this.#asked.push(asked)
    await process.run(() => {
      const send = { message, key: backInStockKey(message), acceptedAt: new Date() }
      return process.outgoing.outbox.store([send])
    })
    moments.end(asked)
  }

  /** The catalog frees the keys before it tells Klaviyo. */
  async #comeBack(process: SimProcess): Promise<void> {
    const { moments, klaviyo } = this.world
    const back = moments.begin({})
    this.#returns.push(back)
    await process.run(() => process.outgoing.outbox.endWaiting([variant]))
    for (const quantity of [1, 0])
      klaviyo.state.catalog.change('variant', variant, { inventory_quantity: quantity })
    moments.end(back)
  }

  /** What is wrong when nothing is due any more. */
  async problems(): Promise<string[]> {
    const rows = await this.world.rows(
      "select profile, state from marketing_sends where kind = 'back-in-stock'",
    )
    const { waiting, profiles } = this.world.klaviyo.state
    return [...new Set(this.#asked.map(({ email }) => email))].flatMap((email) => {
      const sends = rows.filter(({ profile }) => profile === `email:${email}`)
      const own = waiting.filter(({ profile }) => profiles.get(profile)?.attributes.email === email)
      // A product that comes back frees the key of each person once.
      const isTooOften = sends.length > this.#returns.length + 1
      const isFailed = sends.some(({ state }) => state === 'failed')
      const last = this.#asked.findLast((asked) => asked.email === email && asked.ended)
      const isOpen = last && this.#returns.every(({ ended }) => ended && ended < last.begun)
      const isWaiting = own.some(({ toldAt }) => toldAt === undefined)
      return [
        ...(isTooOften ? [`waits ${sends.length} times: ${email}`] : []),
        ...(last && own.length === 0 && !isFailed ? [`does not wait: ${email}`] : []),
        ...(isOpen && !isWaiting && !isFailed ? [`is not told: ${email}`] : []),
      ]
    })
  }
}
