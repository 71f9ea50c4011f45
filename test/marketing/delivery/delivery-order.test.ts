import { describe, expect, it } from 'vitest'
import type { Message } from '../../../src/marketing/klaviyo/message.js'
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
  const callsFor = async (waitMs: number) => {
    await world.store(anEvent('a@x.io', '1'))
    await world.pass()
    world.move(waitMs)
    await world.store(aListAdd('a@x.io', list))
    await world.runUntil(world.now() + minute)
    return calls()
  }

  it.each([
    { ms: 10 * minute - 5 * second, names: ['event', 'profiles', 'import-job'] },
    { ms: 10 * minute, names: ['event', 'find-profiles', 'list-members'] },
  ])(
    'is one to a known profile for ten minutes after something made it ($ms ms)',
    async ({ ms, names }) => {
      expect(await callsFor(ms)).toEqual(names)
    },
  )

  it('is one to an unknown profile when what should have made it was refused', async () => {
    world.standIn.faults.add({ kind: 'poison', marker: 'Viewed' })
    expect(await callsFor(0)).toEqual(['event', 'find-profiles'])
  })

  it('makes no profile known to another one', async () => {
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

describe('An import that the platform could not take all of', () => {
  const phoneNumber = '+436641234567'

  /** Thirty identifies in one import, of which Klaviyo reports these errors. */
  const importing = async (
    errors: { email?: string; code: string }[],
    more: readonly Message[] = [],
  ) => {
    world.network = async (request, ask) => {
      const answer = await ask(request)
      const name = new URL(request.url).pathname.split('/').at(-1) ?? ''
      if (name === 'import-errors') return Response.json(errorsPage(errors))
      if (!/profile-bulk-import-jobs\/[^/]+$/.test(request.url)) return answer
      const document = (await answer.json()) as JobDocument
      document.data.attributes.failed_count = errors.length
      return Response.json(document)
    }
    await world.store(...emails(30).map((email) => anIdentify(email)), ...more)
    await world.runUntil(world.now() + 30 * minute)
    expect(calls().filter((name) => name === 'profiles')).toHaveLength(1)
    const sends = await world.sends()
    return sends
      .filter(({ error }) => error !== undefined)
      .map((send) => `${send.profile.replace('email:', '')} ${stateOf(send)}`)
  }

  it('fails the one without an email by an error that names nobody', async () => {
    const shown = await importing(
      [{ code: 'other' }],
      [{ kind: 'identify', profile: { phoneNumber } }],
    )
    expect(shown).toEqual([`phone:${phoneNumber} failed other`])
  })

  it('shows such an error on all that it can mean, where that is open', async () => {
    const shown = await importing([{ email: 'p0@x.io', code: 'invalid' }, { code: 'other' }])
    const others = emails(30).slice(1)
    expect(shown.sort()).toEqual(
      ['p0@x.io failed invalid', ...others.map((email) => `${email} sent other`)].sort(),
    )
  })

  it.each([{ isSlow: false }, { isSlow: true }])(
    'sends alone what can do without a value, unless something later may have overtaken it (slow: $isSlow)',
    async ({ isSlow }) => {
      world.account({ jobSeconds: isSlow ? 600 : 1 })
      const shown = await importing([
        { email: 'p0@x.io', code: 'duplicate_profile' },
        { email: 'p1@x.io', code: 'invalid' },
      ])
      const failed = ['p0@x.io failed duplicate_profile', 'p1@x.io failed invalid']
      expect(shown).toEqual(isSlow ? failed : failed.slice(1))
      expect(calls().includes('profile')).toBe(!isSlow)
    },
  )
})

interface JobDocument {
  data: { attributes: { failed_count: number } }
}

const errorsPage = (errors: readonly { email?: string; code: string }[]) => ({
  data: errors.map(({ email, code }, id) => ({
    type: 'import-error',
    id: `${id}`,
    attributes: {
      code,
      title: '',
      detail: '',
      source: { pointer: '/data/attributes' },
      original_payload: email === undefined ? {} : { email },
    },
  })),
  links: {},
})
