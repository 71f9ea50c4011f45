import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { sqlDatabase } from '../../src/database/database.js'
import { anEvent } from '../support/messages.js'
import { simulatedStore } from '../support/simulated-store.js'
import { hasPostgres, isPooled } from '../support/store.js'

const listeners = sql`from pg_stat_activity
  where datname = current_database() and query like 'listen %'`

describe.runIf(hasPostgres && !isPooled)('The process that delivers (postgres)', () => {
  const world = simulatedStore('postgres')

  it('is woken by another one, also after its connection was lost', async () => {
    const other = await world.join()
    const listening = async () => {
      const [row] = await sqlDatabase(other.payload).rows(
        sql`select count(*)::integer as "count" ${listeners}`,
      )
      return row?.count
    }
    /** It looks once a second by itself, and no second passes here. */
    const isDelivered = async (id: string, count: number) => {
      const before = world.now()
      const acceptedAt = new Date(before)
      await other.parts.outbox.store([{ key: id, message: anEvent('a@x.io', id), acceptedAt }])
      await expect
        .poll(() => {
          world.move(1)
          return world.counts()
        })
        .toEqual({ sent: count })
      expect(world.now()).toBeLessThan(before + 1_000)
    }
    world.parts.delivery.start()
    await expect.poll(listening).toBe(1)
    await isDelivered('first', 1)

    await sqlDatabase(other.payload).rows(sql`select pg_terminate_backend(pid) ${listeners}`)
    await expect.poll(listening).toBe(0)
    await expect
      .poll(() => {
        world.move(500)
        return listening()
      })
      .toBe(1)
    await isDelivered('second', 2)

    await world.parts.delivery.stop()
    await expect.poll(listening).toBe(0)
  })
})
