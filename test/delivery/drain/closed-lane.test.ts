import { describe, expect, it, vi } from 'vitest'
import type { CallName } from '../../../src/marketing/platform.js'
import { anEvent, drainWorld, worldStart, type DrainWorld } from './drain-world.js'

/** A world in which no event may go out before that moment, and one waits. */
async function closedWorld(pausedUntil: number) {
  const world = drainWorld()
  const calls: CallName[] = ['event', 'events']
  for (const call of calls) await world.callLogs.write(call, { calls: [], pausedUntil }, 0)
  await world.store(anEvent('anna@x.io', '1'))
  return { world, lane: eventsOf(world), waiting: vi.spyOn(world.outbox, 'waiting') }
}

function eventsOf({ drain }: DrainWorld) {
  const lane = drain.workers.find(({ name }) => name === 'events')
  if (lane === undefined) throw new Error('There is no lane for events.')
  return lane
}

describe('a lane without a slot for any call', () => {
  it('looks at what waits twice a second, however often it is woken', async () => {
    const pausedUntil = worldStart + 60_000
    const { world, lane, waiting } = await closedWorld(pausedUntil)
    for (let wake = 0; wake < 100; wake++) {
      world.moveTo(worldStart + wake * 10)
      expect(await lane.next()).toEqual({ nextAt: new Date(pausedUntil) })
    }
    expect(waiting).toHaveBeenCalledTimes(2)
  })

  it('goes on in the moment in which there is one', async () => {
    const { world, lane } = await closedWorld(worldStart + 120)
    expect(await lane.next()).not.toHaveProperty('run')
    world.moveTo(worldStart + 120)
    expect(await lane.next()).toHaveProperty('run')
  })

  it('looks at once with another key', async () => {
    const { world, lane, waiting } = await closedWorld(worldStart + 60_000)
    await lane.next()
    world.settings.privateApiKey = 'another key'
    await lane.next()
    expect(waiting).toHaveBeenCalledTimes(2)
  })
})
