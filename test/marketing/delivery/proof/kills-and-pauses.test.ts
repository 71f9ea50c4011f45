import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@libsql/client'
import { describe, it } from 'vitest'
import { serveKlaviyoStandIn } from '../../../../dev/klaviyo/serve-stand-in.ts'
import { randomFrom, type Random } from '../../../../dev/seed/random.ts'
import { sqlDatabase } from '../../../../src/core/database/database.js'
import { databaseKinds, openStore, type TestStore } from '../../../support/store.js'
import { expectEffects, figuresOf } from './expect-effects.js'
import { spareProcesses, type SpareProcesses, type StoreProcess } from './store-process.js'
import { countWaiting, readSends } from '../../../support/stored-sends.js'
import { untilAllIsOver } from './until-all-is-over.js'
import { createVisitors, type Visitors } from './visitors.js'

/** Side by side on each database, as most of the time is spent waiting for a lease to run out. */
const shopsOfKind = Number(process.env.SHOPS ?? 1)
const shops = databaseKinds.flatMap((kind) =>
  Array.from({ length: shopsOfKind }, (_, index) => ({ kind, name: `${kind}-${index + 1}` })),
)

/** In all shops together, and more until a quarter of them hit: `KILLS=1000` looks longer. */
const kills = Math.ceil(Number(process.env.KILLS ?? 4) / shops.length)
/** In each shop, of a worker past its lease: `PAUSES=50`. */
const pauses = Number(process.env.PAUSES ?? 1)
const posts = Math.ceil(Number(process.env.POSTS ?? 400) / shops.length)
const firstSeed = Number(process.env.SEED ?? 20261121)

const webProcesses = 2
const workerProcesses = 2
const postsPerKill = Math.ceil(posts / kills)

describe.concurrent.each(shops)('posts while processes are killed and paused ($name)', (shop) => {
  const { kind, name } = shop
  const seed = firstSeed + shops.indexOf(shop)

  it(
    `each answered post takes effect once and in order: ${posts} posts, ${kills} kills, ${pauses} pauses, seed ${seed}`,
    { timeout: 240_000 + untilAllIsOver.timeout + (kills + pauses) * 60_000 },
    async ({ expect, task }) => {
      const random = randomFrom(seed)
      const store = await openStore(kind)
      const { origin, standIn, close } = await serveKlaviyoStandIn({ port: 0 })
      const spares = spareProcesses(
        { script: 'deliver-process', kind, url: store.url, apiUrl: origin },
        { count: Number.POSITIVE_INFINITY, ahead: 2 },
      )
      const visitors = createVisitors({ random, name })
      const processes = await openProcesses(spares, visitors)
      let done = 0
      let interrupted = 0
      const late: string[] = []
      try {
        for (; done < kills || interrupted <= kills / 4; done++) {
          const killing = done % 2 === 1 ? processes.killWeb(random) : processes.killWorker(random)
          await visitors.post(postsPerKill, killing)
          if (await killing) interrupted += 1
          await processes.refill()
        }
        for (let count = 0; count < pauses; count++) {
          // What is lost more than once waits for minutes.
          await expect.poll(() => countWaiting(store), untilAllIsOver).toBe(0)
          const pausing = processes.pauseWorker(random, store)
          await visitors.post(postsPerKill, pausing)
          const worker = await pausing
          await expect.poll(() => countWaiting(store), untilAllIsOver).toBe(0)
          late.push(...(await callsAfter(worker)))
        }
        const context = `seed ${seed}, ${interrupted} of ${done} kills hit a call or a post`
        await expect.poll(() => countWaiting(store), untilAllIsOver).toBe(0)
        expect.soft(late, `calls of workers whose leases were over, ${context}`).toEqual([])
        expect.soft(visitors.refusals, context).toEqual([])
        expect.soft(interrupted, 'kills that hit a call or a post').toBeGreaterThan(kills / 4)
        expectEffects(
          { state: standIn.state, posts: visitors.posts, sends: await readSends(store) },
          context,
        )
      } finally {
        task.meta.figures = {
          kills: done,
          'kills in a call or a post': interrupted,
          pauses,
          ...figuresOf(standIn.state, visitors.posts),
        }
        await processes.close()
        await spares.stop()
        await close()
        await store.close()
      }
    },
  )
})

/** Processes that take posts, and processes that deliver them. */
async function openProcesses(spares: SpareProcesses, visitors: Visitors) {
  const webs = new Map<string, StoreProcess>()
  const workers: StoreProcess[] = []

  const refill = async (): Promise<void> => {
    while (webs.size < webProcesses) {
      const web = await spares.next()
      const origin = `http://127.0.0.1:${(await web.become('web')).replace('listening ', '')}`
      webs.set(origin, web)
      visitors.origins.add(origin)
    }
    while (workers.length < workerProcesses) {
      const worker = await spares.next()
      await worker.become('worker')
      workers.push(worker)
    }
  }

  /** After so many of its calls have begun or ended. */
  const whoWorks = async (lines: number): Promise<StoreProcess> =>
    Promise.race(
      workers.map(async (one) => {
        await one.lines(one.said.length + lines)
        return one
      }),
    )

  await refill()
  return {
    refill,
    /** After some posts to one of them. Whether posts were under way there. */
    async killWeb(random: Random): Promise<boolean> {
      const [origin = '', web] = random.pick([...webs])
      await visitors.answered(origin, random.between(1, Math.ceil(postsPerKill / 4)))
      await pause(random.between(0, 5))
      const isPosting = visitors.underWay(origin) > 0
      visitors.origins.delete(origin)
      webs.delete(origin)
      await web?.kill()
      return isPosting
    },
    /** After some of its calls have begun or ended. Whether a call was under way there. */
    async killWorker(random: Random): Promise<boolean> {
      const worker = await whoWorks(random.between(1, 6))
      await pause(random.between(0, 20))
      workers.splice(workers.indexOf(worker), 1)
      await worker.kill()
      return worker.said.at(-1)?.startsWith('call') === true
    },
    /** In the middle of its work. While it has locked the file of SQLite nobody could go on, so it does. */
    async pauseWorker(random: Random, store: TestStore): Promise<StoreProcess> {
      for (;;) {
        const worker = await whoWorks(random.between(1, 2))
        await pause(random.between(0, 20))
        worker.pause()
        if (!(await isLocked(store))) return worker
        await worker.resume()
      }
    },
    async close(): Promise<void> {
      for (const process of [...webs.values(), ...workers]) await process.kill()
    },
  }
}

/** Lets a worker go on, and tells what it sends then. Jobs may be asked for at any time. */
async function callsAfter(worker: StoreProcess): Promise<string[]> {
  const saidBefore = worker.said.length
  await worker.resume()
  const calls = worker.said.slice(saidBefore).filter((line) => line.startsWith('call'))
  return calls.filter((line) => !line.includes('/api/profile-bulk-import-jobs/'))
}

/** Asked without a wait, which would stop this process, and the proof on the other database with it. */
async function isLocked({ payload, url }: TestStore): Promise<boolean> {
  if (!sqlDatabase(payload).isSqlite) return false
  const client = createClient({ url: `file:${url}` })
  try {
    await client.execute('begin exclusive')
    await client.execute('rollback')
    return false
  } catch {
    return true
  } finally {
    client.close()
  }
}
