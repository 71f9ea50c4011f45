import type { Clock } from './clock.js'
import type { Claim, Outbox, Settlement } from './outbox.js'

/** Writes what becomes of a claim's sends as their calls end. */
export interface Settler {
  add(settlements: readonly Settlement[]): void
  /** Resolves when everything added is written. */
  finish(): Promise<void>
}

/**
 * What ends while a write is under way goes with the next: a call that hangs keeps nobody waiting,
 * and 25 calls that end together cost few writes.
 */
export function createSettler(outbox: Outbox, claim: Claim, clock: Clock): Settler {
  let added: Settlement[] = []
  let writing: Promise<void> | undefined

  const write = async (): Promise<void> => {
    while (added.length > 0) {
      const settlements = added
      added = []
      await outbox.settle(claim, settlements, clock.now())
    }
  }
  const begin = (): Promise<void> => {
    writing ??= write().finally(() => {
      writing = undefined
    })
    return writing
  }
  const failures: unknown[] = []
  return {
    add(settlements) {
      added.push(...settlements)
      begin().catch((error: unknown) => failures.push(error))
    },
    async finish() {
      while (writing !== undefined || added.length > 0) await begin()
      if (failures.length > 0) throw failures[0]
    },
  }
}
