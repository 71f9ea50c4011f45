import { sqliteAdapter } from '@payloadcms/db-sqlite'
import type { BasePayload } from 'payload'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { waitForLocks } from '../../../src/core/database/renew-busy-connection.js'
import { sql } from 'drizzle-orm'
import { saveOrder } from '../../support/orders.js'
import { joinStore, openStore, type TestStore } from '../../support/store.js'

interface Client {
  execute(statement: string): Promise<{ rows: Record<string, unknown>[] }>
  transaction(mode: string): Promise<{ rollback(): Promise<void> }>
}

const clientOf = ({ db }: BasePayload) => (db as unknown as { client: Client }).client

describe('A store whose database another process has locked for too long (sqlite)', () => {
  let shop: TestStore
  let other: TestStore
  beforeEach(async () => {
    shop = await openStore('sqlite')
    other = await joinStore('sqlite', shop.url)
    await clientOf(shop.payload).execute('pragma busy_timeout = 50')
  })
  afterEach(async () => {
    await other.close()
    await shop.close()
  })

  const identify = (email: string) =>
    shop.aBrowser().post('/actions/marketingconnect/api/identify', { email }, { ajax: true })
  const profilesSeenByTheOther = () =>
    sqlDatabase(other.payload).rows(sql`select "profile" from "marketing_sends" order by "id"`)

  it('says that a post is not taken, and keeps each one that it takes afterwards', async () => {
    const lock = clientOf(other.payload)
    await lock.execute('begin immediate')
    const refused = await identify('early@example.com')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
    await lock.execute('rollback')

    for (const name of ['ada', 'bo', 'cy']) {
      expect((await identify(`${name}@example.com`)).status).toBe(200)
    }
    expect(await profilesSeenByTheOther()).toEqual(
      ['ada', 'bo', 'cy'].map((name) => ({ profile: `email:${name}@example.com` })),
    )
  })

  it('keeps an order that Payload saves afterwards', async () => {
    const lock = clientOf(other.payload)
    await lock.execute('begin immediate')
    await expect(saveOrder(shop.payload)).rejects.toThrow()
    await lock.execute('rollback')

    const { id } = await saveOrder(shop.payload)
    expect(await other.payload.findByID({ collection: 'orders', id })).toMatchObject({ id })
  })

  it('waits for locks as long as its config says, also after a transaction', async () => {
    const client = clientOf(shop.payload)
    const transaction = await client.transaction('deferred')
    await transaction.rollback()
    expect((await client.execute('pragma busy_timeout')).rows).toMatchObject([{ timeout: 30_000 }])
  })

  it('is waited for by a command, whose store says nothing of it, also after a transaction', async () => {
    const db = sqliteAdapter({ client: { url: `file:${shop.url}` }, push: false })
    const command = await joinStore('sqlite', shop.url, { config: { db } })
    await waitForLocks(command.payload)
    const client = clientOf(command.payload)
    const transaction = await client.transaction('deferred')
    await transaction.rollback()
    expect((await client.execute('pragma busy_timeout')).rows).toMatchObject([{ timeout: 30_000 }])
    await command.close()
  })
})
