import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { DeliveryStore } from '../../../src/marketing/delivery/delivery-store.js'
import type { ReadFrom } from '../../../src/marketing/delivery/waiting-sends.js'
import type { Lease } from '../../../src/core/workers/lease.js'
import { LeaseLost } from '../../../src/core/workers/session-work.js'
import { sqlDatabase, type Database } from '../../../src/core/database/database.js'
import type { NewSend } from '../../../src/marketing/delivery/send.js'
import type { Profile } from '../../../src/marketing/klaviyo/profile.js'
import { sendKinds, type Settlement } from '../../../src/marketing/delivery/send.js'
import { namedSends } from '../../support/named-sends.js'
import { anEvent, anIdentify, aSubscribe, at, refused } from '../../support/new-sends.js'
import { beforeStatements } from '../../support/before-statements.js'
import { rowsOfStatement } from '../../support/rows-of-statement.js'
import { simulatedStore } from '../../support/simulated-store.js'
import { databaseKinds } from '../../support/store.js'
import { endLease } from '../../support/end-lease.js'
import { idOfKey, readSends, readStates } from '../../support/stored-sends.js'

const all = (limit = 100, after = 0): ReadFrom =>
  Object.fromEntries(sendKinds.map((kind) => [kind, { after, limit }])) as ReadFrom

const aPastEvent = (key: string): NewSend => {
  const { message, ...send } = anEvent(key)
  if (message.kind !== 'event') throw new TypeError('It is no event.')
  return { ...send, message: { ...message, event: { ...message.event, backfill: true } } }
}

describe.each(databaseKinds)('The sends as a deliverer has them (%s)', (kind) => {
  const store = simulatedStore(kind)
  let database: Database
  let delivery: DeliveryStore
  let lease: Lease
  beforeEach(async () => {
    database = sqlDatabase(store.payload)
    delivery = store.parts.deliveryStore
    lease = await mustTake()
  })

  const mustTake = async (): Promise<Lease> => {
    const taken = await store.parts.leases.take()
    if (taken === undefined) throw new Error('Another process delivers.')
    return taken
  }
  const idsOf = (keys: readonly string[]) => Promise.all(keys.map((key) => idOfKey(store, key)))
  const named = (ids: readonly number[]) => namedSends(database, ids)
  /** Keys of those that are in the call now. */
  const begin = async (keys: readonly string[], by = lease, name: string = randomUUID()) => {
    const ids = await idsOf(keys)
    const begun = await delivery.begin([{ name, sends: await named(ids) }], by, {})
    return keys.filter((_, index) => begun.has(ids[index] ?? 0))
  }
  const settle = async (
    keys: readonly string[],
    settlementOf: (id: number) => Settlement = (id) => ({ id, to: 'sent' }),
    seconds = 1,
  ) => delivery.settle((await idsOf(keys)).map(settlementOf), lease, at(seconds))
  const post = (...sends: NewSend[]) => store.parts.outbox.store(sends)
  const two = ['a', 'b'].map((key) => anIdentify(key, { email: `${key}@example.com` }))

  it('are read by kind in the order of their ids, a number at a time', async () => {
    await post(anEvent('e1'), aSubscribe('s'), anEvent('e2'), anIdentify('i'))
    const [e1 = 0, s, e2, i = 0] = await idsOf(['e1', 's', 'e2', 'i'])
    const read = async (from: ReadFrom) => (await delivery.readWaiting(from)).map(({ id }) => id)
    expect(await read(all(1))).toEqual([e1, s, i])
    expect(await read({ ...all(0), event: { after: e1, limit: 5 } })).toEqual([e2])
    await begin(['e1'])
    expect(await read(all())).toEqual([s, e2, i])
    const waiting = await delivery.readWaitingIds(sendKinds, all(0, i))
    expect(waiting.sort((one, other) => one - other)).toEqual([s, e2, i])
    expect(await delivery.readByIds([e1, i])).toMatchObject([{ id: i, kind: 'identify' }])
  })

  it('begin with their messages, but for what something earlier of their profile is in the way of', async () => {
    await post(anEvent('a1'), anEvent('a2'), aSubscribe('a3'), aPastEvent('past'))
    await post(anEvent('b', { email: 'bob@example.com' }))
    expect(await begin(['a2', 'b'])).toEqual(['b'])
    expect(await begin(['a1', 'a3'])).toEqual(['a1'])
    expect(await begin(['a2', 'b'])).toEqual([])
    expect(await begin(['past'])).toEqual(['past'])
    await settle(['a1'], (id) => ({ id, to: 'failed', error: refused }))
    const ids = await idsOf(['a2', 'a3'])
    const begun = await delivery.begin([{ name: 'next', sends: await named(ids) }], lease, {})
    expect([...begun.values()]).toEqual([anEvent('a2').message, aSubscribe('a3').message])
  })

  it('are read with what became of the subscriptions of a person, the newest ones', async () => {
    const phoneNumber = '+447400123456'
    const leave = (key: string, profile: Profile): NewSend => ({
      key,
      acceptedAt: at(0),
      message: { kind: 'unsubscribe', profile, channels: ['sms'] },
    })
    await post(aSubscribe('sent'), aSubscribe('skipped'), aSubscribe('waits'), anEvent('event'))
    await begin(['sent', 'skipped'])
    await settle(['sent'])
    await settle(['skipped'], (id) => ({ id, to: 'skipped', error: refused }))
    await post(leave('hers', { email: 'Ada@example.com', phoneNumber: '+447400999999' }))
    await post(
      leave('his', { email: 'bob@example.com', phoneNumber }),
      leave('other', { phoneNumber: '+447400111111' }),
    )
    const ids = await idsOf(['sent', 'skipped', 'waits', 'hers', 'his'])
    const read = () => delivery.readSubscriptions(['email:ada@example.com'], [phoneNumber])
    expect((await read()).map(({ id, sentAt }) => [id, sentAt])).toEqual(
      ids.map((id, index) => [id, index === 0 ? at(1) : undefined]),
    )
    await post(...Array.from({ length: 60 }, (_, index) => aSubscribe(`again${index}`)))
    const newest = (await read()).map(({ id }) => id)
    expect(newest).toHaveLength(52)
    expect(newest).toEqual(expect.arrayContaining(ids.slice(3)))
    expect(newest).toContain((await idsOf(['again59']))[0])
  })

  it('are not mistaken for a send that has got the id of a deleted one', async () => {
    await post(anIdentify('deleted', { email: 'ada@example.com' }))
    const remembered = await named(await idsOf(['deleted']))
    await store.parts.outbox.forget(database, {
      profiles: ['email:ada@example.com'],
      externalIds: [],
      phoneNumbers: [],
    })
    await post(anIdentify('another', { email: 'bob@example.com' }))
    const [id = 0] = await idsOf(['another'])
    const asked = remembered.map((send) => ({ ...send, id }))
    expect((await delivery.begin([{ name: 'call', sends: asked }], lease, {})).size).toBe(0)
    expect(await begin(['another'])).toEqual(['another'])
  })

  it('are read with what waits of their profiles', async () => {
    await post(anEvent('a1'), aSubscribe('a2'), anEvent('b', { email: 'bob@example.com' }))
    await post(anIdentify('a3'))
    const [a1, a2 = 0, , a3] = await idsOf(['a1', 'a2', 'b', 'a3'])
    const read = async (limit: number) =>
      (await delivery.readOfProfiles([a2], { limit })).map(({ id }) => id)
    expect(await read(100)).toEqual([a1, a2, a3])
    expect(await read(1)).toEqual([a1])
    await begin(['a1'])
    expect(await read(100)).toEqual([a2, a3])
  })

  it('are written to by the process alone that has the lease', async () => {
    await post(anEvent('a'), aSubscribe('behind'), ...two.slice(1))
    await begin(['a', 'b'])
    const stale = lease
    await endLease(database)
    lease = await mustTake()
    const [a = 0, b = 0, behind = 0] = await idsOf(['a', 'b', 'behind'])
    const before = await readStates(store)
    await delivery.settle([{ id: a, to: 'sent' }], stale, at(2))
    await delivery.settle([{ id: b, to: 'failed', error: refused }], stale, at(2))
    await delivery.release(sendKinds, stale, at(2))
    await expect(begin(['behind'], stale)).rejects.toThrow(LeaseLost)
    expect(await readStates(store)).toEqual(before)
    expect((await delivery.readByIds([behind]))[0]?.dueAt).toBe(at(0).getTime())

    await delivery.settle([{ id: a, to: 'sent' }], lease, at(2))
    // What is over stays so.
    await delivery.settle([{ id: a, to: 'failed', error: refused }], lease, at(3))
    expect(await readStates(store)).toEqual({ ...before, a: 'sent' })
  })

  it('are each written what became of them', async () => {
    const keys = ['sent', 'skipped', 'failed', 'queued']
    await post(...keys.map((key) => anEvent(key, { email: `${key}@example.com` })))
    await begin(keys)
    const { message } = anEvent('retried', { email: 'queued@example.com' })
    const [sent = 0, skipped = 0, failed = 0, queued = 0] = await idsOf(keys)
    const again = { nextAttemptAt: at(3), attempts: 4, batchSize: 10, message, error: refused }
    await delivery.settle(
      [
        { id: sent, to: 'sent' },
        { id: skipped, to: 'skipped', error: { code: 'PROFILE_NOT_FOUND', detail: '' } },
        { id: failed, to: 'failed', error: refused },
        { id: queued, to: 'queued', ...again },
      ],
      lease,
      at(1),
    )
    expect(await readStates(store)).toEqual({
      sent: 'sent',
      skipped: 'skipped PROFILE_NOT_FOUND',
      failed: 'failed invalid',
      queued: 'queued invalid',
    })
    expect(await delivery.readWaiting(all())).toMatchObject([
      {
        dueAt: at(3).getTime(),
        attempts: 4,
        batchSize: 10,
        isUnanswered: false,
        bytes: Buffer.byteLength(JSON.stringify(message)),
      },
    ])
    expect((await readSends(store)).find(({ id }) => id === queued)?.message).toEqual(message)
  })

  it('are all due at once when calls work again', async () => {
    await post(anEvent('put-off', { acceptedAt: at(50) }), anIdentify('i', { acceptedAt: at(50) }))
    await delivery.release(['event'], lease, at(9))
    const waiting = await delivery.readWaiting(all())
    expect(waiting.map(({ dueAt }) => dueAt)).toEqual([at(9).getTime(), at(50).getTime()])
  })

  it('are due some time after that when processes died with them, and no later than before', async () => {
    await post(...['lost', 'soon'].map((key) => anEvent(key, { email: `${key}@example.com` })))
    await begin(['lost', 'soon'])
    const again = { to: 'queued', attempts: 1, batchSize: 1, crashes: 1 } as const
    await settle(['lost'], (id) => ({ id, ...again, nextAttemptAt: at(50) }))
    await settle(['soon'], (id) => ({ id, ...again, nextAttemptAt: at(15) }))
    await delivery.release(['event'], lease, at(9), at(20))
    const waiting = await delivery.readWaiting(all())
    expect(waiting.map(({ dueAt }) => dueAt)).toEqual([at(20).getTime(), at(15).getTime()])
    await delivery.release(['event'], lease, at(9))
    const due = await delivery.readWaiting(all())
    expect(due.map(({ dueAt }) => dueAt)).toEqual([at(9).getTime(), at(9).getTime()])
  })

  it('are found by the next process when theirs is lost, and in which call', async () => {
    await post(anEvent('a'), anEvent('waiting', { email: 'c@example.com' }))
    await begin(['a'], lease, 'call')
    const [a = 0] = await idsOf(['a'])
    expect(await delivery.readInFlight()).toMatchObject([
      { id: a, call: 'call', crashes: 0, attempts: 0 },
    ])
    const lost = { to: 'queued', nextAttemptAt: at(2), attempts: 0, batchSize: 1 } as const
    await delivery.settle([{ id: a, ...lost, crashes: 1, isUnanswered: true }], lease, at(2))
    expect(await delivery.readByIds([a])).toMatchObject([{ isUnanswered: true }])
    await begin(['a'])
    expect((await delivery.readInFlight())[0]).toMatchObject({ crashes: 1, batchSize: 1 })
  })

  it('say when their profiles were last sent something that makes a profile', async () => {
    const [bob, email] = ['bob@example.com', 'carol@example.com']
    await post(anEvent('first'), anIdentify('last'), aSubscribe('subscribed', { email: bob }))
    await post(anEvent('refused', { email }))
    await begin(['first', 'subscribed', 'refused'])
    await settle(['first', 'subscribed'])
    await settle(['refused'], (id) => ({ id, to: 'failed', error: refused }))
    await begin(['last'])
    await settle(['last'], (id) => ({ id, to: 'sent' }), 6)
    const profiles = ['ada', 'bob', 'carol'].map((name) => `email:${name}@example.com`)
    const read = async (from: number, to: number) => [
      ...(await delivery.readLastSent(profiles, { from: at(from), to: at(to) })),
    ]
    expect(await read(0, 9)).toEqual([['email:ada@example.com', at(6)]])
    expect(await read(0, 5)).toEqual([['email:ada@example.com', at(1)]])
    expect(await read(6, 9)).toEqual([])
  })

  it('are read and deleted in statements of at most 250 rows, however many there are', async () => {
    const people = Array.from({ length: 600 }, (_, index) => `p${index}@example.com`)
    const profiles = people.map((email) => `email:${email}`)
    const phoneNumbers = people.map((_, index) => `+4474001${String(index).padStart(5, '0')}`)
    const events = people.map((_, index) => `event ${index}`)
    await post(
      ...people.flatMap((email, index) => [
        anEvent(`event ${index}`, { email }),
        aSubscribe(`subscribe ${index}`, { email }),
      ]),
    )
    await begin(events)
    const again = { to: 'queued', nextAttemptAt: at(1), attempts: 1, batchSize: 1 } as const
    await settle(events, (id) => ({ id, ...again }))

    const sizes: number[] = []
    const inSmallStatements = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      sizes.length = 0
      const end = beforeStatements(store.payload, (statement, values) => {
        sizes.push(rowsOfStatement(statement, values))
      })
      const result = await work().finally(end)
      expect(Math.max(...sizes)).toBe(250)
      return result
    }
    const ids = await idsOf(events)
    const emailOf = new Map(ids.map((id, index) => [id, people[index]]))
    const repeats = await inSmallStatements(() => delivery.readRepeats(profiles))
    expect(new Map(repeats.map(({ id, profile }) => [id, profile.email]))).toEqual(emailOf)
    const subscriptions = await inSmallStatements(() =>
      delivery.readSubscriptions(profiles, phoneNumbers),
    )
    expect(subscriptions).toHaveLength(600)
    await begin(events)
    await settle(events)
    expect(await inSmallStatements(() => delivery.prune(at(9), at(0)))).toBe(600)
  })

  it('are deleted when they were sent, skipped or accepted to fail long ago', async () => {
    const ends: Record<string, (id: number) => Settlement> = {
      old: (id) => ({ id, to: 'sent' }),
      skipped: (id) => ({ id, to: 'skipped', error: refused }),
      failed: (id) => ({ id, to: 'failed', error: refused }),
    }
    const keys = [...Object.keys(ends), 'new', 'waiting']
    await post(...keys.map((key) => anEvent(key, { email: `${key}@example.com` })))
    await begin(keys.slice(0, -1))
    for (const [key, settlementOf] of Object.entries(ends)) await settle([key], settlementOf)
    await settle(['new'], (id) => ({ id, to: 'sent' }), 2)
    expect(await delivery.prune(at(2), at(0))).toBe(2)
    expect(await delivery.prune(at(2), at(0))).toBe(0)
    expect(Object.keys(await readStates(store))).toEqual(['failed', 'new', 'waiting'])
    expect(await delivery.prune(at(2), at(1))).toBe(1)
    expect(await delivery.prune(at(9), at(1))).toBe(1)
    expect(await readStates(store)).toEqual({ waiting: 'queued' })
  })
})
