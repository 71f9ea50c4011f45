import { createDeliveryLoop } from '../../src/delivery/delivery-loop.js'

// A process that has nothing else to do: it waits for what falls due in a moment, as Payload's task
// does, then says `idle`.
const start = Date.now()
const loop = createDeliveryLoop({
  clock: { now: () => new Date() },
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  drain: {
    workers: [],
    pass: () =>
      Promise.resolve({
        didWork: false,
        nextAt: Date.now() < start + 300 ? new Date(start + 300) : undefined,
      }),
    status: () => Promise.resolve({ keyProblem: undefined, pauses: [] }),
  },
})
await loop.runUntilIdle({ deadline: new Date(start + 10_000) })
process.stdout.write('idle')
