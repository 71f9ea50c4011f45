import { serveKlaviyoStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import { wholePartsOf } from '../../test/support/parts.js'
import type { TemplateDatabases } from '../../test/support/databases.js'
import { openDatabase, type Ground } from '../marketing/bench-database.js'
import { report, shown, tell } from '../goals.js'
import { measureWaits } from '../marketing/latency.js'
import type { Loader } from '../marketing/loader.js'
import { quantile } from '../marketing/rounds.js'
import { startShop } from '../marketing/shop.js'
import { copyPastOrders } from '../../test/support/past-orders.js'
import { period } from './past-orders.js'
import type { Sizes } from './sizes.js'

/** From a post to its event at the platform, in real time, while past orders go out. */
export async function benchBeside(
  databases: TemplateDatabases,
  ground: Ground,
  { loader, sizes }: { loader: Loader; sizes: Sizes },
): Promise<void> {
  console.log(`\n${ground}: posts beside a history of ${shown(sizes.besideOrders)} orders`)
  const { standIn, origin, close } = await serveKlaviyoStandIn({ port: 0 })
  const store = await openDatabase(databases, ground)
  await copyPastOrders(store.payload, sizes.besideOrders)
  const shop = await startShop({ kind: store.kind, url: store.url, platformUrl: origin })

  const { histories } = await wholePartsOf(store.payload)
  const { run } = await histories.start(period, { startedBy: undefined })
  while (standIn.state.events.length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const before = standIn.state.events.length
  const waits = await measureWaits(standIn, shop.port, { loader, sizes })
  const past = standIn.state.events.length - before - waits.length
  if ((await histories.find(run.id))?.state !== 'running') {
    throw new Error('The history was over before the posts were.')
  }
  tell('events of past orders meanwhile', shown(past))
  tell(`p99 of ${waits.length} posts`, `${quantile(waits, 0.99)} ms`)
  report('p50, in ms', quantile(waits, 0.5), { atMost: 200 })
  await shop.stop()
  await close()
}
