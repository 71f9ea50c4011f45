import type { Shop } from '../shop.js'
import { LeaseLost } from './lease-lost.js'

/** Why a session ended: another process delivers, or the state of the database is uncertain. */
type SessionEnd = 'lost' | 'in doubt'

export type SessionWork = ReturnType<typeof createSessionWork>

/**
 * The work that a session has begun, and whether the session may go on.
 *
 * @param onChange Called when a piece of work is over, because the sends that waited for it may go now.
 */
export function createSessionWork({ log }: Pick<Shop, 'log'>, onChange: () => void) {
  const running = new Set<Promise<void>>()
  let ended: SessionEnd | undefined
  return {
    running,

    ended: (): SessionEnd | undefined => ended,

    /** Ends the session. The next one reads from the database what is marked and what is sent. */
    doubt(): void {
      ended ??= 'in doubt'
    },

    begin(what: () => Promise<void>): void {
      const run: Promise<void> = what()
        .catch((error: unknown) => {
          if (error instanceof LeaseLost) ended = 'lost'
          else log.error({ err: error }, 'The delivery failed and will try again')
        })
        .finally(() => {
          running.delete(run)
          onChange()
        })
      running.add(run)
    },
  }
}
