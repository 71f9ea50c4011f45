import { setTimeout as pause } from 'node:timers/promises'
import type { Deliverer } from '../../src/delivery/deliverer.js'
import type { Outbox } from '../../src/delivery/outbox.js'

/** A deliverer on a clock that stands still: what can be done now is done in passes. */
export interface Drain extends Pick<Deliverer, 'status' | 'giveBack' | 'wake' | 'isLeaseHeld'> {
  /** Does what can be done now, to its end. */
  pass(): Promise<{ didWork: boolean; nextAt: Date | undefined }>
}

export const passes = (deliverer: Deliverer): Drain => ({
  status: () => deliverer.status(),
  giveBack: () => deliverer.giveBack(),
  wake: () => deliverer.wake(),
  isLeaseHeld: () => deliverer.isLeaseHeld(),
  async pass() {
    let didWork = false
    for (;;) {
      const look = await deliverer.poll()
      if (look === undefined) return { didWork, nextAt: undefined }
      if (look.begun > 0) didWork = true
      if (look.isBusy) await deliverer.oneEnded()
      else return { didWork, nextAt: look.nextAt === undefined ? undefined : new Date(look.nextAt) }
    }
  },
})

/** A pass of the only process. When it gets no time, it loses its lease, and can take it again some seconds later. */
export async function passWithLease(
  drain: Pick<Drain, 'pass' | 'isLeaseHeld'>,
): ReturnType<Drain['pass']> {
  for (;;) {
    const passed = await drain.pass()
    if (drain.isLeaseHeld() !== undefined) return passed
    await pause(100)
  }
}

/** The outbox, which wakes the deliverer as a store's own does. */
export const waking = (outbox: Outbox, wake: () => void): Outbox => ({
  ...outbox,
  async store(sends) {
    await outbox.store(sends)
    wake()
  },
  async resend(id, now) {
    const isDone = await outbox.resend(id, now)
    wake()
    return isDone
  },
})
