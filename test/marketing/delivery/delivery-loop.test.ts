import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { beforeStatements } from '../../support/before-statements.js'
import { anEvent, anIdentify } from '../../support/messages.js'
import { simulatedStore } from '../../support/simulated-store.js'
import { anyKind } from '../../support/store.js'

const world = simulatedStore(anyKind)
afterEach(async () => {
  vi.restoreAllMocks()
  await world.parts.delivery.stop()
})

/** The least time between two looks. */
const restMs = 20

/** What the database is asked meanwhile is answered. */
async function settled(turns = 10): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    await sqlDatabase(world.payload).rows(sql`select 1`)
    await new Promise<void>((resolve) => void setImmediate(resolve))
  }
}

/** The clock goes on while this is waited for. */
const polled = <Value>(look: () => Value, ms = restMs) =>
  expect.poll(() => {
    world.move(ms)
    return look()
  })

/** Begins to deliver, and looks once. */
async function startIdle(): Promise<void> {
  const look = vi.spyOn(world.parts.deliverer, 'poll')
  world.parts.delivery.start()
  await expect.poll(() => look.mock.settledResults[0]?.type).toBe('fulfilled')
}

const failures = () => world.log.lines().filter(({ msg }) => msg.startsWith('The delivery failed'))

/** Fails the statements of the database that are like this, until it is ended. */
const breakDatabase = (like: RegExp) =>
  beforeStatements(world.payload, (statement) => {
    if (like.test(JSON.stringify(statement))) throw new Error('The database is away.')
  })

describe('the delivery loop', () => {
  it('delivers what is stored while it runs, as soon as it is woken', async () => {
    await startIdle()
    await world.store(anEvent('a@x.io', '1'))
    await polled(() => world.counts(), 1).toEqual({ sent: 1 })
    expect(world.now()).toBeLessThan(world.begin + 1_000)
  })

  it('finds within a second what another process has stored', async () => {
    const other = await world.join()
    await startIdle()
    const acceptedAt = new Date(world.now())
    const message = anEvent('a@x.io', '1')
    await other.parts.outbox.store([{ key: 'another', message, acceptedAt }])
    world.move(900)
    await settled()
    expect(await world.counts()).toEqual({ queued: 1 })
    await polled(() => world.counts(), 100).toEqual({ sent: 1 })
    expect(world.now()).toBeLessThan(world.begin + 2_500)
  })

  it('finds the changes of its own process while the clock of that is behind', async () => {
    const now = () => new Date(world.now() - 60_000)
    const { parts } = await world.join({ effects: { now } })
    const looks = parts.feeds.map((feed) => vi.spyOn(feed, 'next'))
    await startIdle()
    parts.delivery.start()
    onTestFinished(() => parts.delivery.stop())
    await polled(() => looks.every(({ mock }) => mock.calls.length > 0), 500).toBe(true)
    expect(parts.deliverer.isLeaseHeld()).toBeUndefined()
  })

  it('goes on with others while four calls of a kind hang, and waits for those when it stops', async () => {
    const hanging: (() => void)[] = []
    world.network = async (request, ask) => {
      const answer = await ask(request)
      if (request.url.includes('event-bulk'))
        await new Promise<void>((resolve) => void hanging.push(resolve))
      return answer
    }
    await world.store(...Array.from({ length: 5_000 }, (_, n) => anEvent(`p${n}@x.io`, '1')))
    world.parts.delivery.start()
    await polled(() => hanging.length).toBe(4)
    await world.store(anIdentify('a@x.io'))
    await polled(() => world.counts()).toEqual({ sending: 4_000, queued: 1_000, sent: 1 })

    let isStopped = false
    const stopping = world.parts.delivery.stop().then(() => (isStopped = true))
    await settled()
    expect(isStopped).toBe(false)
    hanging.forEach((end) => end())
    await stopping
    expect(await world.counts()).toEqual({ queued: 1_000, sent: 4_001 })
  })

  it('logs an error of the database and goes on when it is over', async () => {
    const mend = breakDatabase(/marketing_lease/)
    world.parts.delivery.start()
    await expect.poll(failures).toHaveLength(1)
    mend()
    await world.store(anEvent('a@x.io', '1'))
    await polled(() => world.counts()).toEqual({ sent: 1 })
    expect(failures()).toHaveLength(1)
  })

  it('does not wait for its own lease after the database failed while it took over', async () => {
    await world.store(anEvent('a@x.io', '1'))
    const mend = breakDatabase(/as ..call[^]*'sending'/)
    world.parts.delivery.start()
    await expect.poll(failures).toHaveLength(1)
    mend()
    await polled(() => world.counts()).toEqual({ sent: 1 })
    expect(world.now()).toBeLessThan(world.begin + 3_000)
  })

  it('has a part that fails go on too, and the delivery meanwhile', async () => {
    const mend = breakDatabase(/marketing_histories/)
    world.parts.delivery.start()
    await expect.poll(failures).toMatchObject([{ part: 'history' }])
    await world.store(anEvent('a@x.io', '1'))
    await polled(() => world.counts()).toEqual({ sent: 1 })
    mend()
    await world.parts.histories.start(
      { from: '2025-01-01', to: '2026-01-01' },
      {
        startedBy: undefined,
      },
    )
    const state = async () => (await world.parts.histories.latest())?.state
    await polled(state, 500).toBe('done')
    expect(new Set(failures().map(({ part }) => part))).toEqual(new Set(['history']))
  })

  it('looks at once when it was woken during a look, and else no more than fifty times a second', async () => {
    const { deliverer } = world.parts
    const poll = deliverer.poll.bind(deliverer)
    const look = vi.spyOn(deliverer, 'poll').mockImplementationOnce(() => {
      deliverer.wake()
      return poll()
    })
    world.parts.delivery.start()
    await expect.poll(() => look.mock.calls.length).toBe(1)
    world.move(restMs)
    await expect.poll(() => look.mock.calls.length).toBe(2)
    for (let time = 0; time < 1_000; time++) {
      deliverer.wake()
      world.move(1)
      await settled(2)
    }
    expect(look.mock.calls.length).toBeGreaterThan(25)
    expect(look.mock.calls.length).toBeLessThanOrEqual(53)
  })
})

describe('a run of a process that does not keep running', () => {
  const run = (seconds = 60) =>
    world.parts.delivery.runUntilIdle({ deadline: new Date(world.now() + seconds * 1_000) })

  it('is over when nothing is due soon, and keeps the process alive until then', async () => {
    // They wait a second for more, on a timer for which the clock of this store goes on.
    await world.store(...Array.from({ length: 30 }, (_, n) => anEvent(`${n}@x.io`, '1')))
    expect(await run()).toBe(true)
    expect(await world.counts()).toEqual({ sent: 30 })
    expect(world.now()).toBe(world.begin + 1_000)
    // Another process may deliver at once.
    await world.store(anEvent('b@x.io', '1'))
    await world.pass(await world.join())
    expect(await world.counts()).toEqual({ sent: 31 })
  })

  it.each([
    { while: 'there is no key', wait: true },
    { while: 'nothing waits', wait: false },
  ])('is over at once while $while', async ({ wait }) => {
    if (wait) {
      await world.save({ privateApiKey: '' })
      await world.store(anEvent('a@x.io', '1'))
    }
    const look = vi.spyOn(world.parts.deliverer, 'poll')
    await run()
    expect(look).toHaveBeenCalledTimes(1)
    expect(world.now()).toBe(world.begin)
  })

  it.each([
    { seconds: 6.9, sent: 0 },
    { seconds: 8, sent: 1 },
  ])('begins no call that could last too long: $seconds s', async ({ seconds, sent }) => {
    await world.store(anEvent('a@x.io', '1'))
    await run(seconds)
    expect(world.standIn.state.calls).toHaveLength(sent)
  })

  it('leaves what waits to another process that delivers', async () => {
    const other = await world.join()
    await world.pass(other)
    // It is seen to be there.
    await world.parts.deliverer.take()
    world.move(3_000)
    await world.store(anEvent('a@x.io', '1'))
    expect(await run()).toBe(false)
    expect(world.standIn.state.calls).toEqual([])
    other.parts.deliverer.wake()
    await world.pass(other)
    expect(await world.counts()).toEqual({ sent: 1 })
  })
})
