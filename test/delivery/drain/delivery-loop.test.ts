import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createDeliveryLoop } from '../../../src/delivery/delivery-loop.js'
import type { Drain } from '../../../src/delivery/drain.js'
import type { Step, Worker } from '../../../src/delivery/worker.js'
import { anEvent, drainWorld } from './drain-world.js'

const log = () => ({ info: vi.fn(), warn: vi.fn(), error: vi.fn() })
const systemClock = { now: () => new Date() }

const loops: { stop(): Promise<void> }[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(loops.splice(0).map((loop) => loop.stop()))
})

function loopOf(worker: Worker, logger = log()) {
  const drain: Drain = {
    workers: [worker],
    pass: () => Promise.resolve({ didWork: false, nextAt: undefined }),
    status: () => Promise.resolve({ keyProblem: undefined, pauses: [] }),
  }
  const loop = createDeliveryLoop({ drain, clock: systemClock, log: logger })
  loops.push(loop)
  return loop
}

describe('the delivery loop', () => {
  it('delivers what is stored while it runs, as soon as it is woken', async () => {
    const world = drainWorld()
    const clock = { now: () => new Date(world.now()) }
    const loop = createDeliveryLoop({ drain: world.drain, clock, log: log() })
    loops.push(loop)
    loop.start()
    await world.store(anEvent('a@x.io', '1'))
    loop.wake()
    await expect.poll(() => world.outbox.counts()).toEqual({ sent: 1 })
  })

  it('goes on with others while up to four calls hang, and waits for those when it stops', async () => {
    const hanging: (() => void)[] = []
    let begun = 0
    const run = () => new Promise<void>((resolve) => void hanging.push(resolve))
    const loop = loopOf({
      name: 'events',
      next: () => Promise.resolve<Step>({ run: () => (begun++, run()) }),
    })
    loop.start()
    await expect.poll(() => begun).toBe(4)
    let isStopped = false
    const stopping = loop.stop().then(() => (isStopped = true))
    await Promise.resolve()
    expect(isStopped).toBe(false)
    hanging.forEach((end) => end())
    await stopping
    expect(begun).toBe(4)
  })

  it('tells an error of the database and goes on when it is over', async () => {
    const logger = log()
    let looks = 0
    const worker: Worker = {
      name: 'events',
      next() {
        looks += 1
        if (looks === 1) return Promise.reject(new Error('down'))
        return Promise.resolve({ nextAt: undefined })
      },
    }
    loopOf(worker, logger).start()
    await expect.poll(() => looks).toBeGreaterThan(1)
    expect(logger.error).toHaveBeenCalledTimes(1)
  })

  it('looks at once when it was woken during a look', async () => {
    vi.useFakeTimers()
    let looks = 0
    const loop: { wake(): void; start(): void } = loopOf({
      name: 'events',
      next() {
        looks += 1
        if (looks === 1) loop.wake()
        return Promise.resolve({ nextAt: undefined })
      },
    })
    loop.start()
    await vi.advanceTimersByTimeAsync(0)
    expect(looks).toBe(2)
  })

  it('runs until nothing is due soon, for a process that does not keep running', async () => {
    const world = drainWorld()
    const clock = { now: () => new Date(world.now()) }
    const loop = createDeliveryLoop({ drain: world.drain, clock, log: log() })
    await world.store(...Array.from({ length: 30 }, (_, n) => anEvent('a@x.io', `${n}`)))
    world.moveTo(world.now() + 1_000)
    await loop.runUntilIdle({ deadline: new Date(world.now() + 60_000) })
    expect(world.outbox.counts()).toEqual({ sent: 30 })
  })

  it('keeps a process alive until then that has nothing else to do', () => {
    const script = join(import.meta.dirname, '../../support/run-until-idle-process.ts')
    const said = execFileSync(process.execPath, ['--import', 'tsx', script], { encoding: 'utf8' })
    expect(said).toBe('idle')
  })

  it.each([
    { while: 'there is no key', wait: true },
    { while: 'nothing waits', wait: false },
  ])(
    'is over at once while $while',
    async ({ wait }) => {
      const world = drainWorld()
      if (wait) {
        Object.assign(world.settings, { privateApiKey: '', keyProblem: 'missing' })
        await world.store(anEvent('a@x.io', '1'))
      }
      const clock = { now: () => new Date(world.now()) }
      const loop = createDeliveryLoop({ drain: world.drain, clock, log: log() })
      const pass = vi.spyOn(world.drain, 'pass')
      await loop.runUntilIdle({ deadline: new Date(world.now() + 50_000) })
      // The first look takes back what lost workers had.
      expect(pass.mock.calls.length).toBeLessThanOrEqual(2)
    },
    3_000,
  )
})
