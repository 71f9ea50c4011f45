import { formsOf } from '../support/whole-database.js'
import { emailOf, namesOf } from './people.js'
import { wishOf } from './posts.js'
import type { World } from './world.js'

/** By an admin who names the email. The person may object to all mails right before. */
export interface ErasureStep {
  do: 'erase'
  person: number
  objects: boolean
  at: number
}

const calls = [
  ['objection', '/api/profile-subscription-bulk-delete-jobs'],
  ['deletion', '/api/data-privacy-deletion-jobs'],
] as const

/** People who ask to be forgotten. */
export class Erasures {
  constructor(readonly world: World) {}

  /** Klaviyo has answered. */
  hear(path: string, body: string): void {
    for (const [what, of] of calls) if (path === of) this.world.forgotten.hear(what, body)
  }

  /** The erasure comes after the answer to the objection, or at the same time. */
  async do({ person, objects, at }: ErasureStep): Promise<void> {
    const { posts, scheduler } = this.world
    const objected = objects && posts.post(at, [wishOf(person, 'unsubscribe')])
    if (scheduler.random.chance(0.5)) await objected
    await this.erase(person, at)
  }

  /** @param at The process that erases the person. */
  async erase(person: number, at: number): Promise<void> {
    const process = this.world.processes.at(at)
    const email = emailOf(person)
    const answered = this.world.forgotten.begin('erasure', email)
    const choice = { orders: 'anonymise', door: 'admin' } as const
    const erase = () => process.parts.erasures.erase(email, choice).then(() => true)
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
      // They are the store's own to erase.
      if (table === 'reviews') continue
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
