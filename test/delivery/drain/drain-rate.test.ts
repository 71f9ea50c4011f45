import { describe, expect, it } from 'vitest'
import { klaviyoBounds } from '../../../src/klaviyo/limits.js'
import type { NewSend } from '../../../src/delivery/send.js'
import type { Message } from '../../../src/klaviyo/message.js'
import type { CallName, PlatformBounds } from '../../../src/klaviyo/platform.js'
import { anEvent } from '../../support/messages.js'
import { drainWorlds, worldStart } from './drain-world.js'

const drainWorld = drainWorlds()

/** A twentieth of the documented items a call, at the documented calls a second and a minute. */
const scale = 20
const bounds: PlatformBounds = {
  ...klaviyoBounds,
  calls: Object.fromEntries(
    Object.entries(klaviyoBounds.calls).map(([name, limits]) => [
      name,
      { ...limits, items: Math.ceil(limits.items / scale) },
    ]),
  ) as Record<CallName, PlatformBounds['calls'][CallName]>,
}

describe('a drain at the documented limits', () => {
  it(
    'delivers at least 149,000 mixed posts a minute with at most 3 calls per 1,000, and no 429',
    { timeout: 240_000 },
    async () => {
      const world = await drainWorld({ bounds })
      const burst = 150_000 / scale
      // The first post after two full minutes' worth tells how long those took.
      const posts = 2 * burst + 1
      const sends: NewSend[] = []
      for (let n = 0; n < posts; n++) {
        const email = `p${n}@x.io`
        const list = `LIST${n % 2}`
        const second: Message =
          n % 10 < 7
            ? { kind: 'list-add', profile: { email }, list }
            : { kind: 'subscribe', profile: { email }, list, channels: ['email'] }
        const acceptedAt = new Date(worldStart)
        sends.push({ message: anEvent(email, `${n}`), key: `event ${n}`, acceptedAt })
        sends.push({ message: second, key: `list ${n}`, acceptedAt })
      }
      await world.outbox.store(sends)
      await world.runUntil(worldStart + 5 * 60_000)

      expect(await world.counts()).toEqual({ sent: posts * 2 })
      expect(world.platform.count('throttled')).toBe(0)
      const events = world.platform.calls.filter(
        ({ name }) => name === 'events' || name === 'event',
      )
      const minutes = ((events.at(-1)?.at ?? Number.NaN) - worldStart) / 60_000
      expect((posts * scale) / minutes).toBeGreaterThanOrEqual(149_000)
      expect(world.platform.calls.length / (posts / 1_000)).toBeLessThanOrEqual(3 * scale)
      const members = [...world.platform.members.values()].reduce((sum, { size }) => sum + size, 0)
      expect(members).toBe(posts)
    },
  )
})
