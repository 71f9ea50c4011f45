import type { DocumentId } from '../../src/database/document-id.js'
import { formsOf } from '../support/whole-database.js'
import { addressOf, emailOf, namesOf } from './people.js'
import type { World } from './world.js'

export type ErasureStep =
  | { do: 'sign up'; person: number; at: number }
  /** By an admin who names the email, or with the account. */
  | { do: 'erase'; person: number; by: 'email' | 'account'; at: number }

const calls = [
  ['objection', '/api/profile-subscription-bulk-delete-jobs'],
  ['deletion', '/api/data-privacy-deletion-jobs'],
] as const

/** People with accounts, and people who ask to be forgotten. */
export class Erasures {
  /** The account that each person got last. */
  readonly #accounts = new Map<number, DocumentId>()

  constructor(readonly world: World) {}

  accountOf(person: number): DocumentId | undefined {
    return this.#accounts.get(person)
  }

  do(step: ErasureStep): void {
    if (step.do === 'sign up') void this.#signUp(step)
    else void this.#erase(step)
  }

  /** Klaviyo has answered. */
  hear(path: string, body: string): void {
    for (const [what, of] of calls) if (path === of) this.world.forgotten.hear(what, body)
  }

  async #signUp({ person, at }: ErasureStep & { do: 'sign up' }): Promise<void> {
    const process = this.world.processAt(at)
    const email = emailOf(person)
    const { db } = process.payload
    const answered = this.world.forgotten.begin('visit', email)
    await process.run(async () => {
      try {
        // Below Payload, whose work for a password waits for no scheduler.
        const data = { email, _verified: true, verifiedEmail: email }
        const { id } = (await db.create({ collection: 'users', data })) as { id: DocumentId }
        this.#accounts.set(person, id)
        const address = { ...addressOf(person), customer: id }
        await process.payload.create({ collection: 'addresses', data: address, depth: 0 })
        answered()
      } catch {
        // The database has failed.
      }
    })
  }

  async #erase({ person, by, at }: ErasureStep & { do: 'erase' }): Promise<void> {
    const process = this.world.processAt(at)
    const { payload, parts } = process
    const email = emailOf(person)
    const id = this.#accounts.get(person)
    if (by === 'account' && id === undefined) return
    const answered = this.world.forgotten.begin('erasure', email)
    const choice = { orders: 'anonymise', door: 'admin' } as const
    const erase = async () => {
      if (by === 'email' || id === undefined) await parts.erasures.erase(email, choice)
      else await payload.delete({ collection: 'users', id })
      return true
    }
    if (!(await process.saved(erase))) return
    answered()
    // Nobody comes back within one millisecond.
    this.world.scheduler.elapsedMs += 1
  }

  /** What is wrong now. @param people All that there are. */
  async problems(people: readonly number[]): Promise<string[]> {
    const rows = await this.world.rows(
      "select state, klaviyo from marketing_erasures where state <> 'done'",
    )
    const forgotten = people.filter((person) => this.world.forgotten.isForgotten(emailOf(person)))
    return [
      ...rows.map(({ state, klaviyo }) => `an erasure is ${String(state)} (${String(klaviyo)})`),
      ...(forgotten.length > 0 ? await this.#found(forgotten) : []),
      ...this.world.forgotten.problems(),
    ]
  }

  /** Where something of these people is left. */
  async #found(forgotten: readonly number[]): Promise<string[]> {
    const { profiles, events } = this.world.klaviyo.state
    const texts = new Map([['Klaviyo', JSON.stringify([[...profiles.values()], events])]])
    for (const table of this.world.database.tables) {
      texts.set(table, JSON.stringify(await this.world.rows(`select * from "${table}"`)))
    }
    return forgotten.flatMap((person) =>
      [...texts]
        .filter(([, text]) => isIn(text, person))
        .map(([place]) => `not forgotten: ${emailOf(person)} in ${place}`),
    )
  }
}

const isIn = (text: string, person: number) =>
  namesOf(person).some((name) => formsOf(name).some((form) => text.includes(form)))
