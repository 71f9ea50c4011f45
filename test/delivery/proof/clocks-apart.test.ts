import { describe, it } from 'vitest'
import { serveKlaviyoStandIn } from '../../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import { randomFrom } from '../../../dev/seed/random.ts'
import { processScript } from '../../support/process-script.js'
import { databaseKinds, openStore } from '../../support/store.js'
import { startStoreProcess, type StoreProcess } from './store-process.js'
import { countByState, countUnfinished, readSends } from './stored-sends.js'
import { untilAllIsOver } from './until-all-is-over.js'
import { createVisitors, type Visitors } from './visitors.js'

const minute = 60_000
const hour = 60 * minute

/** What is stored arrives long before the shortest difference of the clocks has passed. */
const soon = { timeout: 40_000 }

/** How far the clock of one machine is ahead of the other's; each is a step from the one before. */
const differences = [2 * minute, -2 * minute, hour, -hour]

/** A machine of the shop: it sells, takes posts and delivers. */
interface Machine {
  process: StoreProcess
  visitors: Visitors
}

describe.concurrent.each(databaseKinds)('two machines whose clocks differ (%s)', (kind) => {
  it(
    'keep nothing of each other waiting, lose nothing and double nothing',
    { timeout: 600_000 },
    async ({ expect, task }) => {
      const store = await openStore(kind)
      const { origin, standIn, close } = await serveKlaviyoStandIn({ port: 0, jobSeconds: 0 })
      const machines: Machine[] = []
      const orders: string[] = []

      const start = async (): Promise<Machine> => {
        const process = await startStoreProcess({
          script: processScript('deliver-process'),
          kind,
          url: store.url,
          apiUrl: origin,
          apiKey: demoApiKey,
        })
        const visitors = createVisitors({ random: randomFrom(1), name: `m${machines.length}` })
        const machine = { process, visitors }
        machines.push(machine)
        const port = (await process.become('shop')).replace('listening ', '')
        visitors.origins.add(`http://127.0.0.1:${port}`)
        return machine
      }
      const set = ({ process }: Machine, aheadMs: number) => process.tell(`clock ${aheadMs}`)
      const sell = async (...at: Machine[]): Promise<void> => {
        for (const { process, visitors } of at) {
          orders.push((await process.tell('order')).replace('order ', ''))
          await visitors.post(3)
        }
      }
      /** What is stored, and has not arrived exactly once. */
      const amiss = () => {
        const posted = machines.flatMap(({ visitors }) =>
          visitors.posts.flatMap(({ uniqueId }) => uniqueId ?? []),
        )
        return [...orders, ...posted].filter((id) => {
          const found = standIn.state.events.filter(({ uniqueId }) => uniqueId === id)
          return found.length !== 1
        })
      }
      const allArrives = (when: string) =>
        expect.poll(amiss, { ...soon, message: when }).toEqual([])

      try {
        const first = await start()
        await sell(first)
        await allArrives('one machine')
        const second = await start()
        for (const ahead of differences) {
          await set(second, ahead)
          await sell(second, first)
          await allArrives(`${ahead} ms ahead of the one that delivers`)
        }

        await sell(first, second)
        await first.process.kill()
        await sell(second)
        await allArrives('takeover by the one that is behind')
        const third = await start()
        for (const ahead of differences.toReversed()) {
          await set(second, ahead)
          await sell(third, second)
          await allArrives(`the one that delivers is ${ahead} ms ahead`)
        }

        await set(second, hour)
        await sell(third, second)
        await second.process.kill()
        await sell(third)
        await allArrives('takeover from the one that was ahead')
        await expect.poll(() => countUnfinished(store), untilAllIsOver).toBe(0)
        const sends = await readSends(store)
        expect(countByState(sends)).toEqual({ sent: sends.length })
      } finally {
        task.meta.figures = { orders: orders.length, events: standIn.state.events.length }
        for (const { process } of machines) await process.kill()
        await close()
        await store.close()
      }
    },
  )
})
