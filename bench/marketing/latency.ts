import { serveKlaviyoStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import type { KlaviyoStandIn } from '../../dev/klaviyo/stand-in.ts'
import type { TemplateDatabases } from '../../test/support/databases.js'
import { openDatabase, type Ground } from './bench-database.js'
import { report, tell } from '../goals.js'
import { emailOf } from './load.js'
import type { Loader } from './loader.js'
import { quantile } from './rounds.js'
import { startShop, trackPath } from './shop.js'
import type { Sizes } from './sizes.js'

/** Few enough that each event goes out by itself. */
const postsPerSecond = 10

interface Parts {
  loader: Loader
  sizes: Pick<Sizes, 'latencyPosts'>
}

/** From a post's first byte to its event at the platform, over sockets. */
export async function benchLatency(
  databases: TemplateDatabases,
  ground: Ground,
  parts: Parts,
): Promise<void> {
  console.log(`\n${ground}: from post to platform, ${postsPerSecond} posts a second`)
  const { standIn, origin, close } = await serveKlaviyoStandIn({ port: 0 })
  const { kind, url } = await openDatabase(databases, ground)
  const shop = await startShop({ kind, url, platformUrl: origin })
  const waits = await measureWaits(standIn, shop.port, parts)
  tell(`p99 of ${waits.length} posts`, `${quantile(waits, 0.99)} ms`)
  report('p50, in ms', quantile(waits, 0.5), { atMost: 15 })
  await shop.stop()
  await close()
}

/** The same from a post in one process to the platform by another, which has delivered before. */
export async function benchTwoProcesses(
  databases: TemplateDatabases,
  ground: Ground,
  parts: Parts,
): Promise<void> {
  console.log(`\n${ground}: from a post in one process to the platform by another`)
  const { standIn, origin, close } = await serveKlaviyoStandIn({ port: 0 })
  const { kind, url } = await openDatabase(databases, ground)
  const deliverer = await startShop({ kind, url, platformUrl: origin })
  await measureWaits(standIn, deliverer.port, {
    ...parts,
    sizes: { ...parts.sizes, latencyPosts: postsPerSecond },
  })
  const other = await startShop({ kind, url, platformUrl: origin })
  const waits = await measureWaits(standIn, other.port, parts)
  tell(`p50 of ${waits.length} posts`, `${quantile(waits, 0.5)} ms`)
  report('p99, in ms', quantile(waits, 0.99), { atMost: 100 })
  await Promise.all([deliverer.stop(), other.stop()])
  await close()
}

/** Milliseconds from each post to the platform, after a second that is not counted. */
export async function measureWaits(
  standIn: KlaviyoStandIn,
  port: number,
  { loader, sizes }: Parts,
): Promise<number[]> {
  const load = { port, path: trackPath, connections: 8, withList: false, rate: postsPerSecond }
  await loader.post({ ...load, seconds: 1 })
  const { prefix, sentAt } = await loader.post({
    ...load,
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
  return waits
}
