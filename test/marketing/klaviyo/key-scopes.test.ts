import { beforeEach, describe, expect, it } from 'vitest'
import {
  allScopes,
  callNames,
  calls,
  type CallName,
  type Scope,
} from '../../../dev/klaviyo/calls.ts'
import { demoLists } from '../../../dev/klaviyo/lists.ts'
import {
  keyFeatures,
  scopesOf,
  type KeyFeatureName,
} from '../../../src/marketing/klaviyo/key-scopes.js'
import type { Message } from '../../../src/marketing/klaviyo/message.js'
import { apiOf } from '../../support/api-of.js'
import {
  aListAdd,
  anEvent,
  anIdentify,
  aPastEvent,
  aSubscribe,
  anUnsubscribe,
} from '../../support/messages.js'
import { createProduct } from '../../support/products.js'
import { databaseKinds } from '../../support/store.js'
import { countByState } from '../../support/stored-sends.js'
import { catalogShop, image } from '../catalog/catalog-shop.js'
import { aCustomer, aPerson, consentsOf, leave } from '../consent/consent-shop.js'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const list = demoLists[0]?.id ?? ''

describe.each(databaseKinds)('A key without a scope (%s)', (kind) => {
  const shop = catalogShop(kind, {
    workers: ({ catalogFeed, catalogSync, erasureWorker, consentPoll }) =>
      [catalogFeed, catalogSync, erasureWorker, consentPoll].filter(
        (worker) => worker !== undefined,
      ),
    cleared: ['users', 'variants', 'products', 'marketing-catalog', 'payload-kv'],
    options: { marketing: { coupons: { id: 'TEA', makeCodes: () => [] } } },
  })
  /** What the key may do, also after a change while the shop runs. */
  let scopes: Scope[]

  beforeEach(() => {
    scopes = [...allScopes]
    shop.account({ scopes })
  })

  const withdraw = (...taken: Scope[]) => {
    scopes.splice(0, Infinity, ...scopes.filter((scope) => !taken.includes(scope)))
  }
  const grant = (...given: Scope[]) => scopes.push(...given)
  const test = async () => {
    // A test at the moment of a call would say nothing about what came first.
    shop.move(second)
    const path = '/globals/marketing-settings/test-connection'
    return (await apiOf(shop)(path, { as: 'admin', body: {} })).json() as Promise<unknown>
  }
  const matters = async () => {
    const { open } = await shop.parts.alerts.matters()
    return open.flatMap(({ name, facts }) => (facts.scopes ? [[name, facts.scopes]] : []))
  }
  /** Why each send waits. */
  const waits = async () => {
    const found = await shop.sends()
    const all = await shop.parts.sendWaits(found.map(({ id }) => id))
    return found.flatMap(({ id }) => all.get(id) ?? [])
  }
  const waitsFor = async () => (await waits()).map((wait) => wait.for)
  const states = async () => countByState(await shop.sends())
  /** The calls with something in them: a test of the key posts `{}`. */
  const callsOf = (name: CallName) =>
    shop.standIn.state.calls.filter((call) => call.name === name && call.bytes > 2)

  it('names what is off at the test of the connection, feature by feature', async () => {
    withdraw('lists:write', 'catalogs:write', 'metrics:read')
    expect(await test()).toEqual({
      is: 'connected',
      account: expect.any(String) as string,
      lacking: [
        { name: 'lists', off: 'listsOff', scopes: ['lists:write'], isUsed: true },
        { name: 'subscriptions', off: 'subscriptionsOff', scopes: ['lists:write'], isUsed: true },
        { name: 'catalog', off: 'catalogOff', scopes: ['catalogs:write'], isUsed: true },
        { name: 'backInStock', off: 'backInStockOff', scopes: ['catalogs:write'], isUsed: true },
        { name: 'metrics', off: 'metricsOff', scopes: ['metrics:read'], isUsed: false },
      ],
    })
  })

  it('is one matter for each feature that the shop uses', async () => {
    withdraw(...scopes.slice())
    await shop.save({ followUnsubscribes: true })
    await test()
    const used = (Object.keys(keyFeatures) as KeyFeatureName[]).filter((name) => name !== 'metrics')
    const open = await matters()
    expect(open.map(([name]) => name)).toEqual(used.map((name) => `${name}Off`))
    // What is behind another missing one cannot be seen.
    for (const [index, name] of used.entries()) {
      const said = open[index]?.[1]?.split(', ') ?? []
      expect(scopesOf(name)).toEqual(expect.arrayContaining(said))
    }

    await shop.save({ followUnsubscribes: false, catalog: 'feed' })
    const left = (await matters()).map(([name]) => name)
    expect(left).not.toContain('catalogOff')
    expect(left).not.toContain('consentsOff')

    grant(...allScopes)
    await test()
    expect(await matters()).toEqual([])
  })

  it('stops the calls of that feature for an hour, and loses nothing', async () => {
    withdraw('data-privacy:write')
    await shop.store({ kind: 'erase', profile: { email: 'gone@x.io' } }, anEvent('b@x.io', '1'))
    await shop.runUntil(shop.begin + 40 * minute)
    expect(callsOf('delete-profile')).toHaveLength(1)
    expect(await matters()).toEqual([['erasuresOff', 'data-privacy:write']])
    const erase = (await shop.sends()).find((send) => send.kind === 'erase')
    const waits = await shop.parts.sendWaits([erase?.id ?? 0])
    expect([...waits.values()]).toEqual([
      { for: 'scope', feature: 'erasures', scopes: ['data-privacy:write'] },
    ])
    // Nobody is told that sends wait for long: that is said already.
    const { open } = await shop.parts.alerts.matters()
    expect(open.map(({ name }) => name)).not.toContain('sendsWaiting')

    await shop.runUntil(shop.begin + 4 * hour)
    expect(callsOf('delete-profile').length).toBeLessThan(7)
    expect(await states()).toEqual({ queued: 1, sent: 1 })

    grant('data-privacy:write')
    await shop.runUntil(shop.now() + hour + minute)
    expect(await states()).toEqual({ sent: 2 })
    expect(await matters()).toEqual([])
  })

  it('goes on at once after a test that finds the scope, and with another key', async () => {
    withdraw('lists:write', 'profiles:read')
    await shop.store(anIdentify('a@x.io'), aListAdd('a@x.io', list))
    await shop.runUntil(shop.begin + 5 * minute)
    expect(await matters()).toEqual([['listsOff', 'profiles:read']])
    grant('profiles:read')
    await test()
    expect(await matters()).toEqual([
      ['listsOff', 'lists:write'],
      ['subscriptionsOff', 'lists:write'],
    ])
    await shop.runUntil(shop.now() + minute)
    expect(callsOf('list-members')).toEqual([])
    expect(await matters()).toEqual([
      ['listsOff', 'lists:write'],
      ['subscriptionsOff', 'lists:write'],
    ])

    grant('lists:write')
    await test()
    await shop.runUntil(shop.now() + 20 * second)
    expect(await states()).toEqual({ sent: 2 })
    expect(await matters()).toEqual([])

    withdraw('lists:write')
    await shop.store(aSubscribe('b@x.io', list))
    await shop.pass()
    expect((await matters()).map(([name]) => name)).toContain('subscriptionsOff')
    await test()
    // The delivery knows the test when the key changes.
    await shop.runUntil(shop.now() + 5 * second)
    await shop.pass()
    shop.account({ apiKey: 'pk_wider' })
    await shop.save({ privateApiKey: 'pk_wider' })
    await shop.runUntil(shop.now() + 20 * second)
    expect(await states()).toEqual({ sent: 3 })
    expect(await matters()).toEqual([])
  })

  it('goes on at once with another key, where a question before the call lacked its scope', async () => {
    withdraw('profiles:read')
    const profile = { email: 'a@x.io' }
    await shop.store({ kind: 'subscribe', profile, list, channels: ['email'], basis: 'explicit' })
    await shop.runUntil(shop.begin + 5 * minute)
    expect(await states()).toEqual({ queued: 1 })
    shop.account({ apiKey: 'pk_wider' })
    await shop.save({ privateApiKey: 'pk_wider' })
    await shop.runUntil(shop.now() + 20 * second)
    expect(await states()).toEqual({ sent: 1 })
  })

  it('that may only read has each feature off that writes, says so of each send, and loses nothing', async () => {
    await aPerson(shop, { email: 'd@x.io' })
    withdraw(...scopes.filter((scope) => scope.endsWith(':write')))
    await shop.save({ followUnsubscribes: true })
    const product = await createProduct(shop.payload, { image, inventory: 0 })
    const messages: Message[] = [
      anEvent('a@x.io', '1'),
      aPastEvent('b@x.io', '2'),
      anIdentify('c@x.io'),
      aListAdd('d@x.io', list),
      aSubscribe('e@x.io', list),
      anUnsubscribe('f@x.io'),
      { kind: 'erase', profile: { email: 'g@x.io' } },
      {
        kind: 'back-in-stock',
        profile: { email: 'h@x.io' },
        ...{ variant: `product-${product}`, product: 'Tea', channels: ['email'] },
      },
    ]
    await shop.store(...messages)
    await shop.runUntil(shop.begin + 4 * hour)
    for (const name of callNames.filter((one) => calls[one].method === 'POST'))
      expect(callsOf(name).length, name).toBeLessThan(7)
    expect(await states()).toEqual({ queued: 8 })
    expect((await matters()).map(([name]) => name)).toEqual([
      'eventsOff',
      'profilesOff',
      'listsOff',
      'subscriptionsOff',
      'catalogOff',
      'backInStockOff',
      'erasuresOff',
    ])
    const subscribing = ['profiles:write', 'lists:write', 'subscriptions:write']
    expect(
      (await waits()).map((wait) => wait.for === 'scope' && [wait.feature, wait.scopes]),
    ).toEqual([
      ['events', ['events:write']],
      ['events', ['events:write']],
      ['profiles', ['profiles:write']],
      ['lists', ['profiles:write', 'lists:write']],
      ['subscriptions', subscribing],
      ['subscriptions', subscribing],
      ['erasures', ['data-privacy:write']],
      ['backInStock', ['catalogs:write']],
    ])

    grant(...allScopes)
    await test()
    // The delivery looks for a new test every few seconds.
    shop.move(5 * second)
    await shop.runUntil(shop.now() + 5 * minute)
    expect(await states()).toEqual({ sent: 8 })
    expect(await matters()).toEqual([])
  })

  it('keeps a deletion behind the objection before it, and what comes later behind the deletion', async () => {
    const email = 'gone@x.io'
    withdraw('lists:write')
    await test()
    await shop.store(anEvent(email, '1'))
    await shop.runUntil(shop.now() + minute)
    await shop.store(anUnsubscribe(email))
    await shop.store({ kind: 'erase', profile: { email } })
    await shop.store(anEvent(email, '2'), aSubscribe(email, list), anEvent('b@x.io', '3'))
    await shop.runUntil(shop.now() + 45 * minute)
    expect(await states()).toEqual({ sent: 2, queued: 4 })
    expect(await waitsFor()).toEqual(['scope', 'earlier', 'earlier', 'scope'])

    grant('lists:write')
    await test()
    shop.move(5 * second)
    await shop.runUntil(shop.now() + 5 * minute)
    expect(await states()).toEqual({ sent: 6 })
    const made = ['unsubscribe', 'delete-profile', 'event', 'subscribe'] as const
    const last = made.map((name) => shop.standIn.state.calls.indexOf(callsOf(name).at(-1)!))
    expect(last).toEqual(last.toSorted((one, other) => one - other))
  })

  it('lets the objection of an erased person go, whatever of them had waited for the scope', async () => {
    const email = 'gone@x.io'
    withdraw('events:write')
    await test()
    await shop.store(anEvent(email, '1'))
    await shop.runUntil(shop.now() + minute)
    await shop.store(anUnsubscribe(email))
    await shop.parts.erasures.erase(email, { orders: 'anonymise', door: 'admin' })
    await shop.runUntil(shop.now() + 15 * minute)
    expect(callsOf('unsubscribe')).toHaveLength(1)
    expect(callsOf('delete-profile')).toHaveLength(1)
  })

  it('waits for the scope apart from an outage', async () => {
    withdraw('data-privacy:write')
    await shop.store({ kind: 'erase', profile: { email: 'gone@x.io' } })
    await shop.runUntil(shop.begin + 45 * minute)
    const { network } = shop
    let asked = 0
    const beginOutage = () => {
      shop.network = (request) => {
        if (request.url.endsWith('/data-privacy-deletion-jobs')) asked += 1
        return Promise.resolve(new Response('', { status: 503 }))
      }
    }
    beginOutage()
    await shop.store(anEvent('b@x.io', '1'))
    await shop.runUntil(shop.now() + 20 * minute)
    expect(asked).toBeGreaterThan(0)
    expect(await waitsFor()).toEqual(['scope', 'outage'])
    expect(await matters()).toEqual([['erasuresOff', 'data-privacy:write']])

    shop.network = network
    await shop.runUntil(shop.now() + 2 * minute)
    expect(await states()).toEqual({ queued: 1, sent: 1 })
    const made = callsOf('delete-profile').length
    await shop.runUntil(shop.now() + 45 * minute)
    expect(callsOf('delete-profile')).toHaveLength(made)
    expect(await waitsFor()).toEqual(['scope'])

    beginOutage()
    await shop.store(anEvent('b@x.io', '2'))
    grant('data-privacy:write')
    await shop.runUntil(shop.now() + 20 * minute)
    shop.network = network
    await shop.runUntil(shop.now() + 2 * minute)
    expect(await states()).toEqual({ sent: 3 })
    expect(await matters()).toEqual([])
  })

  it('asks who has left no more than once an hour, and learns of all once it may', async () => {
    const { id, email } = await aCustomer(shop)
    await leave(shop, email)
    withdraw('profiles:read')
    await shop.save({ followUnsubscribes: true })
    await shop.runUntil(shop.begin + 4 * hour)
    expect(
      shop.standIn.state.calls.filter(({ name }) => name === 'find-profiles').length,
    ).toBeLessThan(6)
    expect(await matters()).toEqual([
      ['listsOff', 'profiles:read'],
      ['consentsOff', 'profiles:read'],
    ])
    expect(await consentsOf(shop, id)).toMatchObject({ email: { status: 'never' } })

    grant('profiles:read')
    await shop.runUntil(shop.now() + hour + 15 * minute)
    expect(await consentsOf(shop, id)).toMatchObject({ email: { status: 'unsubscribed' } })
    expect(await matters()).toEqual([])
  })

  it('makes no call for what a test has found to be off', async () => {
    withdraw('subscriptions:write')
    await test()
    await shop.pass()
    await shop.store(aSubscribe('a@x.io', list), anUnsubscribe('b@x.io'), anEvent('c@x.io', '1'))
    await shop.runUntil(shop.now() + 10 * minute)
    expect([...callsOf('subscribe'), ...callsOf('unsubscribe')]).toEqual([])
    expect(await states()).toEqual({ queued: 2, sent: 1 })
  })

  describe('holds up, of the same person,', () => {
    const ofAda = (
      ...kinds: ('event' | 'identify' | 'list-add' | 'subscribe' | 'unsubscribe' | 'erase')[]
    ) =>
      shop.store(
        ...kinds.map((kind, place) => {
          const email = 'ada@x.io'
          if (kind === 'event') return anEvent(email, `${place}`)
          if (kind === 'identify') return anIdentify(email, { firstName: `Ada ${place}` })
          if (kind === 'list-add') return aListAdd(email, list)
          if (kind === 'subscribe') return aSubscribe(email, list)
          if (kind === 'unsubscribe') return anUnsubscribe(email)
          return { kind, profile: { email } }
        }),
      )
    const waiting = async () =>
      (await shop.sends()).filter(({ state }) => state === 'queued').map(({ kind }) => kind)
    const wait = async () => {
      await shop.runUntil(shop.now() + 10 * minute)
      return (await waiting()).sort()
    }
    /** Another process goes on, once the key has the scope. */
    const goOn = async (...given: Scope[]) => {
      await shop.parts.deliverer.giveBack()
      grant(...given)
      await test()
      await shop.runUntil(shop.now() + 5 * minute)
      return states()
    }
    const madeInOrder = (...names: CallName[]) =>
      shop.standIn.state.calls
        .filter(({ name, bytes, status }) => names.includes(name) && bytes > 2 && status < 300)
        .map(({ name }) => name)

    it('nothing, where a list add waits', async () => {
      withdraw('lists:write')
      await ofAda('identify', 'list-add', 'event', 'list-add', 'event')
      expect(await wait()).toEqual(['list-add', 'list-add'])
      expect(await goOn('lists:write')).toEqual({ sent: 5 })
    })

    it('the unsubscribe after it, where a subscription waits', async () => {
      withdraw('subscriptions:write')
      await ofAda('subscribe', 'event', 'unsubscribe', 'identify')
      expect(await wait()).toEqual(['subscribe', 'unsubscribe'])
      expect(await goOn('subscriptions:write')).toEqual({ sent: 4 })
      expect(madeInOrder('subscribe', 'unsubscribe')).toEqual(['subscribe', 'unsubscribe'])
    })

    it('what needs its profile, where an event waits', async () => {
      withdraw('events:write')
      await ofAda('event', 'list-add', 'subscribe')
      expect(await wait()).toEqual(['event', 'list-add'])
      expect(await goOn('events:write')).toEqual({ sent: 3 })
      expect(madeInOrder('event', 'list-members')).toEqual(['event', 'list-members'])
    })

    it('everything, where a deletion waits', async () => {
      withdraw('data-privacy:write')
      await ofAda('erase', 'event', 'identify')
      expect(await wait()).toEqual(['erase', 'event', 'identify'])
      const [first, ...others] = await shop.sends()
      const waits = await shop.parts.sendWaits(others.map(({ id }) => id))
      for (const found of waits.values())
        expect(found).toMatchObject({ for: 'earlier', send: { id: first?.id } })
      expect(await goOn('data-privacy:write')).toEqual({ sent: 3 })
      expect(madeInOrder('delete-profile', 'event', 'profile')[0]).toBe('delete-profile')
    })
  })

  it('keeps the catalog back whole, whichever of its two scopes is missing', async () => {
    withdraw('catalogs:read')
    const data = { title: 'Tea', image: 'https://x.io/tea.png', priceInUSD: 1200 }
    await shop.payload.create({ collection: 'products', data: { ...data, _status: 'published' } })
    await shop.store(anEvent('a@x.io', '1'))
    await shop.settle(10 * minute)
    const calls = shop.catalogCalls().length
    expect(calls).toBeGreaterThan(0)
    expect(calls).toBeLessThan(5)
    expect(await matters()).toEqual([['catalogOff', 'catalogs:read']])
    expect(await shop.counts('failed')).toBe(0)

    grant('catalogs:read')
    await test()
    await shop.settle(2 * minute)
    expect(shop.entries('item')).toHaveLength(1)
    expect(await matters()).toEqual([])
  })
})
