import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { failedDays } from '../../../src/marketing/delivery/pruning.js'
import { settleLostCalls } from '../../../src/marketing/delivery/lost-calls.js'
import type { Message } from '../../../src/marketing/klaviyo/message.js'
import type { Profile } from '../../../src/marketing/klaviyo/profile.js'
import { marketingSettingsSlug } from '../../../src/marketing/settings/marketing-settings.js'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { partsOf } from '../../support/parts.js'
import { captureLog } from '../../support/captured-log.js'
import { namedSends } from '../../support/named-sends.js'
import { refused } from '../../support/new-sends.js'
import { settleStored } from '../../support/settle-sends.js'
import type { StoreSetup } from '../../support/store-config.js'
import { databaseKinds, openStore, type TestStore } from '../../support/store.js'

const acceptedAt = new Date('2026-03-10T12:00:00Z')
const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

describe.each(databaseKinds)('What is stored about a person (%s)', (kind) => {
  const log = captureLog()
  let store: TestStore
  afterEach(() => store.close())

  const open = async (setup: Omit<StoreSetup, 'kind' | 'url'> = {}) => {
    log.clear()
    store = await openStore(kind, {
      config: log.config,
      userAccess: { delete: () => true, read: () => true },
      userAuth: { verify: true },
      ...setup,
    })
  }
  const signUp = async (email = 'ada@example.com') =>
    Number(
      (
        await store.payload.create({
          collection: 'users',
          data: { email, password: 'correct horse battery', _verified: true },
          disableVerificationEmail: true,
          context: { storeconnect: 'import' },
        })
      ).id,
    )
  const keep = async (key: string, profile: Profile, message: Partial<Message> = {}) => {
    const whole = { kind: 'identify', profile, ...message } as Message
    await partsOf(store.payload).outbox.store([{ key, message: whole, acceptedAt }])
  }
  /** Sends in every state there is, about the one and about another one. */
  const keepAll = async (id: number) => {
    const ada = { email: 'Ada@Example.com' }
    await keep('failed', ada)
    await end('failed', 'failed')
    await keep('sent', ada)
    await end('sent', 'sent')
    await keep('objection', ada, { kind: 'unsubscribe', channels: ['email'] })
    await keep('listed', ada, { kind: 'list-add', list: 'NEWS' })
    await keep('by-id', { email: 'before@example.com', externalId: String(id) })
    await keep('by-phone', { phoneNumber: '+4930901820' })
    await keep('with-phone', { email: 'home@example.com', phoneNumber: '+4930901820' })
    const event = { name: 'Placed Order', uniqueId: 'one', properties: { City: 'London' } }
    await keep('event', ada, { kind: 'event', event })
    await keep('of-another', { email: 'grace@example.com', externalId: `${id}1` })
  }
  const end = (key: string, to: 'sent' | 'failed') =>
    settleStored(store.payload, [key], {
      settlementOf: (id) => (to === 'sent' ? { id, to } : { id, to, error: refused }),
      now: acceptedAt,
    })
  const kept = async () => {
    const { docs } = await store.payload.find({
      collection: 'marketing-sends',
      sort: 'id',
      pagination: false,
    })
    return (docs as unknown as { key: string }[]).map(({ key }) => key)
  }
  const withPhone = { marketing: { mapUser: phoneOf } }
  const remove = (path: string) =>
    store.api(new Request(`https://shop.example/api/users${path}`, { method: 'DELETE' }))

  it.each([
    ['REST', (id: number) => remove(`/${id}?select[roles]=true`)],
    ['REST in bulk', () => remove('?where[email][equals]=ada@example.com&select[roles]=true')],
    ['the Local API', (id: number) => store.payload.delete({ collection: 'users', id })],
    [
      'the Local API in bulk',
      (id: number) => store.payload.delete({ collection: 'users', where: { id: { equals: id } } }),
    ],
  ])('goes with the account, deleted by %s', async (_, erase) => {
    await open({ options: withPhone })
    const id = await signUp()
    await signUp('grace@example.com')
    await keepAll(id)
    await erase(id)
    expect(await store.payload.count({ collection: 'users' })).toEqual({ totalDocs: 1 })
    expect(await kept()).toEqual(['objection', 'with-phone', 'of-another'])
  })

  it('goes with an account that goes to the trash, and stays gone', async () => {
    await open({ userTrash: true, options: withPhone })
    const type = kind === 'sqlite' ? sql`text` : sql`timestamp(3) with time zone`
    await sqlDatabase(store.payload).rows(sql`alter table "users" add column "deleted_at" ${type}`)
    const id = await signUp()
    await keepAll(id)
    await store.payload.update({
      collection: 'users',
      id,
      data: { deletedAt: new Date().toISOString() },
    })
    expect(await kept()).toEqual(['objection', 'with-phone', 'of-another'])
    await keep('late', { email: 'ada@example.com' })
    await store.payload.delete({ collection: 'users', id, trash: true })
    expect(await kept()).toEqual(['objection', 'with-phone', 'of-another'])
  })

  it('goes with an account that the store’s mapUser fails at, by its email and id', async () => {
    await open({
      options: {
        marketing: {
          mapUser: () => {
            throw new Error('No such customer')
          },
        },
      },
    })
    const id = await signUp()
    await keepAll(id)
    await store.payload.delete({ collection: 'users', id })
    expect(await kept()).toEqual(['objection', 'by-phone', 'with-phone', 'of-another'])
    expect(log.text()).toContain('No such customer')
  })

  it('stays with an account whose deletion is refused', async () => {
    await open()
    const id = await signUp()
    await keepAll(id)
    const users = store.payload.collections.users?.config.hooks
    users?.beforeDelete.push(() => {
      throw new Error('An order is open')
    })
    await expect(store.payload.delete({ collection: 'users', id })).rejects.toThrow('open')
    expect(await kept()).toHaveLength(9)
  })

  it('goes with the account even while it is being sent, and does not come back', async () => {
    await open()
    const id = await signUp()
    await keep('on-its-way', { email: 'ada@example.com' })
    await keep('behind-it', { email: 'ada@example.com' }, { kind: 'list-add', list: 'NEWS' })
    const database = sqlDatabase(store.payload)
    const { deliveryStore: delivery, leases } = partsOf(store.payload)
    const lease = await leases.take()
    if (lease === undefined) throw new Error('Another process delivers.')
    const { docs } = await store.payload.find({ collection: 'marketing-sends', sort: 'id' })
    const [first = 0, second = 0] = docs.map(({ id }) => Number(id))
    const calls = [{ name: 'call', sends: await namedSends(database, [first]) }]
    const next = [{ name: 'next', sends: await namedSends(database, [second]) }]
    expect((await delivery.begin(calls, lease, {})).size).toBe(1)
    const inFlight = await delivery.readInFlight()
    expect(inFlight.map(({ id }) => id)).toEqual([first])

    await store.payload.delete({ collection: 'users', id })
    expect(await kept()).toEqual([])
    const again = { to: 'queued', nextAttemptAt: acceptedAt, attempts: 1, batchSize: 1 } as const
    await delivery.settle([{ id: first, ...again }], lease, acceptedAt)
    await delivery.settle(settleLostCalls(inFlight, acceptedAt), lease, acceptedAt)
    expect((await delivery.begin(next, lease, {})).size).toBe(0)
    expect(await kept()).toEqual([])
  })

  it('is kept for 90 days after it failed to be sent, and no longer unless it is an objection', async () => {
    let now = acceptedAt
    await open({ effects: { now: () => now } })
    await keep('failed', { email: 'ada@example.com' })
    await end('failed', 'failed')
    await keep(
      'objection',
      { email: 'ada@example.com' },
      { kind: 'unsubscribe', channels: ['email'] },
    )
    await end('objection', 'failed')
    await keep('waiting', { email: 'grace@example.com' })
    const privateApiKey = 'pk_of_this_shop'
    const cleanUp = async (afterMs: number, retentionDays = 30) => {
      now = new Date(acceptedAt.getTime() + afterMs)
      await store.payload.updateGlobal({
        slug: marketingSettingsSlug,
        data: { privateApiKey, retentionDays },
      })
      const step = await partsOf(store.payload).pruning.next()
      if ('run' in step) await step.run()
    }
    expect(failedDays).toBe(90)
    // It cleans up once an hour.
    const failedMs = failedDays * dayMs
    await cleanUp(failedMs - 1)
    await cleanUp(failedMs + 2 * hourMs, 365)
    expect(await kept()).toEqual(['failed', 'objection', 'waiting'])
    await cleanUp(failedMs + 4 * hourMs)
    expect(await kept()).toEqual(['objection', 'waiting'])
  })
})

function phoneOf({ id, email }: { id: number | string; email?: string | null }) {
  return { externalId: String(id), phoneNumber: '+49 30 901820', ...(email && { email }) }
}
