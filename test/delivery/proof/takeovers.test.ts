import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { it } from 'vitest'
import { serveKlaviyoStandIn } from '../../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import { randomFrom } from '../../../dev/seed/random.ts'
import { sqlDatabase } from '../../../src/database/database.js'
import { processScript } from '../../support/process-script.js'
import { openStore, type TestStore } from '../../support/store.js'
import { expectEffects, figuresOf } from './expect-effects.js'
import { spareProcesses, type StoreProcess } from './store-process.js'
import { countUnfinished, readSends } from './stored-sends.js'
import { untilAllIsOver } from './until-all-is-over.js'
import { createVisitors } from './visitors.js'

/** `LOAD_SECONDS=600 TAKEOVERS=30 npx vitest run test/delivery/proof/takeovers` looks longer. */
const loadSeconds = Number(process.env.LOAD_SECONDS ?? 5)
const leastTakeovers = Number(process.env.TAKEOVERS ?? 1)
const seed = Number(process.env.SEED ?? 20261122)

const processes = 4
const postsAtOnce = 100
/** A takeover that takes longer than this fails the test. */
const longestTakeoverMs = 30_000

it(
  `four processes take over from each other: ${loadSeconds} seconds of posts, ${leastTakeovers} takeovers or more, seed ${seed}`,
  {
    timeout:
      60_000 + untilAllIsOver.timeout + loadSeconds * 2_000 + leastTakeovers * longestTakeoverMs,
  },
  async ({ expect, task }) => {
    const random = randomFrom(seed)
    const store = await openStore('postgres')
    const { origin, standIn, close } = await serveKlaviyoStandIn({ port: 0, jobSeconds: 0 })
    const visitors = createVisitors({ random, name: 'takeovers' })
    const shops = new Map<string, StoreProcess>()
    const spares = spareProcesses(
      {
        script: processScript('deliver-process'),
        kind: 'postgres',
        url: store.url,
        apiUrl: origin,
        apiKey: demoApiKey,
      },
      { count: Number.POSITIVE_INFINITY, ahead: 2 },
    )
    const refill = async (): Promise<void> => {
      while (shops.size < processes) {
        const shop = await spares.next()
        const address = `http://127.0.0.1:${(await shop.become('shop')).replace('listening ', '')}`
        shops.set(address, shop)
        visitors.origins.add(address)
      }
    }
    const takeOut = (address: string): StoreProcess | undefined => {
      const shop = shops.get(address)
      visitors.origins.delete(address)
      shops.delete(address)
      return shop
    }
    /** Half the time one that delivers. */
    const pick = (saidBefore: ReadonlyMap<StoreProcess, number>): string => {
      const delivering = [...shops].filter(
        ([, shop]) => shop.said.length > (saidBefore.get(shop) ?? 0),
      )
      const isOneOfThem = delivering.length > 0 && random.chance(0.5)
      return random.pick(isOneOfThem ? delivering : [...shops])[0]
    }

    const counts = { kills: 0, replacements: 0, takeovers: 0 }
    try {
      await refill()
      const end = Date.now() + loadSeconds * 1_000
      const isOver = () => Date.now() >= end && counts.takeovers >= leastTakeovers
      const post = async (): Promise<void> => {
        while (!isOver()) await visitors.post(postsAtOnce)
      }
      const posting = post()
      const disturb = async (): Promise<void> => {
        while (!isOver()) {
          const said = new Map([...shops.values()].map((shop) => [shop, shop.said.length]))
          const [address = ''] = random.pick([...shops])
          await Promise.race([visitors.answered(address, random.between(1, 25)), posting])
          await pause(random.between(0, 20))
          const shop = takeOut(pick(said))
          if (random.chance(0.25)) {
            counts.replacements += 1
            await shop?.stop()
          } else {
            counts.kills += 1
            await shop?.kill()
          }
          await refill()
          counts.takeovers = (await epochOf(store)) - 1
        }
      }
      await Promise.all([posting, disturb()])
      await expect.poll(() => countUnfinished(store), untilAllIsOver).toBe(0)
      expect.soft(visitors.refusals).toEqual([])
      expect.soft(counts.takeovers).toBeGreaterThanOrEqual(leastTakeovers)
      expect.soft(standIn.state.throttled, 'refused calls').toBe(0)
      expectEffects(
        { state: standIn.state, posts: visitors.posts, sends: await readSends(store) },
        `seed ${seed}`,
      )
    } finally {
      task.meta.figures = { ...counts, ...figuresOf(standIn.state, visitors.posts) }
      for (const shop of shops.values()) await shop.kill()
      await spares.stop()
      await close()
      await store.close()
    }
  },
)

/** Goes up by one with each takeover. */
async function epochOf({ payload }: TestStore): Promise<number> {
  const [row] = await sqlDatabase(payload).rows(sql`select epoch from marketing_lease`)
  return Number(row?.epoch)
}
