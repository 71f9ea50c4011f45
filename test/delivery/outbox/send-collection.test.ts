import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sqlDatabase } from '../../../src/store/payload/database.js'
import { createCallLogStore } from '../../../src/store/payload/outbox/call-log-store.js'
import { sendTable, sendsSlug } from '../../../src/store/payload/outbox/send-table.js'
import { aListAdd, anEvent, at } from '../../support/outbox-suite.js'
import { databaseKinds } from '../../support/store.js'
import { openOutboxStore, type OutboxStore } from './outbox-store.js'
import { idOfKey, readStates } from './stored-sends.js'

describe.each(databaseKinds)('The sends of a store (%s)', (kind) => {
  let store: OutboxStore
  let headers: Record<'admin' | 'customer', HeadersInit>
  beforeAll(async () => {
    store = await openOutboxStore(kind, 'uuid')
    headers = { admin: await logIn('admin'), customer: await logIn('customer') }
  })
  beforeEach(() => store.clear())
  afterAll(() => store.close())

  const logIn = async (roles: string): Promise<HeadersInit> => {
    const data = { email: `${roles}@example.com`, password: 'a-password' }
    await store.payload.create({ collection: 'users', data: { ...data, roles } })
    const { token } = await store.payload.login({ collection: 'users', data })
    return { authorization: `JWT ${token}` }
  }
  const group = { lane: 'events', isolation: 0 } as const
  const limits = { now: at(0), leaseUntil: at(7), limit: 10, bytes: 1e6 }
  const fail = async (key: string) => {
    await store.outbox.store([anEvent(key)])
    const claimed = await store.outbox.claim(group, limits)
    if (claimed === undefined) throw new Error('Nothing was claimed.')
    const error = { code: 'invalid', detail: 'Not taken.', status: 400, pointer: '/data' }
    const settlements = claimed.sends.map(({ id }) => ({ id, to: 'failed' as const, error }))
    await store.outbox.settle(claimed, settlements, at(1))
    return idOfKey(store, key)
  }
  const post = (id: number | string, action: string, who?: 'admin' | 'customer') =>
    store.api(`/${sendsSlug}/${id}/${action}`, {
      method: 'POST',
      ...(who && { headers: headers[who] }),
    })

  it('have ascending numbers as ids where everything else has UUIDs', async () => {
    await store.outbox.store([anEvent('a'), anEvent('b')])
    expect((await idOfKey(store, 'b')) - (await idOfKey(store, 'a'))).toBe(1)
  })

  it('are shown to admins with message and error, and to nobody else', async () => {
    const id = await fail('a')
    const response = await store.api(`/${sendsSlug}/${id}`, { headers: headers.admin })
    expect(await response.json()).toMatchObject({
      state: 'failed',
      kind: 'event',
      profile: 'email:ada@example.com',
      metric: 'Viewed',
      uniqueId: 'a',
      message: anEvent('a').message,
      acceptedAt: at(0).toISOString(),
      error: { code: 'invalid', detail: 'Not taken.', status: 400, pointer: '/data' },
    })
    const list = await store.api(`/${sendsSlug}?where[state][equals]=failed`, {
      headers: headers.admin,
    })
    expect(await list.json()).toMatchObject({ totalDocs: 1 })
    for (const who of [{}, { headers: headers.customer }]) {
      expect((await store.api(`/${sendsSlug}/${id}`, who)).status).toBe(403)
    }
  })

  it('cannot be written through the API, not even by admins', async () => {
    const id = await fail('a')
    const body = JSON.stringify({ state: 'sent' })
    const headersOfJson = { ...headers.admin, 'content-type': 'application/json' }
    for (const [method, path] of [
      ['POST', `/${sendsSlug}`],
      ['PATCH', `/${sendsSlug}/${id}`],
      ['DELETE', `/${sendsSlug}/${id}`],
    ] as const) {
      const response = await store.api(path, { method, body, headers: headersOfJson })
      expect(response.status).toBe(403)
    }
    expect(await readStates(store)).toEqual({ a: 'failed invalid' })
  })

  it('are resent by admins when they failed', async () => {
    const id = await fail('a')
    expect((await post(id, 'resend')).status).toBe(403)
    expect((await post(id, 'resend', 'customer')).status).toBe(403)
    expect((await post(id, 'resend', 'admin')).status).toBe(200)
    expect(await readStates(store)).toEqual({ a: 'queued' })
    expect((await post(id, 'resend', 'admin')).status).toBe(409)
    expect((await post('x', 'resend', 'admin')).status).toBe(404)
  })

  it('are dismissed by admins when they failed', async () => {
    const id = await fail('a')
    expect((await post(id, 'dismiss', 'customer')).status).toBe(403)
    expect((await post(id, 'dismiss', 'admin')).status).toBe(200)
    expect(await readStates(store)).toEqual({})
  })

  it('keep a text that the database cannot hold but for what it cannot', async () => {
    const send = anEvent('a')
    const text = 'null \0, half \ud800, backslash \\u0000'
    const message = { ...send.message, profile: { email: 'a@example.com', title: text } }
    await Promise.all([
      store.outbox.store([{ ...send, message }]),
      store.outbox.store([anEvent('b')]),
    ])
    const claimed = await store.outbox.claim(group, limits)
    expect(claimed?.sends[0]?.message.profile.title).toBe('null , half \ufffd, backslash \\u0000')
    expect(claimed?.sends).toHaveLength(2)
  })

  it('are freed when the release of what they waited for got lost', async () => {
    await store.outbox.store([anEvent('event'), aListAdd('add', { after: 'event' })])
    const { table, bare, choice } = sendTable(store.database)
    await store.database
      .run(sql`update ${table} set ${bare.state} = ${choice('state', sql`'sent'`)},
      ${bare.sentAt} = ${at(5).toISOString()} where ${bare.key} = 'event'`)
    expect(await store.outbox.recover(at(9))).toBe(0)
    expect(await store.outbox.recover(at(10))).toBe(1)
    const waiting = await store.outbox.waiting('list-adds', { now: at(10), countUpTo: 1 })
    expect(waiting?.group.isProfileKnown).toBe(true)
  })

  it('wait on, looked at more and more seldom, while what they wait for is not over', async () => {
    await store.outbox.store([anEvent('event'), aListAdd('add', { after: 'event' })])
    for (const seconds of [10, 40, 100]) expect(await store.outbox.recover(at(seconds))).toBe(0)
    const { table, bare } = sendTable(store.database)
    const [row] = await store.database.rows(
      sql`select ${bare.leaseUntil} as "at" from ${table} where ${bare.key} = 'add'`,
    )
    expect(new Date(String(row?.at))).toEqual(at(200))
  })

  it('are refused at start-up when their ids are no sequence', () => {
    const database = sqlDatabase(store.payload)
    const tableOf = () => database.table('users')
    expect(() => sendTable({ ...database, table: tableOf })).toThrow(
      'Storeconnect needs ascending numbers as ids of "marketing-sends", and this database has others.',
    )
  })

  describe('call logs', () => {
    it('are empty at first, and come back as they were written', async () => {
      const logs = createCallLogStore(store.database)
      expect(await logs.read('event')).toEqual({ log: { calls: [] }, version: 0 })
      const log = { calls: [[1, 2] as [number, number]], pausedUntil: 5, pauseReason: 'because' }
      expect(await logs.write('event', log, 0)).toBe(true)
      expect(await logs.read('event')).toEqual({ log, version: 1 })
      expect(await logs.read('subscribe')).toEqual({ log: { calls: [] }, version: 0 })
    })

    it('are written by one of those that write at once', async () => {
      const other = await store.join()
      const stores = [store, other, store, other].map(({ database }) =>
        createCallLogStore(database),
      )
      for (const version of [0, 1, 2]) {
        const written = await Promise.all(
          stores.map((logs, index) => logs.write('profile', { calls: [[index, 1]] }, version)),
        )
        expect(written.filter(Boolean)).toHaveLength(1)
        const { log } = await createCallLogStore(store.database).read('profile')
        expect(log.calls).toEqual([[written.indexOf(true), 1]])
      }
    })
  })
})
