import { describe, expect, it } from 'vitest'
import { klaviyoBounds } from '../../src/klaviyo/limits.js'
import type { Message } from '../../src/klaviyo/message.js'
import type { ImportError, MarketingPlatform, Outcome } from '../../src/klaviyo/platform.js'
import { refused } from '../support/new-sends.js'
import { aListAdd, anEvent, anIdentify, aSubscribe } from '../support/messages.js'
import { drainWorlds, worldStart, type DrainWorld } from './drain/drain-world.js'
import { networkDown } from './drain/model-platform.js'

const drainWorld = drainWorlds()
const second = 1_000
const minute = 60 * second

const emails = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@x.io`)
const callsOf = ({ platform }: DrainWorld) => platform.calls.map(({ name }) => name)

describe('The sends of a profile', () => {
  it('go one after another, whatever they are', async () => {
    const world = await drainWorld()
    world.platform.profiles.set('a@x.io', {})
    await world.store(
      aListAdd('a@x.io'),
      anEvent('a@x.io', '1'),
      anIdentify('a@x.io', { properties: { step: 2 } }),
      aSubscribe('a@x.io'),
      anIdentify('a@x.io', { properties: { step: 3 } }),
      anEvent('a@x.io', '4'),
    )
    await world.runUntil(worldStart + minute)
    expect(callsOf(world)).toEqual([
      'find-profiles',
      'list-members',
      'event',
      'profile',
      'subscribe',
      'event',
    ])
    expect(world.platform.effects.map(({ what }) => what)).toEqual(['1', 'step 2', 'step 3', '4'])
  })

  it('wait behind one that is put off, while others go', async () => {
    const world = await drainWorld()
    world.platform.trouble = ({ at, messages }) =>
      at < worldStart + 10 * minute && messages.some(({ profile }) => profile.email === 'a@x.io')
        ? ({ ...networkDown, afterSeconds: 600 } as Outcome)
        : undefined
    await world.store(anEvent('a@x.io', 'first'), anEvent('a@x.io', 'second'), aSubscribe('a@x.io'))
    await world.drain.pass()
    await world.store(anIdentify('a@x.io', { firstName: 'Ann' }), anEvent('a@x.io', 'third'))
    await world.store(anEvent('b@x.io', 'free'))
    await world.runUntil(worldStart + 10 * minute - 1)
    expect(world.platform.effects.map(({ what }) => what)).toEqual(['free'])
    await world.runUntil(worldStart + 11 * minute)
    expect(world.platform.effects.map(({ what }) => what)).toEqual([
      'free',
      'first',
      'second',
      'third',
    ])
    expect(await world.counts()).toEqual({ sent: 6 })
  })

  it('bring no older value back when an identify is tried again with a newer event', async () => {
    const world = await drainWorld()
    const isNewest = { properties: { step: 2 } }
    await world.store(anIdentify('a@x.io', { properties: { step: 1 } }))
    world.platform.trouble = () => networkDown
    await world.drain.pass()
    world.platform.trouble = () => undefined
    await world.store(anEvent('a@x.io', 'newer', isNewest))
    await world.runUntil(world.now() + minute)
    expect(callsOf(world)).toEqual(['profile', 'event'])
    expect(world.platform.profiles.get('a@x.io')).toMatchObject(isNewest)
  })

  it('keep nobody else waiting, were they hundreds', async () => {
    const world = await drainWorld()
    world.platform.trouble = ({ messages }) =>
      messages.some(({ profile }) => profile.email === 'a@x.io')
        ? ({ ...networkDown, afterSeconds: 600 } as Outcome)
        : undefined
    await world.store(anEvent('a@x.io', 'head'))
    await world.drain.pass()
    await world.store(...emails(400).map((_, n) => anEvent('a@x.io', `${n}`)))
    await world.store(anEvent('free@x.io', 'free'))
    await world.runUntil(world.now() + 2 * second)
    expect(world.platform.effects).toEqual([{ person: 'free@x.io', what: 'free' }])
  })
})

describe('A list add', () => {
  const names = async (waitMs: number, isRefused = false) => {
    const world = await drainWorld()
    if (isRefused) world.platform.trouble = ({ name }) => (name === 'event' ? no : undefined)
    await world.store(anEvent('a@x.io', '1'))
    await world.drain.pass()
    world.moveTo(world.now() + waitMs)
    await world.store(aListAdd('a@x.io'))
    await world.runUntil(world.now() + minute)
    return callsOf(world)
  }
  const no: Outcome = { is: 'refused', error: refused }

  it('is one to a known profile for ten minutes after something made it', async () => {
    expect(await names(10 * minute - 5 * second)).toEqual(['event', 'profiles', 'import-job'])
    expect(await names(10 * minute)).toEqual(['event', 'find-profiles', 'list-members'])
  })

  it('is one to an unknown profile when what should have made it was refused', async () => {
    expect(await names(0, true)).toEqual(['event', 'find-profiles'])
  })

  it('makes no profile known to another one', async () => {
    const world = await drainWorld()
    await world.store(anEvent('hooked@x.io', '1'), aListAdd('a@x.io'))
    await world.runUntil(worldStart + minute)
    expect(callsOf(world).sort()).toEqual(['event', 'find-profiles'])
  })
})

describe('A call', () => {
  it('is for one list', async () => {
    const world = await drainWorld()
    await world.store(
      ...emails(60).map((email, n) => aSubscribe(email, n % 3 === 0 ? 'TEA' : 'NEWS')),
    )
    await world.runUntil(worldStart + 10 * second)
    expect(world.platform.calls.map(({ name, items }) => [name, items])).toEqual([
      ['subscribe', 20],
      ['subscribe', 40],
    ])
    expect(world.platform.members.get('TEA')?.size).toBe(20)
    expect(world.platform.members.get('NEWS')?.size).toBe(40)
  })

  it('takes no more bytes than fit, but one send at least', async () => {
    const bytes = Buffer.byteLength(JSON.stringify(aSubscribe('p10@x.io')))
    const sizesOf = async (bulkBytes: number) => {
      const world = await drainWorld({ bounds: { ...klaviyoBounds, bulkBytes } })
      await world.store(...emails(30).map((email) => aSubscribe(email)))
      await world.runUntil(worldStart + 10 * minute)
      expect(await world.counts()).toEqual({ sent: 30 })
      return world.platform.calls.map(({ items }) => items)
    }
    expect(await sizesOf(12 * bytes)).toEqual([12, 12, 6])
    expect(await sizesOf(1)).toEqual(Array.from({ length: 30 }, () => 1))
  })

  it('of what may be at fault gets smaller: 100, 10, one', async () => {
    const world = await drainWorld()
    const sizes: number[] = []
    world.platform.trouble = ({ profiles }) => {
      if (!profiles.some(({ email }) => email === 'p0@x.io')) return undefined
      sizes.push(profiles.length)
      return { is: profiles.length === 1 ? 'refused' : 'culpritUnknown', error: refused }
    }
    await world.store(...emails(400).map((email) => aSubscribe(email)))
    await world.runUntil(worldStart + 10 * minute)
    expect(sizes).toEqual([400, 100, 10, 1])
    expect(await world.counts()).toEqual({ sent: 399, failed: 1 })
    expect((await world.rows()).every(({ attempts }) => attempts === 0)).toBe(true)
  })
})

describe('An import that the platform could not take all of', () => {
  const phoneNumber = '+436641234567'
  const importing = async (failures: ImportError[], options: { isSlow?: boolean } = {}) => {
    const world = await drainWorld()
    const { platform } = world
    const importJob = platform.importJob
    platform.importJob = async (...call): ReturnType<MarketingPlatform['importJob']> => {
      const isComplete = !options.isSlow || world.now() > worldStart + 10 * minute
      const answer = await importJob(...call)
      return 'failed' in answer ? answer : { isComplete, failedCount: failures.length }
    }
    platform.importErrors = () => Promise.resolve({ errors: failures })
    const withPhone: Message = { kind: 'identify', profile: { phoneNumber } }
    await world.store(...emails(30).map((email) => anIdentify(email)))
    if (failures.length === 1) await world.store(withPhone)
    await world.runUntil(worldStart + 30 * minute)
    expect(callsOf(world).filter((name) => name === 'profiles')).toHaveLength(1)
    return world
  }
  const ended = async (world: DrainWorld) => {
    const rows = await world.rows()
    return rows
      .filter(({ error }) => error !== undefined)
      .map(({ email, state, error }) => `${email} ${state} ${error?.code ?? ''}`)
  }
  const unnamed = { email: undefined, error: { code: 'other', detail: '' } }

  it('fails the one without an email by an error that names nobody', async () => {
    expect(await ended(await importing([unnamed]))).toEqual([`phone:${phoneNumber} failed other`])
  })

  it('shows such an error on all that it can mean, where that is open', async () => {
    const named = { email: 'p0@x.io', error: refused }
    const shown = await ended(await importing([named, unnamed]))
    expect(shown).toEqual([
      'p0@x.io failed invalid',
      ...emails(30)
        .slice(1)
        .map((email) => `${email} sent other`),
    ])
  })

  it('sends alone what can do without a value, unless something later may have overtaken it', async () => {
    const amendable = [
      { email: 'p0@x.io', error: refused, isAmendable: true as const },
      { email: 'p1@x.io', error: refused },
    ]
    const world = await importing(amendable)
    expect(await ended(world)).toEqual(['p1@x.io failed invalid'])
    expect(callsOf(world).filter((name) => name === 'profile')).toHaveLength(1)
    const slow = await importing(amendable, { isSlow: true })
    expect(await ended(slow)).toEqual(['p0@x.io failed invalid', 'p1@x.io failed invalid'])
    expect(callsOf(slow)).not.toContain('profile')
  })
})
