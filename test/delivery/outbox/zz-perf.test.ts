import { sql } from 'drizzle-orm'
import { it, describe } from 'vitest'
import { openOutboxStore } from '/work/main/test/delivery/outbox/outbox-store.js'
import { anEvent, aListAdd, at } from '/work/main/test/support/outbox-suite.js'
import { databaseKinds } from '/work/main/test/support/store.js'

describe.each(process.env.KIND ? [process.env.KIND as 'sqlite'] : databaseKinds)(
  'perf %s',
  (kind) => {
    it('runs', { timeout: 600_000 }, async () => {
      const store = await openOutboxStore(kind)
      const { outbox, database } = store
      const ms = async <T>(name: string, f: () => Promise<T>): Promise<T> => {
        const t = performance.now()
        const r = await f()
        console.log(kind, name, (performance.now() - t).toFixed(1))
        return r
      }
      const round = async (tag: string) => {
        await ms(`${tag} store 1`, () =>
          outbox.store([anEvent(tag + 'one', { email: tag + 'x@x' })]),
        )
        await ms(`${tag} store 1 again`, () =>
          outbox.store([anEvent(tag + 'one2', { email: tag + 'x@x' })]),
        )
        await ms(`${tag} store 2000 at once`, () =>
          Promise.all(
            Array.from({ length: 2000 }, (_, i) =>
              outbox.store([anEvent(`${tag}c${i}`, { email: `${tag}c${i}@x` })]),
            ),
          ),
        )
        for (const lane of ['events', 'profiles', 'list-adds'] as const)
          await ms(`${tag} waiting ${lane} 1000`, () =>
            outbox.waiting(lane, { now: at(1), countUpTo: 1000 }),
          )
        const claims = []
        for (let i = 0; i < 2; i++)
          claims.push(
            await ms(`${tag} claim 1000`, () =>
              outbox.claim(
                { lane: 'events', isolation: 0 },
                { now: at(1), leaseUntil: at(8), limit: 1000, bytes: 5e6 },
              ),
            ),
          )
        const one = await ms(`${tag} claim 1`, () =>
          outbox.claim(
            { lane: 'events', isolation: 0 },
            { now: at(1), leaseUntil: at(8), limit: 1, bytes: 5e6 },
          ),
        )
        await ms(`${tag} settle 1000 sent`, () =>
          outbox.settle(
            claims[0]!,
            claims[0]!.sends.map(({ id }) => ({ id, to: 'sent' as const })),
            at(2),
          ),
        )
        await ms(`${tag} settle 1000 queued`, () =>
          outbox.settle(
            claims[1]!,
            claims[1]!.sends.map(({ id }) => ({
              id,
              to: 'queued' as const,
              nextAttemptAt: at(1000),
              attempts: 1,
            })),
            at(2),
          ),
        )
        if (one)
          await ms(`${tag} settle 1`, () =>
            outbox.settle(
              one,
              one.sends.map(({ id }) => ({ id, to: 'sent' as const })),
              at(2),
            ),
          )
        await ms(`${tag} recover none`, () => outbox.recover(at(3)))
        await ms(`${tag} nextDue`, () => outbox.nextDueAt('events', at(3)))
        await ms(`${tag} openJobs`, () => outbox.openJobs(10))
        await ms(`${tag} prune`, () => outbox.prune(at(-100)))
      }
      await round('empty')
      if (process.env.EMPTY) return
      const fill = async (
        name: string,
        n: number,
        make: (i: number) => Parameters<typeof outbox.store>[0],
      ) =>
        ms(`fill ${name} ${n}`, async () => {
          for (let i = 0; i < n; i += 4000)
            await Promise.all(
              Array.from({ length: Math.min(4000, n - i) }, (_, j) => outbox.store(make(i + j))),
            )
        })
      await fill('events', 100_000, (i) => [anEvent(`f${i}`, { email: `f${i % 100_000}@x` })])
      await fill('event+add', 100_000, (i) => [
        anEvent(`g${i}`, { email: `g${i}@x` }),
        aListAdd(`h${i}`, { email: `g${i}@x`, after: `g${i}` }),
      ])
      if (kind === 'postgres') await database.rows(sql`analyze`)
      await round('full')
      await fill('hot', 5000, (i) => [
        anEvent(`hot${i}`, { email: `hot@x`, acceptedAt: at(i === 0 ? 5000 : -5) }),
      ])
      await round('hot5000')
      await store.close()
    })
  },
)
