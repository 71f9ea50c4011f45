import { join } from 'node:path'
import { it } from 'vitest'
import { serveKlaviyoStandIn } from '../../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import { randomFrom } from '../../../dev/seed/random.ts'
import { makePlainScripts } from '../../support/plain-scripts.js'
import { postgresPrograms, startPostgresPair, type End } from '../../support/postgres-pair.js'
import { pushByScript } from '../../support/push-by-script.js'
import { joinStore, type TestStore } from '../../support/store.js'
import { expectEffects, figuresOf } from './expect-effects.js'
import { startStoreProcess, type StoreProcess } from './store-process.js'
import { countUnfinished, readSends } from './stored-sends.js'
import { untilAllIsOver } from './until-all-is-over.js'
import { createVisitors } from './visitors.js'

/** `FAILOVERS=20 npx vitest run test/delivery/proof/failover` looks longer. */
const failovers = Number(process.env.FAILOVERS ?? 4)
const seed = Number(process.env.SEED ?? 20261122)

const processes = 2
const postsAtOnce = 200
const schemaScript = join(import.meta.dirname, '../../support/push-schema.ts')
const ends: End[] = ['SIGKILL', 'SIGQUIT']

it(
  `a primary of PostgreSQL is killed and its standby promoted: ${failovers} times, seed ${seed}`,
  { timeout: 120_000 + untilAllIsOver.timeout + failovers * 60_000 },
  async ({ expect, skip, task }) => {
    const programs = postgresPrograms()
    if (programs === undefined) return skip('needs the Debian package "postgresql"')
    const random = randomFrom(seed)
    const scripts = makePlainScripts()
    const { origin, standIn, close } = await serveKlaviyoStandIn({ port: 0, jobSeconds: 0 })
    const visitors = createVisitors({ random, name: 'failover' })
    const pair = await startPostgresPair(programs)
    const shops: StoreProcess[] = []
    let store: TestStore | undefined
    let interrupted = 0
    try {
      pushByScript(schemaScript, ['postgres', pair.primaryUrl()])
      await pair.addStandby()
      store = await joinStore('postgres', pair.url)
      for (let count = 0; count < processes; count++) {
        const shop = await startStoreProcess({
          script: scripts.pathOf('test/support/deliver-process.js'),
          kind: 'postgres',
          url: pair.url,
          apiUrl: origin,
          apiKey: demoApiKey,
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

      const failOver = async (round: number): Promise<void> => {
        const posting = visitors.post(postsAtOnce)
        await visitors.answered(random.pick([...visitors.origins]), random.between(1, 20))
        const shop = random.pick(shops)
        await Promise.race([shop.lines(shop.said.length + random.between(1, 4)), posting])
        if (shops.some(({ said }) => said.at(-1)?.startsWith('call'))) interrupted += 1
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
        await expect.poll(() => countUnfinished(open), untilAllIsOver).toBe(0)
      }
      await Promise.race([go(store), oneEnded])

      const sends = await readSends(store)
      const context = `seed ${seed}, ${interrupted} of ${failovers} failovers hit a call`
      expect.soft(visitors.refusals.length, context).toBeGreaterThan(0)
      expectEffects({ state: standIn.state, posts: visitors.posts, sends }, context)
    } finally {
      task.meta.figures = {
        failovers,
        'failovers in a call': interrupted,
        ...figuresOf(standIn.state, visitors.posts),
      }
      for (const shop of shops) await shop.kill()
      await store?.close()
      await pair.stop()
      await close()
      scripts.remove()
    }
  },
)
