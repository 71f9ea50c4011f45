import { serveKlaviyoStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import type { TemplateDatabases } from '../../test/support/databases.js'
import { openDatabase, type Ground } from './bench-database.js'
import { report, tell } from './goals.js'
import { emailOf } from './load.js'
import type { Loader } from './loader.js'
import { quantile } from './rounds.js'
import { startShop, trackPath } from './shop.js'
import type { Sizes } from './sizes.js'

/** Few enough that each event goes out by itself. */
const postsPerSecond = 10

/** From a post's first byte to its event at the platform, over sockets. */
export async function benchLatency(
  databases: TemplateDatabases,
  ground: Ground,
  { loader, sizes }: { loader: Loader; sizes: Sizes },
): Promise<void> {
  console.log(`\n${ground}: from post to platform, ${postsPerSecond} posts a second`)
  const { standIn, origin, close } = await serveKlaviyoStandIn({ port: 0 })
  const { kind, url } = await openDatabase(databases, ground)
  const shop = await startShop({ kind, url, platformUrl: origin })
  const load = { port: shop.port, path: trackPath, connections: 8, withList: false }
  await loader.post({ ...load, rate: postsPerSecond, seconds: 1 })
  const { prefix, sentAt } = await loader.post({
    ...load,
    rate: postsPerSecond,
    seconds: sizes.latencyPosts / postsPerSecond,
  })
  const arrival = (post: number): number | undefined => {
    const profile = standIn.state.profileByEmail(emailOf(prefix, post))
    return standIn.state.events.find((event) => event.profile === profile?.id)?.receivedAt
  }
  const giveUpAt = Date.now() + 30_000
  while (sentAt.some((_, post) => arrival(post) === undefined) && Date.now() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const waits = sentAt.map((at, post) => (arrival(post) ?? NaN) - at)
  if (waits.some(Number.isNaN)) throw new Error('A post has not arrived at the platform.')
  tell(`p99 of ${waits.length} posts`, `${quantile(waits, 0.99)} ms`)
  report('p50, in ms', quantile(waits, 0.5), { atMost: 50 })
  await shop.stop()
  await close()
}
