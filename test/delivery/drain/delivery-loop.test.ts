import { execFileSync } from 'node:child_process'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Deliverer } from '../../../src/delivery/deliverer.js'
import { createDeliveryLoop } from '../../../src/delivery/delivery-loop.js'
import type { Poll } from '../../../src/delivery/delivery-session.js'
import { realEffects } from '../../../src/effects.js'
import type { Shop } from '../../../src/shop.js'
import type { Feed, Worker } from '../../../src/workers/worker.js'
import { createWakeUp } from '../../../src/workers/wake-up.js'
import { anEvent, anIdentify } from '../../support/messages.js'
import { processScript } from '../../support/process-script.js'
import { drainWorlds, worldStart, type DrainWorld } from './drain-world.js'

const drainWorld = drainWorlds()
const log = () => ({ info: vi.fn(), warn: vi.fn(), error: vi.fn() })
const nothing = { begun: 0, nextAt: undefined }

const loops: { stop(): Promise<void> }[] = []
afterEach(async () => {
  const stopped = Promise.all(loops.splice(0).map((loop) => loop.stop()))
  if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(1_000)
  await stopped
  vi.useRealTimers()
})

function loopOf({
  deliverer,
  workers = [],
  ...shop
}: { deliverer: Deliverer; workers?: Worker[] } & Partial<Shop>) {
  const own = { effects: realEffects, waits: realEffects, log: log(), ...shop } as Shop
  const loop = createDeliveryLoop(own, {
    mode: 'loop',
    deliverer,
    workers: () => workers,
    notifications: {
      send: () => undefined,
      listen: () => ({ end: () => Promise.resolve() }),
    },
    flush: () => Promise.resolve(),
  })
  loops.push(loop)
  return loop
}

const loopOfWorld = ({ deliverer, shop }: DrainWorld) => loopOf({ deliverer, ...shop })

/** One that has nothing to do but to look. */
const aDeliverer = (
  look: () => Promise<(Omit<Poll, 'isBusy'> & Partial<Poll>) | undefined>,
): Deliverer =>
  ({
    ...createWakeUp(realEffects),
    take: () => Promise.resolve(true),
    async poll() {
      const found = await look()
      return found && { isBusy: false, ...found }
    },
    oneEnded: () => Promise.resolve(),
    giveBack: () => Promise.resolve(),
    isBehind: () => false,
  }) as Partial<Deliverer> as Deliverer

describe('the delivery loop', () => {
  it('finds the changes of its own process while the clock of that is behind', async () => {
    let isBehind = true
    let looks = 0
    const feed: Feed = {
      name: 'feed',
      catchUp: () => Promise.resolve(),
      next() {
        looks += 1
        return Promise.resolve({ nextAt: undefined })
      },
    }
    const deliverer = { ...aDeliverer(() => Promise.resolve(undefined)), isBehind: () => isBehind }
    const loop = loopOf({ deliverer, workers: [feed] })
    loop.start()
    await expect.poll(() => looks).toBeGreaterThan(0)
    isBehind = false
    loop.wake()
    await expect
      .poll(async () => {
        const before = looks
        loop.wake()
        await new Promise<void>((resolve) => void setImmediate(resolve))
        return looks - before
      })
      .toBe(0)
  })

  it('delivers what is stored while it runs, as soon as it is woken', async () => {
    const world = await drainWorld()
    const loop = loopOfWorld(world)
    loop.start()
    await world.store(anEvent('a@x.io', '1'))
    loop.wake()
    await expect.poll(() => world.counts()).toEqual({ sent: 1 })
  })

  it('goes on with others while four calls of a kind hang, and waits for those when it stops', async () => {
    const world = await drainWorld()
    const hanging: (() => void)[] = []
    world.platform.leave = (name) =>
      name === 'events'
        ? new Promise<void>((resolve) => void hanging.push(resolve))
        : Promise.resolve()
    await world.store(...Array.from({ length: 5_000 }, (_, n) => anEvent(`p${n}@x.io`, '1')))
    const loop = loopOfWorld(world)
    loop.start()
    await expect.poll(() => hanging.length).toBe(4)
    await world.store(anIdentify('a@x.io'))
    loop.wake()
    await expect.poll(() => world.counts()).toEqual({ sending: 4_000, queued: 1_000, sent: 1 })

    let isStopped = false
    const stopping = loop.stop().then(() => (isStopped = true))
    await world.settled()
    expect(isStopped).toBe(false)
    hanging.forEach((end) => end())
    await stopping
    expect(await world.counts()).toEqual({ queued: 1_000, sent: 4_001 })
  })

  it('logs an error of the database and goes on when it is over', async () => {
    const logger = log()
    let looks = 0
    const deliverer = aDeliverer(() => {
      looks += 1
      return looks === 1 ? Promise.reject(new Error('down')) : Promise.resolve(nothing)
    })
    loopOf({ deliverer, log: logger }).start()
    await expect.poll(() => looks).toBeGreaterThan(1)
    expect(logger.error).toHaveBeenCalledTimes(1)
  })

  it('has a part that fails go on too, and the delivery meanwhile', async () => {
    const logger = log()
    const turns: string[] = []
    const worker = {
      name: 'history',
      next() {
        turns.push('worker')
        if (turns.filter((turn) => turn === 'worker').length === 1) throw new Error('down')
        return Promise.resolve({ nextAt: undefined })
      },
    }
    const deliverer = aDeliverer(() => {
      turns.push('deliverer')
      return Promise.resolve({ begun: 0, nextAt: Date.now() + 50 })
    })
    loopOf({ deliverer, workers: [worker], log: logger }).start()
    await expect.poll(() => turns.filter((turn) => turn === 'worker').length).toBeGreaterThan(1)
    const between = turns.slice(turns.indexOf('worker') + 1, turns.lastIndexOf('worker'))
    expect(between).toContain('deliverer')
    expect(logger.error).toHaveBeenCalledTimes(1)
  })

  it('looks at once when it was woken during a look', async () => {
    vi.useFakeTimers()
    let looks = 0
    const deliverer = aDeliverer(() => {
      looks += 1
      if (looks === 1) loop.wake()
      return Promise.resolve(nothing)
    })
    const loop = loopOf({ deliverer })
    loop.start()
    await vi.advanceTimersByTimeAsync(100)
    expect(looks).toBe(2)
  })

  it('looks at once when it is woken, and else once a second while nothing is due', async () => {
    vi.useFakeTimers()
    let looks = 0
    const deliverer = aDeliverer(() => {
      looks += 1
      return Promise.resolve({ begun: 0, nextAt: Date.now() + 3_600_000 })
    })
    const loop = loopOf({ deliverer })
    loop.start()
    await vi.advanceTimersByTimeAsync(10_500)
    expect(looks).toBeGreaterThan(9)
    expect(looks).toBeLessThan(12)
    const before = looks
    loop.wake()
    await vi.advanceTimersByTimeAsync(50)
    expect(looks).toBe(before + 1)
  })

  it('looks no more than fifty times a second, however often it is woken', async () => {
    vi.useFakeTimers()
    let looks = 0
    const deliverer = aDeliverer(() => {
      looks += 1
      return Promise.resolve(nothing)
    })
    const loop = loopOf({ deliverer })
    loop.start()
    for (let wake = 0; wake < 1_000; wake++) {
      loop.wake()
      await vi.advanceTimersByTimeAsync(1)
    }
    expect(looks).toBeLessThanOrEqual(51)
  })

  it('runs until nothing is due soon, for a process that does not keep running', async () => {
    const world = await drainWorld()
    await world.store(...Array.from({ length: 30 }, (_, n) => anEvent('a@x.io', `${n}`)))
    world.moveTo(world.now() + 1_000)
    await loopOfWorld(world).runUntilIdle({ deadline: new Date(world.now() + 60_000) })
    expect(await world.counts()).toEqual({ sent: 30 })
    // Another process may deliver at once.
    await world.store(anEvent('b@x.io', '1'))
    await world.anotherDrain().pass()
    expect(await world.counts()).toEqual({ sent: 31 })
  })

  it('looks again there when its calls were over before its look was', async () => {
    let looks = 0
    const deliverer = aDeliverer(() => {
      looks += 1
      return Promise.resolve({ begun: 0, nextAt: undefined, isBusy: looks < 3 })
    })
    await loopOf({ deliverer }).runUntilIdle({ deadline: new Date(Date.now() + 60_000) })
    expect(looks).toBe(3)
  })

  it('keeps a process alive until then that has nothing else to do', () => {
    const script = processScript('run-until-idle-process')
    const said = execFileSync(process.execPath, [script], { encoding: 'utf8' })
    expect(said).toBe('idle')
  })

  it.each([
    { while: 'there is no key', wait: true },
    { while: 'nothing waits', wait: false },
  ])('is over at once while $while', async ({ wait }) => {
    const world = await drainWorld()
    if (wait) {
      Object.assign(world.settings, { privateApiKey: '', keyProblem: 'missing' })
      await world.store(anEvent('a@x.io', '1'))
    }
    const look = vi.spyOn(world.deliverer, 'poll')
    await loopOfWorld(world).runUntilIdle({ deadline: new Date(world.now() + 50_000) })
    expect(look).toHaveBeenCalledTimes(1)
    expect(world.now()).toBe(worldStart)
  })

  it.each([
    { seconds: 6.9, sent: 0 },
    { seconds: 8, sent: 1 },
  ])('begins no call there that could last too long: $seconds s', async ({ seconds, sent }) => {
    const world = await drainWorld()
    await world.store(anEvent('a@x.io', '1'))
    await loopOfWorld(world).runUntilIdle({ deadline: new Date(world.now() + seconds * 1_000) })
    expect(world.platform.calls).toHaveLength(sent)
  })

  it('leaves what waits to another process that delivers', async () => {
    const world = await drainWorld()
    const other = world.anotherDrain()
    await other.pass()
    await world.store(anEvent('a@x.io', '1'))
    await loopOfWorld(world).runUntilIdle({ deadline: new Date(world.now() + 50_000) })
    expect(world.platform.calls).toEqual([])
    other.wake()
    await other.pass()
    expect(await world.counts()).toEqual({ sent: 1 })
  })
})
