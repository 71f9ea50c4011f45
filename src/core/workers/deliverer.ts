import type { SQL } from 'drizzle-orm'
import { sleep, createWakeUp } from '../effects.js'
import type { Shop } from '../shop.js'
import type { Lease, Leases } from './lease.js'

/** How long a call of a session may take at most. */
export const longestCallMs = 6_000

/** How often a process looks whether another one has renewed its lease. */
const lookAgainMs = 500

/** What a process does while it has the lease, beside the workers. */
export interface Session {
  /** The calls under way. */
  running: ReadonlySet<Promise<void>>
  /** True in a statement while this process holds the lease. */
  isLeaseHeld: SQL
  isOpen(): boolean
  /** Makes the next poll read what was stored. */
  wake(): void
  /** Begins the calls that can be made now. */
  poll(): Promise<Poll>
  /** Waits for the calls under way, then gives the lease back. */
  close(): Promise<void>
}

export interface Poll {
  /** How many calls were begun. */
  begun: number
  /** When to poll again, in milliseconds since 1970; undefined when nothing waits. */
  nextAt: number | undefined
  /** Whether calls are under way. The end of one is a reason to poll again. */
  isBusy: boolean
}

/**
 * Begins a session.
 *
 * @param onChange Called when a call has ended, because what waited for it may go now.
 */
export type OpenSession = (lease: Lease, onChange: () => void) => Promise<Session>

/**
 * Keeps one session open while this process holds the lease, so that only one delivers (`docs/interface.md`
 * (Delivery)).
 */
export function createDeliverer(
  { effects, waits, log }: Shop,
  { leases, open }: { leases: Leases; open: OpenSession },
) {
  const wakeUp = createWakeUp(effects, { isBackground: true })
  let session: Session | undefined

  /** Waits for the calls under way, then gives the lease back. */
  const giveBack = async (): Promise<void> => {
    const closing = session
    session = undefined
    await closing?.close()
  }

  /**
   * Resolves to whether this process has the lease. With `patientUntil` it waits to see whether the holder is
   * still there.
   */
  const take = async ({ patientUntil }: { patientUntil?: Date } = {}): Promise<boolean> => {
    if (session?.isOpen()) return true
    await giveBack()
    const isPatient = () => patientUntil !== undefined && waits.now() < patientUntil
    let lease = await leases.take()
    const mark = leases.lastMark()
    while (lease === undefined && isPatient() && leases.lastMark() === mark) {
      await sleep(effects, lookAgainMs)
      lease = await leases.take()
    }
    if (lease === undefined) return false
    log.info({ epoch: lease.epoch }, 'This process delivers')
    session = await open(lease, wakeUp.wake)
    return true
  }

  return {
    take,
    giveBack,

    /** Makes the next poll read what was stored, which it does without this within a second. */
    wake(): void {
      session?.wake()
      wakeUp.wake()
    },

    /** Resolves when something was stored, when a call has ended, or after `ms` milliseconds. */
    wait: (ms: number): Promise<void> => wakeUp.wait(ms),

    /** Begins the calls that can be made now. Undefined when another process delivers. */
    poll: async (): Promise<Poll | undefined> => ((await take()) ? session?.poll() : undefined),

    /** Resolves when one of the calls under way ends, or at once when there is none. */
    async oneEnded(): Promise<void> {
      const running = session?.running ?? new Set<Promise<void>>()
      if (running.size > 0) await Promise.race(running)
    },

    /** Whether the clock of this process is behind that of the one that delivers. */
    isBehind: () => session === undefined && leases.isBehind(),

    /** True in a statement while this process delivers; undefined when it does not. */
    isLeaseHeld: () => session?.isLeaseHeld,
  }
}

export type Deliverer = ReturnType<typeof createDeliverer>
