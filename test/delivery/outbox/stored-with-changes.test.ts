import { sql } from 'drizzle-orm'
import { commitTransaction, createLocalReq, initTransaction, killTransaction } from 'payload'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOutbox, type PayloadOutbox } from '../../../src/store/payload/outbox/outbox.js'
import { anEvent, anIdentify, at } from '../../support/outbox-suite.js'
import { openOutboxStore, type OutboxStore } from './outbox-store.js'
import { readStates } from './stored-sends.js'

describe('Sends that are stored on the connection of a request (postgres)', () => {
  let store: OutboxStore
  let outbox: PayloadOutbox

  beforeAll(async () => {
    store = await openOutboxStore('postgres')
    outbox = createOutbox(store.database)
  })
  beforeEach(() => store.clear())
  afterAll(() => store.close())

  const begin = async () => {
    const req = await createLocalReq({}, store.payload)
    await initTransaction(req)
    return { req, connection: await store.database.within(req) }
  }
  const isDue = async () =>
    (await outbox.waiting('events', { now: at(9), countUpTo: 1 })) !== undefined

  it('can be delivered from the commit on, and not before', async () => {
    const { req, connection } = await begin()
    await outbox.storeWithin(connection, [anEvent('a'), anEvent('b')])
    await outbox.storeWithin(connection, [anEvent('c')])
    expect(await isDue()).toBe(false)
    await commitTransaction(req)
    expect(await readStates(store)).toEqual({ a: 'queued', b: 'queued', c: 'queued' })
    expect(await isDue()).toBe(true)
  })

  it('are gone when it is rolled back, and can be stored again', async () => {
    const { req, connection } = await begin()
    await outbox.storeWithin(connection, [anEvent('a')])
    await killTransaction(req)
    expect(await readStates(store)).toEqual({})
    await outbox.store([anEvent('a')])
    expect(await readStates(store)).toEqual({ a: 'queued' })
  })

  it('keep the order of their profile behind what was stored before', async () => {
    await outbox.store([anEvent('first')])
    const { req, connection } = await begin()
    await outbox.storeWithin(connection, [anIdentify('second'), anEvent('third')])
    await commitTransaction(req)
    expect(Object.keys(await readStates(store))).toEqual(['first', 'second', 'third'])
    const group = { lane: 'events', isolation: 0 } as const
    const limits = { now: at(9), leaseUntil: at(16), limit: 10, bytes: 1e9 }
    const claim = await outbox.claim(group, limits)
    expect(claim?.sends.map(({ message }) => message)).toEqual([anEvent('first').message])
  })

  it('say nothing of what was posted when they cannot be stored', async () => {
    const { req, connection } = await begin()
    const failing = { rows: () => connection.rows(sql`select 'ada@example.com' from nowhere`) }
    const stored = outbox.storeWithin(failing, [anEvent('a')])
    await expect(stored).rejects.toThrow(/^The sends could not be stored.$/)
    await killTransaction(req)
  })
})

describe('Sends that are stored together with other statements (sqlite)', () => {
  let store: OutboxStore
  let outbox: PayloadOutbox

  beforeAll(async () => {
    store = await openOutboxStore('sqlite')
    outbox = createOutbox(store.database)
  })
  beforeEach(async () => {
    await store.clear()
    await store.payload.delete({ collection: 'users', where: {} })
    const data = { email: 'a@example.com', password: 'correct horse battery', roles: 'none' }
    await store.payload.create({ collection: 'users', data })
  })
  afterAll(() => store.close())

  const note = (roles: string) => store.database.run(sql`update "users" set "roles" = ${roles}`)
  const roles = async () =>
    (await store.database.rows(sql`select "roles" from "users"`)).map((row) => row.roles)

  it('are stored, and the statements run', async () => {
    await outbox.storeTogether([anEvent('a'), anEvent('b')], [note('first'), note('second')])
    expect(await readStates(store)).toEqual({ a: 'queued', b: 'queued' })
    expect(await roles()).toEqual(['second'])
  })

  it('are none of them there when a statement fails', async () => {
    const broken = store.database.run(sql`update "users" set "email" = null`)
    await expect(outbox.storeTogether([anEvent('a')], [note('changed'), broken])).rejects.toThrow()
    expect(await readStates(store)).toEqual({})
    expect(await roles()).toEqual(['none'])
  })

  it('leave out repeats, and the statements run all the same', async () => {
    await outbox.storeTogether([anEvent('a')], [])
    await outbox.storeTogether([anEvent('a')], [note('changed')])
    await outbox.storeTogether([], [note('changed again')])
    expect(await readStates(store)).toEqual({ a: 'queued' })
    expect(await roles()).toEqual(['changed again'])
  })
})
