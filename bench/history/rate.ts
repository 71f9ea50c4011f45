import { createKlaviyoStandIn, demoApiKey } from '../../dev/klaviyo/stand-in.ts'
import { wholePartsOf } from '../../test/support/parts.js'
import { runToEnd } from '../../src/core/workers/worker.js'
import { passOf } from '../../test/support/pass-of.js'
import { copyPastOrders } from '../../test/support/past-orders.js'
import type { TemplateDatabases } from '../../test/support/databases.js'
import { kindOf, openDatabase, type Ground } from '../marketing/bench-database.js'
import { report, shown, tell } from '../goals.js'
import { showProgress } from '../progress.js'
import { eventsOfOrder, period } from './past-orders.js'
import type { Sizes } from './sizes.js'

const startedAt = Date.UTC(2026, 0, 15)
const minuteMs = 60_000

/** Bulk calls of events that the documents allow in a minute, and events in one. */
const callsPerMinute = 150
const eventsPerCall = 1000

/** How fast past orders arrive at the documented limits, on a clock that takes no time for the work. */
export async function benchRate(
  databases: TemplateDatabases,
  ground: Ground,
  sizes: Sizes,
): Promise<void> {
  const calls = sizes.rateMinutes[kindOf(ground)] * callsPerMinute + 1
  const orders = Math.ceil((calls * eventsPerCall) / eventsOfOrder)
  console.log(`\n${ground}: a history of ${shown(orders)} orders, on a fake clock`)
  let at = startedAt
  const now = () => new Date(at)
  const standIn = createKlaviyoStandIn({ now: () => at })
  const { payload } = await openDatabase(databases, ground, {
    options: { marketing: { settings: { privateApiKey: demoApiKey } } },
    effects: {
      now,
      steadyMs: () => at,
      fetch: (asked, init) => standIn.handle(new Request(asked, init)),
    },
  })
  await copyPastOrders(payload, orders)
  const { deliverer, histories, historyWorker } = await wholePartsOf(payload)
  const { run } = await histories.start(period, { startedBy: undefined })
  const progress = showProgress(`Sending ${shown(orders)} orders`)
  const begin = performance.now()
  for (;;) {
    await runToEnd([historyWorker], { waits: { now }, log: payload.logger })
    const { didWork, nextAt } = await passOf(deliverer)
    progress.update(standIn.state.events.length, orders * eventsOfOrder)
    if (didWork) continue
    if (nextAt !== undefined) at = Math.max(at + 1, nextAt.getTime())
    else if ((await histories.find(run.id))?.state === 'done') break
    else at += 1_000
  }
  progress.end()

  const { events, calls: made, throttled } = standIn.state
  if (events.length !== orders * eventsOfOrder || events.some(({ arrivals }) => arrivals > 1)) {
    throw new Error(`Of ${orders * eventsOfOrder} events there arrived ${events.length}.`)
  }
  const bulk = made.filter(({ name, items }) => name === 'events' && items === eventsPerCall)
  const last = bulk.at(-1)?.at ?? NaN
  const before = bulk.filter((call) => call.at < last).length * eventsPerCall
  tell('of this machine: all of it', `${shown((performance.now() - begin) / 1000)} s`)
  tell('calls', shown(made.length))
  report('events a minute', before / ((last - startedAt) / minuteMs), { atLeast: 149_000 })
  report('calls refused by the limits', throttled, { atMost: 0 })
}
