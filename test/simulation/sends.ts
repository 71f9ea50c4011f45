import type { Left } from './model.js'
import type { World } from './world.js'

/** Another process takes over what a lost one has left, and what was alone in its call waits. */
const takeOverMs = 35_000
/** A process looks at the outbox each second. */
export const lookEveryMs = 1_000

/** What is in the outbox. */
export class Sends {
  constructor(readonly world: World) {}

  async left(): Promise<Left> {
    const state = "trim(cast(state as text) || ' ' || coalesce(error_code, ''))"
    const rows = await this.world.rows(`select "key", ${state} as state from marketing_sends`)
    return new Map(rows.map((row) => [String(row.key), String(row.state)]))
  }

  async waiting(): Promise<Set<string>> {
    const left = await this.left()
    return new Set([...left].flatMap(([id, state]) => (isWaiting(state) ? id : [])))
  }

  /** What is wrong because some of these sends wait must end when another process has taken over, or when time has gone on. */
  async mustEnd(
    ids: ReadonlySet<string>,
    wrongWith: (left: string[]) => string[],
    goOn: () => void | Promise<void> = () => this.world.sleep(),
  ): Promise<void> {
    if ((await this.#wrongAfter(ids, wrongWith)).length === 0) return
    await goOn()
    for (const wrong of await this.#wrongAfter(ids, wrongWith)) this.world.witness.wrong.add(wrong)
  }

  /** Lets everything happen until nothing is wrong, for as long as it takes to take over. Resolves to what is wrong then. */
  async #wrongAfter(
    ids: ReadonlySet<string>,
    wrongWith: (left: string[]) => string[],
  ): Promise<string[]> {
    const { scheduler } = this.world
    const until = scheduler.elapsedMs + takeOverMs
    for (;;) {
      const waiting = await this.waiting()
      const wrong = wrongWith([...ids].filter((id) => waiting.has(id)))
      if (wrong.length === 0 || scheduler.elapsedMs >= until) return wrong
      await scheduler.runFor(lookEveryMs)
    }
  }
}

export const isWaiting = (state: string): boolean => /^(queued|sending)/.test(state)
