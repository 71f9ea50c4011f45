import { describe, expect, it } from 'vitest'
import { aListAdd, anEvent, anIdentify, aSubscribe } from '../../support/messages.js'
import { simulatedStore } from '../../support/simulated-store.js'
import { anyKind } from '../../support/store.js'
import { stateOf } from '../../support/stored-sends.js'

const world = simulatedStore(anyKind)
const second = 1_000
const minute = 60 * second
const list = 'WELCOME'

const emails = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@x.io`)
const calls = () => world.standIn.state.calls.map(({ name }) => name)
const recorded = () => world.standIn.state.events.map(({ uniqueId }) => uniqueId)
const subscribed = (of: string) => world.standIn.state.lists.get(of)?.members.size
/** Klaviyo fails at every call that has this in its body. */
const failAt = (marker: string) =>
  world.standIn.faults.add({ kind: 'poison', marker, says: 'error', status: 503 })

describe('The sends of a profile', () => {
  it('go one after another, whatever they are', async () => {
    await world.store(anIdentify('a@x.io'))
    await world.pass()
    world.move(10 * minute)
    await world.store(
      aListAdd('a@x.io', list),
      anEvent('a@x.io', '1'),
      anIdentify('a@x.io', { properties: { step: 2 } }),
      aSubscribe('a@x.io', list),
      anIdentify('a@x.io', { properties: { step: 3 } }),
      anEvent('a@x.io', '4'),
    )
    await world.runUntil(world.now() + minute)
    expect(calls().slice(1)).toEqual([
      'find-profiles',
      'list-members',
      'event',
      'profile',
      'subscribe',
      'event',
    ])
    expect(world.standIn.state.profileByEmail('a@x.io')?.properties).toEqual({ step: 3 })
  })

  it('wait behind one that is put off, while others go', async () => {
    const fault = failAt('first')
    await world.store(
      anEvent('a@x.io', 'first'),
      anEvent('a@x.io', 'second'),
      aSubscribe('a@x.io', list),
    )
    await world.pass()
    await world.store(anIdentify('a@x.io', { firstName: 'Ann' }), anEvent('a@x.io', 'third'))
    await world.store(anEvent('b@x.io', 'free'))
    await world.runUntil(world.begin + 10 * minute)
    expect(recorded()).toEqual(['free'])
    fault.remove()
    await world.runUntil(world.begin + 8 * 60 * minute)
    expect(recorded()).toEqual(['free', 'first', 'second', 'third'])
    expect(await world.counts()).toEqual({ sent: 6 })
  })

  it('bring no older value back when an identify is tried again with a newer event', async () => {
    const isNewest = { properties: { step: 2 } }
    await world.store(anIdentify('a@x.io', { properties: { step: 1 } }))
    const fault = world.standIn.faults.add({ kind: 'reset' })
    await world.pass()
    fault.remove()
    await world.store(anEvent('a@x.io', 'newer', isNewest))
    await world.runUntil(world.now() + minute)
    expect(calls()).toEqual(['profile', 'event'])
    expect(world.standIn.state.profileByEmail('a@x.io')).toMatchObject(isNewest)
  })

  it('keep nobody else waiting, were they hundreds', async () => {
    failAt('a@x.io')
    await world.store(anEvent('a@x.io', 'head'))
    await world.pass()
    await world.store(...emails(400).map((_, n) => anEvent('a@x.io', `${n}`)))
    await world.store(anEvent('free@x.io', 'free'))
    await world.runUntil(world.now() + 2 * second)
    expect(recorded()).toEqual(['free'])
  })
})

describe('A list add', () => {
  /** Klaviyo records events so long after its answer, and makes their profiles then. */
  const addedBehindEvent = async (eventSeconds: number) => {
    world.account({ eventSeconds })
    await world.store(anEvent('a@x.io', '1'))
    await world.pass()
    await world.store(aListAdd('a@x.io', list))
    await world.runUntil(world.now() + 10 * minute)
    return { states: (await world.sends()).map(stateOf), members: subscribed(list) }
  }

  it.each([0, 4, 100])(
    'is for the profile of an event that appears %i seconds later',
    async (s) => {
      expect(await addedBehindEvent(s)).toEqual({ states: ['sent', 'sent'], members: 1 })
      expect((await world.sends()).every(({ attempts }) => attempts === 0)).toBe(true)
    },
  )

  it('is skipped when no profile appears within five minutes', async () => {
    const { states, members } = await addedBehindEvent(700)
    expect({ states, members }).toEqual({
      states: ['sent', 'skipped PROFILE_NOT_FOUND'],
      members: 0,
    })
    expect(calls().filter((name) => name === 'find-profiles').length).toBeLessThan(10)
  })

  it('is skipped at once when what should have made its profile was refused', async () => {
    world.standIn.faults.add({ kind: 'poison', marker: 'Viewed' })
    await world.store(anEvent('a@x.io', '1'))
    await world.pass()
    await world.store(aListAdd('a@x.io', list))
    await world.runUntil(world.now() + minute)
    expect(calls()).toEqual(['event', 'find-profiles'])
  })

  it('is skipped at once when only another person was sent something', async () => {
    await world.store(anEvent('hooked@x.io', '1'), aListAdd('a@x.io', list))
    await world.runUntil(world.begin + minute)
    expect(calls().sort()).toEqual(['event', 'find-profiles'])
  })
})

describe('A call', () => {
  it('is for one list', async () => {
    await world.store(
      ...emails(60).map((email, n) => aSubscribe(email, n % 3 === 0 ? 'VIPLIST' : list)),
    )
    await world.runUntil(world.begin + 10 * second)
    expect(world.standIn.state.calls.map(({ items }) => items)).toEqual([20, 40])
    expect([subscribed('VIPLIST'), subscribed(list)]).toEqual([20, 40])
  })

  it('of what may be at fault gets smaller: 100, 10, one', async () => {
    world.standIn.faults.add({ kind: 'poison', marker: 'p0@x.io' })
    await world.store(...emails(400).map((email) => aSubscribe(email, list)))
    await world.runUntil(world.begin + 10 * minute)
    const refused = world.standIn.state.calls.filter(({ status }) => status === 400)
    expect(refused.map(({ items }) => items)).toEqual([400, 100, 10, 1])
    expect(await world.counts()).toEqual({ sent: 399, failed: 1 })
    expect((await world.sends()).every(({ attempts }) => attempts === 0)).toBe(true)
  })
})
