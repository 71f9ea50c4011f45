import { setTimeout as pause } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { serveKlaviyoStandIn } from '../../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import { randomFrom, type Random } from '../../../dev/seed/random.ts'
import { partsOf } from '../../../src/installation.js'
import { createProduct } from '../../support/products.js'
import { processScript } from '../../support/process-script.js'
import { databaseKinds, openStore } from '../../support/store.js'
import { spareProcesses, type StoreProcess } from './store-process.js'
import { countUnfinished, readSends } from './stored-sends.js'
import { whatHappened, type Reported } from './reported-changes.js'
import { untilAllIsOver } from './until-all-is-over.js'

/** On both databases together, and more until enough has happened: `ORDER_KILLS=1000 npx vitest run test/delivery/proof/order` looks longer. */
const kills = Math.ceil(Number(process.env.ORDER_KILLS ?? 8) / databaseKinds.length)
const seed = Number(process.env.SEED ?? 20261121)

/** Sellers that are killed before the one who delivers is. */
const sellersPerWorker = 5

describe.concurrent.each(databaseKinds)('orders while their sellers are killed (%s)', (kind) => {
  it(
    `each change is sent once, and no other: ${kills} kills, seed ${seed}`,
    { timeout: 60_000 + untilAllIsOver.timeout + kills * 12_000 },
    async ({ expect, task }) => {
      const random = randomFrom(seed)
      const { origin, standIn, close } = await serveKlaviyoStandIn({ port: 0, jobSeconds: 0 })
      const settings = { privateApiKey: demoApiKey, builtInEvents: { updatedCart: false } }
      const store = await openStore(kind, { options: { marketing: { apiUrl: origin, settings } } })
      const spares = spareProcesses(
        {
          script: processScript('sell-orders-process'),
          kind,
          url: store.url,
          apiUrl: origin,
          apiKey: demoApiKey,
        },
        { count: Number.POSITIVE_INFINITY, ahead: 2 },
      )
      let worker: StoreProcess | undefined
      let done = 0
      let interrupted = 0
      try {
        await createProduct(store.payload)
        let left = 0
        let happened: Reported[] = []
        const isEnough = () =>
          interrupted > kills / 4 &&
          left > 0 &&
          names.every((each) => happened.some(({ name }) => name === each))
        for (; done < kills || !isEnough(); done++) {
          if (done % sellersPerWorker === 0) {
            await worker?.kill()
            worker = await spares.next()
            await worker.become('worker')
          }
          const seller = await spares.next()
          await seller.become('web')
          if (await killAtWork(seller, random)) interrupted += 1
          happened = (await whatHappened(store)).toBeReported
          left += missing(happened, await stored()).length
        }
        await worker?.kill()
        const context = `seed ${seed}, ${interrupted} of ${done} kills between change and commit`

        // Whoever starts next makes up for what a crash has left, as soon as it can be no save that
        // is still under way.
        const { delivery } = partsOf(store.payload)
        const open = async () => {
          await delivery.runUntilIdle({ deadline: new Date(Date.now() + 60_000) })
          const left = missing((await whatHappened(store)).toBeReported, await stored())
          return { left, unfinished: await countUnfinished(store) }
        }
        await expect
          .poll(open, { ...untilAllIsOver, message: context })
          .toEqual({ left: [], unfinished: 0 })

        const { toBeReported, torn } = await whatHappened(store)
        const { events } = standIn.state
        const arrived = events.map(({ metric, uniqueId }) => ({ name: metric, uniqueId }))
        const sends = await readSends(store)
        const troubled = new Set(
          sends.filter(({ hadTrouble }) => hadTrouble).map(({ uniqueId }) => uniqueId),
        )
        expect(
          {
            lost: missing(toBeReported, arrived),
            ofNoChange: missing(
              arrived.filter((event) => !isOfTornLine(event, torn)),
              toBeReported,
            ),
            doubled: arrived.length - new Set(arrived.map(keyOf)).size,
            failed: sends.filter(({ state }) => state !== 'sent'),
            // A call whose answer went down with its worker is made again, and no other.
            sentAgainWithoutReason: events.filter(
              ({ arrivals, uniqueId }) => arrivals > 1 && !troubled.has(uniqueId),
            ),
          },
          context,
        ).toEqual({ lost: [], ofNoChange: [], doubled: 0, failed: [], sentAgainWithoutReason: [] })

        expect(interrupted, context).toBeGreaterThan(kills / 4)
        expect(new Set(toBeReported.map(({ name }) => name)), context).toEqual(new Set(names))
        if (kind === 'postgres') expect(torn.size, context).toBe(0)
        // Kills do leave some to be sent later.
        expect(left, context).toBeGreaterThan(0)
      } finally {
        task.meta.figures = {
          kills: done,
          'kills between change and commit': interrupted,
          'events at the platform': standIn.state.events.length,
        }
        await worker?.kill()
        await spares.stop()
        await store.close()
        await close()
      }

      async function stored(): Promise<Reported[]> {
        const { docs } = await store.payload.find({
          collection: 'marketing-sends',
          pagination: false,
          select: { message: true },
        })
        return docs.map(({ message }) => (message as { event: Reported }).event)
      }
    },
  )
})

/** Each of them happens. */
const names = [
  'Started Checkout',
  'Placed Order',
  'Ordered Product',
  'Completed Order',
  'Processing Order',
  'Cancelled Order',
  'Refunded Order',
  'Shipped Order',
]

const keyOf = ({ name, uniqueId }: Reported): string => `${name} ${uniqueId}`

function missing(wanted: readonly Reported[], from: readonly Reported[]): string[] {
  const known = new Set(from.map(keyOf))
  return wanted.map(keyOf).filter((key) => !known.has(key))
}

const isOfTornLine = ({ name, uniqueId }: Reported, torn: ReadonlySet<string>): boolean =>
  name === 'Ordered Product' && torn.has(uniqueId.split(':')[0] ?? '')

/** Where a change and its events could come apart. */
const moments = ['changed', 'stored']

/** After some of its changes have begun or ended. Whether one was at such a moment. */
async function killAtWork(seller: StoreProcess, random: Random): Promise<boolean> {
  await seller.lines(seller.said.length + random.between(1, 12))
  // Most of the time is spent elsewhere: wait for such a moment in most of the cases.
  const moment = random.chance(0.8) ? random.pick(moments) : undefined
  while (moment !== undefined && seller.said.at(-1) !== moment) {
    await seller.lines(seller.said.length + 1)
  }
  await pause(random.between(0, 6))
  await seller.kill()
  return moments.includes(seller.said.at(-1) ?? '')
}
