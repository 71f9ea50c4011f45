import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { beforeStatements } from '../../support/before-statements.js'
import { anEvent } from '../../support/messages.js'
import { simulatedStore, type SimulatedProcess } from '../../support/simulated-store.js'
import { hasPostgres, isPooled } from '../../support/store.js'

const listeners = sql`from pg_stat_activity
  where datname = current_database() and query like 'listen %'`

describe.runIf(hasPostgres && !isPooled)('The process that delivers (postgres)', () => {
  const world = simulatedStore('postgres')

  const listening = async () => {
    const [row] = await sqlDatabase(world.payload).rows(
      sql`select count(*)::integer as "count" ${listeners}`,
    )
    return row?.count
  }

  /** It looks once a second by itself, and no second passes here. */
  const isDelivered = async (other: SimulatedProcess, id: string, count: number) => {
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

  it('goes on listening when its own notification could not be sent at first', async () => {
    let asked = 0
    const end = beforeStatements(world.payload, (given) => {
      if (!JSON.stringify(given).includes('pg_notify')) return
      asked += 1
      if (asked === 1) throw new Error('The database fails over.')
    })
    world.parts.delivery.start()
    await expect.poll(() => asked).toBe(1)
    await expect
      .poll(() => {
        world.move(1_000)
        return asked
      })
      .toBe(2)
    end()
    await isDelivered(await world.join(), 'first', 1)
    await world.parts.delivery.stop()
    await expect.poll(listening).toBe(0)
  })

  it('is woken by another one, also after its connection was lost', async () => {
    const other = await world.join()
    world.parts.delivery.start()
    await expect.poll(listening).toBe(1)
    await isDelivered(other, 'first', 1)

    await sqlDatabase(other.payload).rows(sql`select pg_terminate_backend(pid) ${listeners}`)
    await expect.poll(listening).toBe(0)
    await expect
      .poll(() => {
        world.move(500)
        return listening()
      })
      .toBe(1)
    await isDelivered(other, 'second', 2)

    await world.parts.delivery.stop()
    await expect.poll(listening).toBe(0)
  })
})
