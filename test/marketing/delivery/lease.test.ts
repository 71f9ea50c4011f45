import { Client } from 'pg'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bareName, column, sqlDatabase } from '../../../src/core/database/database.js'
import { leaseSlug, renewEveryMs, type Lease } from '../../../src/core/workers/lease.js'
import { LeaseLost } from '../../../src/core/workers/session-work.js'
import { beforeStatements } from '../../support/before-statements.js'
import { namedSends } from '../../support/named-sends.js'
import { anEvent, at } from '../../support/new-sends.js'
import { simulatedStore, type SimulatedProcess } from '../../support/simulated-store.js'
import { databaseKinds, hasPostgres } from '../../support/store.js'
import { endLease } from '../../support/end-lease.js'
import { idOfKey, readStates } from '../../support/stored-sends.js'

const mustTake = async ({ parts }: Pick<SimulatedProcess, 'parts'>): Promise<Lease> => {
  const lease = await parts.leases.take()
  if (lease === undefined) throw new Error('Another process delivers.')
  return lease
}

/** What comes here waits until it may go on. */
function held() {
  let reach = () => {}
  let goOn = () => {}
  const isReached = new Promise<void>((resolve) => (reach = resolve))
  const mayGoOn = new Promise<void>((resolve) => (goOn = resolve))
  return { isReached, goOn: () => goOn(), pass: () => (reach(), mayGoOn) }
}

describe.each(databaseKinds)('The lease of the process that delivers (%s)', (kind) => {
  const store = simulatedStore(kind)
  const overWith = () => endLease(sqlDatabase(store.payload))
  const others: SimulatedProcess[] = []
  let another: SimulatedProcess['parts']['leases']
  beforeEach(async () => {
    while (others.length < 3) others.push(await store.join())
    another = others[0]?.parts.leases ?? store.parts.leases
  })

  it('is had by one of the processes that take it at once', async () => {
    for (const epoch of [1, 2, 3]) {
      const taken = await Promise.all([store, ...others].map(({ parts }) => parts.leases.take()))
      expect(taken.filter((lease) => lease !== undefined).map((lease) => lease.epoch)).toEqual([
        epoch,
      ])
      await overWith()
    }
  })

  it('is kept while it is renewed, and free at once when it is given back', async () => {
    const lease = await mustTake(store)
    await overWith()
    const notes = { calls: { event: { calls: [[1, 2]] } } }
    expect(await lease.renew(notes)).toBe(true)
    expect(lease.remainingMs()).toBeGreaterThan(0)
    expect(await another.take()).toBeUndefined()
    expect(await another.notes()).toEqual(notes)

    await lease.giveBack(notes)
    const next = await mustTake(store)
    expect(next).toMatchObject({ epoch: lease.epoch + 1, notes })
  })

  it('is over for another process only when that has seen it unchanged, whatever any clock says', async () => {
    const lease = await mustTake(store)
    const database = sqlDatabase(store.payload)
    const leases = database.table(leaseSlug)
    const until = bareName(column(leases, 'until'))
    for (const hours of [-1, 1]) {
      const end = new Date(Date.now() + hours * 3_600_000).toISOString()
      await database.run(sql`update ${leases} set ${until} = ${end}`)
      expect(await another.take()).toBeUndefined()
    }
    store.move(8_000)
    expect(await another.take()).toBeUndefined()
    expect(await lease.renew({})).toBe(true)
    store.move(8_000)
    expect(await another.take()).toBeUndefined()
    store.move(9_001)
    expect(await another.take()).toMatchObject({ epoch: lease.epoch + 1 })
  })

  it('tells a process whose clock is behind that of the one that delivers', async () => {
    const lease = await mustTake(store)
    await lease.renew({ at: store.now() })
    for (const [seconds, isBehind] of [
      [-60, true],
      [0, false],
      [60, false],
    ] as const) {
      const now = () => new Date(store.now() + seconds * 1_000)
      const { leases } = (await store.join({ effects: { now } })).parts
      expect(await leases.take()).toBeUndefined()
      expect(leases.isBehind()).toBe(isBehind)
    }
  })

  it('is free at the very moment after it was given back', async () => {
    for (let time = 0; time < 100; time++) await (await mustTake(store)).giveBack({})
    expect(await mustTake(store)).toMatchObject({ epoch: 101 })
  })

  it('is free after a stop, though it was renewed while that waited for a call', async () => {
    const [call, renewal] = [held(), held()]
    store.network = async (request, ask) => {
      await call.pass()
      return ask(request)
    }
    await store.parts.outbox.store([anEvent('a')])
    store.parts.delivery.start()
    await call.isReached
    const stopped = store.parts.delivery.stop()
    await expect.poll(() => store.parts.deliverer.isLeaseHeld()).toBeUndefined()
    const endHolding = beforeStatements(store.payload, async (statement) => {
      if (/update .{0,3}marketing_lease/.test(JSON.stringify(statement))) await renewal.pass()
    })
    store.move(renewEveryMs)
    await renewal.isReached
    endHolding()
    call.goOn()
    await expect.poll(() => readStates(store)).toEqual({ a: 'sent' })
    renewal.goOn()
    await stopped
    expect(await another.take()).toBeDefined()
  })

  it('goes to another process when it is over, and then the first can do nothing with it', async () => {
    const stale = await mustTake(store)
    await overWith()
    const fresh = await mustTake(store)
    expect(fresh.epoch).toBe(stale.epoch + 1)
    expect(await stale.renew({})).toBe(false)
    await stale.giveBack({})
    expect(await another.take()).toBeUndefined()
    expect(await fresh.renew({})).toBe(true)
  })
})

describe.runIf(hasPostgres)(
  'A write beside a takeover that is not committed yet (postgres)',
  () => {
    const store = simulatedStore('postgres')
    let other: Client
    beforeAll(async () => {
      other = new Client({ connectionString: store.url })
      await other.connect()
    })
    afterAll(() => other.end())

    const untilWaiting = async () => {
      const count = `select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
      await expect
        .poll(async () => {
          // Within a transaction, PostgreSQL shows what it has shown before.
          await other.query('select pg_stat_clear_snapshot()')
          return Number((await other.query<{ count: string }>(count)).rows[0]?.count)
        })
        .toBe(1)
    }

    it('waits for it, and changes nothing', async () => {
      const delivery = store.parts.deliveryStore
      await store.parts.outbox.store([anEvent('a'), anEvent('b', { email: 'bob@example.com' })])
      const [a, b] = [await idOfKey(store, 'a'), await idOfKey(store, 'b')]
      const lease = await mustTake(store)
      const [callOfA, callOfB] = await Promise.all(
        [a, b].map(async (id) => ({
          name: 'call',
          sends: await namedSends(sqlDatabase(store.payload), [id]),
        })),
      )
      await delivery.begin([callOfA ?? { name: '', sends: [] }], lease, {})

      for (const write of [
        () => delivery.settle([{ id: a, to: 'sent' }], lease, at(1)),
        () =>
          expect(delivery.begin([callOfB ?? { name: '', sends: [] }], lease, {})).rejects.toThrow(
            LeaseLost,
          ),
      ]) {
        await other.query('begin')
        await other.query('update marketing_lease set epoch = epoch + 1')
        const written = write()
        await untilWaiting()
        await other.query('commit')
        await written
        expect(await readStates(store)).toEqual({ a: 'sending', b: 'queued' })
        await other.query(`update marketing_lease set epoch = ${lease.epoch}`)
      }
    })
  },
)
