import type { CollectionConfig } from 'payload'
import { dayMs } from '../../src/marketing/feeds/feed.js'
import { startMs } from './gate.js'
import type { Span } from './model.js'
import { emailOf } from './people.js'
import type { World } from './world.js'

/** An editor approves it, and whoever delivers cannot store its event; or their process, whose clock is behind, dies with that. */
export const reviewTroubles = [
  'approve, and its event is refused',
  'approve by a clock behind, then die',
] as const

export const reviewChanges = [
  ...(['as a customer', 'as a guest', 'approve', 'edit', 'delete'] as const),
  'erase its author, then approve',
  ...reviewTroubles,
] as const

/**
 * Somebody writes a review, `as a customer` where they have an account; or an editor changes or deletes one, which a guest
 * writes first where there is none.
 */
export interface ReviewStep {
  do: 'review'
  review: number
  person: number
  change: (typeof reviewChanges)[number]
  at: number
}

type Change = Exclude<ReviewStep['change'], 'as a customer' | 'as a guest'>

/** The store's own. */
export const reviewsCollection: CollectionConfig = {
  slug: 'reviews',
  fields: [
    { name: 'customer', type: 'relationship', relationTo: 'users' },
    { name: 'email', type: 'email' },
    { name: 'text', type: 'text' },
    { name: 'status', type: 'select', options: ['pending', 'approved'] },
  ],
}

/** As far as a clock may be behind. */
const behindSeconds = 3_600

/** Of whoever delivers. */
const refusedEvent = () => ({
  trouble: 'refuses' as const,
  statements: 1,
  of: 'writes' as const,
  about: 'insert into "marketing_sends"',
  after: 0,
})

type Written = Span & { id: number | undefined; author: number }

/** People who write reviews, and an editor. Klaviyo hears of a review once it is approved. */
export class Reviews {
  readonly #written: Written[] = []
  /** When an editor began to approve each first. */
  readonly #approved = new Map<number, Span>()
  /** Those of which Klaviyo has heard, also if it has deleted them since. */
  readonly #heard = new Set<number>()
  #texts = 0

  constructor(readonly world: World) {}

  /** Each has an account until they are erased. It is as old as the shop, so that no feed tells it. */
  async begin(people: readonly number[]): Promise<void> {
    const at = new Date(startMs - dayMs).toISOString()
    for (const email of people.map(emailOf)) {
      await this.world.rows(
        `insert into users (email, verified_email, _verified, created_at, updated_at)
          values ('${email}', '${email}', true, '${at}', '${at}')`,
      )
    }
  }

  do(step: ReviewStep): void {
    const { change } = step
    if (change === 'as a customer' || change === 'as a guest') void this.#write(step)
    else void this.#change(step, change)
  }

  /** Klaviyo has answered. */
  hear(body: string): void {
    for (const [, id] of body.matchAll(/"review_id":"?(\d+)/g)) this.#heard.add(Number(id))
  }

  async #write({ person, change, at }: ReviewStep): Promise<Written> {
    const process = this.world.processes.at(at)
    const email = emailOf(person)
    const written: Written = this.world.moments.begin({ id: undefined, author: person })
    const answered = this.world.forgotten.begin('visit', email)
    this.world.model.customers.add(email)
    this.#written.push(written)
    const [account] = await this.world.rows(`select id from users where email = '${email}'`)
    const author = account && change === 'as a customer' ? { customer: account.id } : { email }
    const data = { ...author, status: 'pending', text: this.#newText() }
    const review = await process.saved(() =>
      process.payload.create({ collection: 'reviews', data, depth: 0 }),
    )
    if (review === undefined) return written
    written.id = Number(review.id)
    this.world.moments.end(written)
    answered()
    return written
  }

  async #change(step: ReviewStep, change: Change): Promise<void> {
    const { review, at } = step
    const known = this.#written.filter(({ id }) => id !== undefined)
    const { id, author } =
      known[review % (known.length + 1)] ?? (await this.#write({ ...step, change: 'as a guest' }))
    if (id === undefined) return
    const process = this.world.processes.at(at)
    const one = { collection: 'reviews', id, depth: 0 } as const
    const isErased = change === 'erase its author, then approve'
    if (isErased) await this.world.erasures.erase(author, at)
    const isLast = change === 'approve by a clock behind, then die'
    if (isLast) this.world.processes.setClock(process, -behindSeconds)
    if (change === 'approve, and its event is refused')
      this.world.processes.deliverer.databaseTrouble = refusedEvent()
    const isApproved = isErased || change.startsWith('approve')
    if (isApproved && !this.#approved.has(id)) this.#approved.set(id, this.world.moments.begin({}))
    const data = isApproved ? { status: 'approved' } : { text: this.#newText() }
    await process.saved(() =>
      change === 'delete' ? process.payload.delete(one) : process.payload.update({ ...one, data }),
    )
    if (isLast) this.world.processes.kill(process)
  }

  /** Klaviyo may have heard of one that was approved before its author was erased. */
  #isHeardTooLate(id: number, person: string): boolean {
    const approved = this.#approved.get(id)
    return (
      this.#heard.has(id) &&
      approved !== undefined &&
      this.world.forgotten.isAfter(person, approved)
    )
  }

  #newText = (): string => `Fresh ${++this.#texts}`

  /** What is wrong when nothing is due any more. */
  async problems(): Promise<string[]> {
    const { forgotten, klaviyo } = this.world
    const told = klaviyo.state.events
      .filter(({ metric }) => metric === 'Submitted Review')
      .map(({ properties }) => Number(properties.review_id))
    const rows = await this.world.rows("select id from reviews where status = 'approved'")
    const approved = rows.map(({ id }) => Number(id))
    const nobodys = told.filter((id) => !this.#approved.has(id))
    return [
      ...nobodys.map((id) => `not approved: review ${id}`),
      ...this.#written.flatMap(({ id, author, ...span }) => {
        // SQLite gives the id of the last review again when that was deleted.
        if (id === undefined || this.#written.filter((one) => one.id === id).length > 1) return []
        const person = emailOf(author)
        const times = told.filter((each) => each === id).length
        const isDue = approved.includes(id) && forgotten.isAfter(person, span)
        return [
          ...(times > 1 ? [`told ${times} times: review ${id}`] : []),
          ...(times === 0 && isDue ? [`lost: review ${id}`] : []),
          ...(forgotten.isGone(person, span) && (times > 0 || this.#isHeardTooLate(id, person))
            ? [`back after an erasure: review ${id}`]
            : []),
        ]
      }),
    ]
  }
}
