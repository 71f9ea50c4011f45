import { it } from 'vitest'
import { serveKlaviyoStandIn } from '../../../../dev/klaviyo/serve-stand-in.ts'
import { randomFrom } from '../../../../dev/seed/random.ts'
import { postgresPrograms, startPostgresPair, type End } from '../../../support/postgres-pair.js'
import { pushSchema } from '../../../support/push-schema.js'
import { templateConfig } from '../../../support/store-config.js'
import { joinStore, type TestStore } from '../../../support/store.js'
import { expectEffects, figuresOf } from './expect-effects.js'
import { startStoreProcess, type StoreProcess } from './store-process.js'
import { countWaiting, readSends } from '../../../support/stored-sends.js'
import { untilAllIsOver } from './until-all-is-over.js'
import { createVisitors } from './visitors.js'

/** `FAILOVERS=20 npx vitest run --mode full test/marketing/delivery/proof/failover` looks longer. */
const failovers = Number(process.env.FAILOVERS ?? 1)
const seed = Number(process.env.SEED ?? 20261122)

const processes = 2
const postsAtOnce = 200
const ends: End[] = ['SIGKILL', 'SIGQUIT']

it.skipIf(postgresPrograms() === undefined)(
  `a primary of PostgreSQL is killed during a call and its standby promoted (needs Debian's postgresql): ${failovers} times, seed ${seed}`,
  { timeout: 120_000 + untilAllIsOver.timeout + failovers * 60_000 },
  async ({ expect, task }) => {
    const random = randomFrom(seed)
    const { origin, standIn, close } = await serveKlaviyoStandIn({ port: 0 })
    const visitors = createVisitors({ random, name: 'failover' })
    const pair = await startPostgresPair()
    const shops: StoreProcess[] = []
    let store: TestStore | undefined
    try {
      await pushSchema(await templateConfig('postgres', pair.primaryUrl()))
      await pair.addStandby()
      store = await joinStore('postgres', pair.url)
      for (let count = 0; count < processes; count++) {
        const shop = await startStoreProcess({
          script: 'deliver-process',
          kind: 'postgres',
          url: pair.url,
          apiUrl: origin,
        })
        shops.push(shop)
        const listening = await shop.become('shop')
        visitors.origins.add(`http://127.0.0.1:${listening.replace('listening ', '')}`)
      }
      const oneEnded = Promise.race(
        shops.map(async ({ ended }) => {
          await ended
          throw new Error('A process of the store ended.')
        }),
      )

      const callUnderWay = async (): Promise<void> => {
        await visitors.answered(random.pick([...visitors.origins]), random.between(1, 20))
        do {
          await Promise.race(shops.map((shop) => shop.lines(shop.said.length + 1)))
        } while (!shops.some(({ said }) => said.at(-1)?.startsWith('call')))
      }
      const failOver = async (round: number): Promise<void> => {
        const calling = callUnderWay()
        const posting = visitors.post(postsAtOnce, calling)
        await calling
        pair.killPrimary(ends[round % ends.length] ?? 'SIGKILL')
        // In half of the rounds nobody takes over until the visitors have given up.
        if (round % 4 < 2) await posting
        await pair.promoteStandby()
        await posting
        await visitors.post(postsAtOnce)
        await pair.addStandby()
      }
      const go = async (open: TestStore): Promise<void> => {
        for (let round = 0; round < failovers; round++) await failOver(round)
        await expect.poll(() => countWaiting(open), untilAllIsOver).toBe(0)
      }
      await Promise.race([go(store), oneEnded])

      const sends = await readSends(store)
      expect.soft(visitors.refusals.length, 'posts during an outage').toBeGreaterThan(0)
      expectEffects({ state: standIn.state, posts: visitors.posts, sends }, `seed ${seed}`)
    } finally {
      task.meta.figures = {
        failovers,
        ...figuresOf(standIn.state, visitors.posts),
      }
      for (const shop of shops) await shop.kill()
      await store?.close()
      await pair.stop()
      await close()
    }
  },
)
