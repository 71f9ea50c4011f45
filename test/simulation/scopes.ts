import { allScopes, type Scope } from '../../dev/klaviyo/calls.ts'
import { wishKinds } from './model.js'
import { wishOf } from './posts.js'
import { lookEveryMs } from './sends.js'
import type { World } from './world.js'

/** The key lacks this scope from now on, or none; a merchant may test it. */
export interface ScopeStep {
  do: 'scope'
  lost: Scope | undefined
  isTested: boolean
  person: number
  at: number
}

/** What the key may do. */
export class Scopes {
  readonly now: Scope[] = [...allScopes]
  /** What it could not do at some time: nobody looks at once whether it may again. */
  readonly lost = new Set<Scope>()

  constructor(readonly world: World) {}

  /** What needs the scope waits for it, and nothing else, if nothing else is wrong. */
  async play({ lost, isTested, person, at }: ScopeStep): Promise<void> {
    const { model, posts, processes, run, scheduler, sends } = this.world
    const process = processes.at(at)
    this.set(lost)
    if (isTested) process.testKey()
    void posts.post(
      at,
      wishKinds.map((kind) => wishOf(person, kind)),
    )
    await scheduler.runFor(2 * lookEveryMs)
    const before = await sends.waiting()
    this.world.endTroubles()
    if (run.of === 'functions') return
    await sends.mustEnd(before, (left) => model.heldUp(left, this.lost))
  }

  set(lost?: Scope): void {
    if (lost !== undefined) this.lost.add(lost)
    this.now.splice(0, Infinity, ...allScopes.filter((scope) => scope !== lost))
  }
}
