import { describe, it } from 'vitest'
import { serveKlaviyoStandIn } from '../../../../dev/klaviyo/serve-stand-in.ts'
import { randomFrom, type Random } from '../../../../dev/seed/random.ts'
import { partsOf } from '../../../support/parts.js'
import { anAddress, anOrder, saveOrder } from '../../../support/orders.js'
import { copyPastOrders } from '../../../support/past-orders.js'
import { databaseKinds, openStore } from '../../../support/store.js'
import { spareProcesses } from './store-process.js'
import { countByState, countWaiting, readSends } from '../../../support/stored-sends.js'
import { untilAllIsOver } from './until-all-is-over.js'

/** On both databases together, and more until a quarter of them hit: `HISTORY_KILLS=500 npx vitest run --mode full test/marketing/delivery/proof/history` looks longer. */
const kills = Math.ceil(Number(process.env.HISTORY_KILLS ?? 2) / databaseKinds.length)
const seed = Number(process.env.SEED ?? 20261121)

/** Enough that the run is not over before the last kill: a page has 100. Each has two lines. */
const orders = kills * 600
const eventsOfOrder = 3

const year = { from: '2025-01-01', to: '2026-01-01' }

describe.concurrent.each(databaseKinds)('a history whose processes are killed (%s)', (kind) => {
  it(
    `each order is sent once: ${orders} orders, ${kills} kills, more than a quarter of them in a page or a call, seed ${seed}`,
    { timeout: 60_000 + untilAllIsOver.timeout + kills * 12_000 },
    async ({ expect, task }) => {
      const random = randomFrom(seed)
      const store = await openStore(kind)
      const { histories, feeds } = partsOf(store.payload)
      const { origin, standIn, close } = await serveKlaviyoStandIn({ port: 0 })
      const spares = spareProcesses(
        { script: 'send-history-process', kind, url: store.url, apiUrl: origin },
        { count: Number.POSITIVE_INFINITY, ahead: 2 },
      )
      let done = 0
      let interrupted = 0
      try {
        await copyPastOrders(store.payload, orders)
        await histories.start(year, { startedBy: undefined })

        for (; done < kills || interrupted <= kills / 4; done++) {
          const worker = await spares.next()
          await worker.tell(`worker ${random.between(1, 5)} ${random.between(0, 12)}`)
          // The shop's own events come in between.
          await saveOrder(store.payload, anOrder(aSale(done, random)))
          await worker.ended
          if (['step', 'call'].includes(worker.said.at(-1) ?? '')) interrupted += 1
          for (const feed of feeds) await feed.catchUp()
        }
        const context = `seed ${seed}, ${interrupted} of ${done} kills hit a page or a call`
        expect((await histories.latest())?.state, context).toBe('running')

        const last = await spares.next()
        await last.become('worker')
        const left = async () => ({
          state: (await histories.latest())?.state,
          unfinished: await countWaiting(store),
        })
        await expect.poll(left, untilAllIsOver).toEqual({ state: 'done', unfinished: 0 })
        await last.kill()

        expect(interrupted, context).toBeGreaterThan(kills / 4)
        expect(await histories.latest()).toMatchObject({
          total: expect.any(Number) as number,
          events: orders * eventsOfOrder,
        })
        const sends = await readSends(store)
        const all = orders * eventsOfOrder + done * 2
        expect(countByState(sends), context).toEqual({ sent: all })
        const { events } = standIn.state
        expect(repeated(events.map(keyOf)), context).toEqual([])
        expect(events, context).toHaveLength(all)
        const placed = events.filter(({ metric }) => metric === 'Placed Order')
        const numbers = placed.map(({ uniqueId }) => uniqueId)
        expect(new Set(numbers).size, context).toBe(orders + done)
        // A call whose answer went down with its worker is made again, and no other.
        const troubled = new Set(
          sends.filter(({ hadTrouble }) => hadTrouble).map(({ uniqueId }) => uniqueId),
        )
        const again = events.filter(
          ({ arrivals, uniqueId }) => arrivals > 1 && !troubled.has(uniqueId),
        )
        expect(again, context).toEqual([])
      } finally {
        const { events } = standIn.state
        task.meta.figures = {
          kills: done,
          'kills in a page or a call': interrupted,
          'past orders': orders,
          'events at the platform': events.length,
          doubled: events.length - new Set(events.map(keyOf)).size,
        }
        await spares.stop()
        await close()
        await store.close()
      }
    },
  )
})

/**
 * By one of the buyers of the past, with a phone number of their own: the platform takes two people of
 * one number for one profile, and knows repeats of an event only within a profile.
 */
const aSale = (buyer: number, random: Random) => ({
  customerEmail: `buyer-${buyer}@example.com`,
  shippingAddress: anAddress({ phone: `+44207946${String(buyer).padStart(4, '0')}` }),
  createdAt: someDay(random),
})

const keyOf = ({ metric, uniqueId }: { metric: string; uniqueId: string }): string =>
  `${metric} ${uniqueId}`

const repeated = (keys: readonly string[]): string[] =>
  keys.filter((key, index) => keys.indexOf(key) !== index)

const someDay = (random: Random): string =>
  new Date(Date.UTC(2025, random.between(0, 11), random.between(1, 28))).toISOString()
