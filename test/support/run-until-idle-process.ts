import { createDeliveryLoop } from '../../src/delivery/delivery-loop.js'
import type { Deliverer } from '../../src/delivery/deliverer.js'
import { realEffects } from '../../src/effects.js'
import type { Shop } from '../../src/shop.js'
import { createWakeUp } from '../../src/workers/wake-up.js'

// A process that has nothing else to do: it waits for what falls due in a moment, as Payload's task
// does, then says `idle`.
const start = Date.now()
const silent = () => undefined
const shop = {
  effects: realEffects,
  waits: realEffects,
  log: { info: silent, warn: silent, error: silent },
} as Partial<Shop> as Shop
const loop = createDeliveryLoop(shop, {
  mode: 'task',
  deliverer: {
    ...createWakeUp(realEffects, { isBackground: true }),
    take: () => Promise.resolve(true),
    poll: () =>
      Promise.resolve({
        begun: 0,
        nextAt: Date.now() < start + 300 ? start + 300 : undefined,
        isBusy: false,
      }),
    oneEnded: () => Promise.resolve(),
    giveBack: () => Promise.resolve(),
  } as Partial<Deliverer> as Deliverer,
  workers: () => [],
  notifications: {
    send: () => undefined,
    listen: () => ({ end: () => Promise.resolve() }),
  },
  flush: () => Promise.resolve(),
})
await loop.runUntilIdle({ deadline: new Date(start + 10_000) })
process.stdout.write('idle')
