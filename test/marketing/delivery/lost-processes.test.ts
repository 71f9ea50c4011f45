import { describe, expect, it, onTestFinished } from 'vitest'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { endLease } from '../../support/end-lease.js'
import { anEvent, anIdentify, aSubscribe } from '../../support/messages.js'
import { simulatedStore, type SimulatedProcess } from '../../support/simulated-store.js'
import { databaseKinds } from '../../support/store.js'
import { countWaiting, stateOf } from '../../support/stored-sends.js'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Tried in turn during an outage, so that each send waits longer and longer, and is not what ends the outage. */
const others = Array.from({ length: 5 }, (_, n) => `other${n}@x.io`)

describe.each(databaseKinds)('Processes that are lost (%s)', (kind) => {
  const world = simulatedStore(kind)
  const states = async () => (await world.sends()).map(stateOf)

  /** A process delivers from now on, whoever did before. */
  const takeOver = async ({ parts }: Pick<SimulatedProcess, 'parts'>) => {
    while (!(await parts.deliverer.take())) await endLease(sqlDatabase(world.payload))
  }
  /** A process does what can be done now. */
  const pass = async () => {
    await takeOver(world)
    await world.pass()
    await world.parts.deliverer.giveBack()
  }
  /** A process is lost in the middle of its first calls, before the platform has them. Resolves to what wakes it. */
  const lose = async () => {
    let wakeUp = (): void => undefined
    let isHeld = false
    const isAwake = new Promise<void>((resolve) => (wakeUp = resolve))
    const process = await world.join({
      effects: {
        async fetch() {
          isHeld = true
          await isAwake
          throw new Error('The connection is gone.')
        },
        after: () => () => undefined,
        deadline: () => new AbortController().signal,
      },
    })
    const { deliverer } = process.parts
    await takeOver(process)
    await expect
      .poll(async () => {
        if (!isHeld) await deliverer.poll()
        return isHeld
      })
      .toBe(true)
    const wake = async () => {
      wakeUp()
      await deliverer.giveBack()
    }
    onTestFinished(wake)
    return wake
  }

  it('cost their sends no attempts, and these go by themselves', async () => {
    const people = Array.from({ length: 60 }, (_, n) => `p${n}@x.io`)
    await world.store(...people.map((email) => aSubscribe(email, 'WELCOME')))
    const lost: (() => Promise<void>)[] = []
    const sizes: number[] = []
    for (const isFull of [false, false, true]) {
      // What fills no call waits for more sends; ten fill one of ten.
      if (!isFull) await pass()
      world.move(5 * second)
      lost.push(await lose())
      sizes.push((await states()).filter((state) => state === 'sending').length)
    }
    expect(sizes.slice(0, 2)).toEqual([60, 60])
    expect([10, 20, 30, 40]).toContain(sizes[2])
    await takeOver(world)
    await world.runUntil(world.now() + hour)
    for (const wake of lost) await wake()
    expect(await world.counts()).toEqual({ sent: 60 })
    expect((await world.sends()).every(({ attempts }) => attempts === 0)).toBe(true)
    expect(world.standIn.state.lists.get('WELCOME')?.members.size).toBe(60)
  })

  it.each(['new', 'known'] as const)(
    'leave nothing behind that one request does not bring, where a host stops processes, at a %s process',
    async (which) => {
      const functions = {
        marketing: { delivery: 'functions' as const, settings: { privateApiKey: demoApiKey } },
      }
      const process = await world.join({ options: functions })
      if (which === 'known') await process.parts.deliverer.take()
      await process.parts.deliverer.giveBack()
      // One after the other, as they are of one person.
      await world.store(
        ...Array.from({ length: 40 }, (_, n) =>
          n % 2 === 0 ? anEvent('a@x.io', `${n}`) : anIdentify('a@x.io', { title: `${n}` }),
        ),
      )
      const wake = await lose()
      const before = world.now()
      const answer = await process.aBrowser().track({ email: 'b@x.io', 'event[name]': 'Liked' })
      expect(await answer.json()).toBe('success')
      await expect.poll(() => countWaiting(world)).toBe(0)
      expect(world.now() - before).toBeLessThan(30 * second)
      await wake()
    },
  )

  it('are three after which a send that was alone is set aside, and what is behind it goes', async () => {
    await world.store(anEvent('a@x.io', 'fatal'), aSubscribe('a@x.io', 'WELCOME'))
    const lost = [await lose()]
    // Lost alone, it is singled out, and tried again at once; then after 20 s, and after five minutes.
    lost.push(await lose())
    for (const wait of [20, 300]) {
      expect(await states()).toEqual(['sending', 'queued'])
      await pass()
      world.move((wait - 1) * second)
      await pass()
      expect(world.standIn.state.calls).toEqual([])
      world.move(second)
      lost.push(await lose())
    }
    await pass()
    expect(await states()).toEqual(['failed WORKER_LOST', 'sent'])
    for (const wake of lost) await wake()
    expect(await states()).toEqual(['failed WORKER_LOST', 'sent'])
  })

  it('put off what was singled out before, as long as they are lost one after another', async () => {
    await world.store(anEvent('a@x.io', 'innocent'))
    await lose()
    await lose()
    await pass()
    for (const email of ['b@x.io', 'c@x.io']) {
      world.move(19 * second)
      await world.store(anEvent(email, '1'))
      await lose()
      await pass()
      expect((await states())[0]).toBe('queued')
    }
    world.move(19 * second)
    await pass()
    expect(await states()).toEqual(['queued', 'sent', 'sent'])
    world.move(second)
    await pass()
    expect(await states()).toEqual(['sent', 'sent', 'sent'])
  })

  it('put off nothing for longer than an hour', async () => {
    await world.store(anEvent('a@x.io', 'innocent'))
    world.move(hour + second)
    await lose()
    await lose()
    await pass()
    world.move(19 * second)
    await world.store(anEvent('b@x.io', '1'))
    await lose()
    await pass()
    expect((await states())[0]).toBe('queued')
    world.move(second)
    await pass()
    expect(await states()).toEqual(['sent', 'sent'])
  })

  it('keep a send that was in their calls waiting no longer than others after an outage', async () => {
    await world.store(anIdentify('a@x.io'))
    await lose()
    await lose()
    await world.store(anEvent('a@x.io', 'behind'))
    await world.store(...others.map((email) => anIdentify(email)))
    const outage = world.standIn.faults.add({ kind: 'error', status: 503 })
    await takeOver(world)
    await world.runUntil(world.now() + 3 * hour)
    outage.remove()
    await world.store(anIdentify('b@x.io'))
    await world.runUntil(world.now() + minute)
    expect((await states()).slice(0, 2)).toEqual(['sent', 'sent'])
  })

  it('keep no more than its wait after a loss from a send, when an outage ends meanwhile', async () => {
    await world.store(anEvent('a@x.io', 'innocent'))
    await lose()
    await lose()
    const outage = world.standIn.faults.add({ kind: 'error', status: 503, times: 4 })
    await takeOver(world)
    await world.store(...others.map((email) => anEvent(email, '1')))
    await world.runUntil(world.now() + 15 * second)
    outage.remove()
    expect((await states())[0]).toBe('queued')
    await world.runUntil(world.now() + 5 * minute)
    expect(await world.counts()).toEqual({ sent: 6 })
  })
})
