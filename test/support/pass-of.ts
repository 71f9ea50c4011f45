import type { Deliverer } from '../../src/core/workers/deliverer.js'

/** A process does what can be done now, to its end, on a clock that stands still. */
export async function passOf(
  deliverer: Deliverer,
): Promise<{ didWork: boolean; nextAt: Date | undefined }> {
  let didWork = false
  for (;;) {
    const look = await deliverer.poll()
    if (look === undefined) return { didWork, nextAt: undefined }
    if (look.begun > 0) didWork = true
    if (look.isBusy) await deliverer.oneEnded()
    else return { didWork, nextAt: look.nextAt === undefined ? undefined : new Date(look.nextAt) }
  }
}
