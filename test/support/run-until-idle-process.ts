import { createDeliveryLoop } from '../../src/delivery/delivery-loop.js'
import { createWakeUp } from '../../src/workers/wake-up.js'

// A process that has nothing else to do: it waits for what falls due in a moment, as Payload's task
// does, then says `idle`.
const start = Date.now()
const loop = createDeliveryLoop({
  deliverer: {
    ...createWakeUp({ isBackground: true }),
    take: () => Promise.resolve(true),
    poll: () =>
      Promise.resolve({
        begun: 0,
        nextAt: Date.now() < start + 300 ? start + 300 : undefined,
        isBusy: false,
      }),
    oneEnded: () => Promise.resolve(),
    giveBack: () => Promise.resolve(),
  },
  workers: [],
  notifications: {
    send: () => undefined,
    listen: () => ({ end: () => Promise.resolve() }),
  },
  clock: { now: () => new Date() },
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
})
await loop.runUntilIdle({ deadline: new Date(start + 10_000) })
process.stdout.write('idle')
