import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { createNotifications } from '../../src/delivery/notifications.js'
import { shopOf } from '../support/shop-of.js'
import { hasPostgres, isPooled } from '../support/store.js'
import { openOutboxStore, type OutboxStore } from './outbox/outbox-store.js'

const notificationsOf = ({ payload }: OutboxStore) => createNotifications(shopOf(payload))

const listeners = sql`from pg_stat_activity
  where datname = current_database() and query like 'listen %'`

it.runIf(hasPostgres && !isPooled)(
  'wakes the process that delivers from another one, also after its connection was lost',
  async () => {
    const store = await openOutboxStore('postgres')
    const other = await store.join()
    let wakes = 0
    const listening = notificationsOf(store).listen(() => (wakes += 1))
    // What was stored while it did not listen.
    await expect.poll(() => wakes).toBe(1)
    const others = notificationsOf(other)
    others.send()
    await expect.poll(() => wakes).toBe(2)

    await other.database.rows(sql`select pg_terminate_backend(pid) ${listeners}`)
    await expect.poll(() => wakes).toBe(3)
    others.send()
    await expect.poll(() => wakes).toBe(4)

    await listening.end()
    const count = () => other.database.rows(sql`select count(*)::integer as "count" ${listeners}`)
    await expect.poll(count).toEqual([{ count: 0 }])
    await store.close()
  },
)
