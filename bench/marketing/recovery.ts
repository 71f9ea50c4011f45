import { serveKlaviyoStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import type { TemplateDatabases } from '../../test/support/databases.js'
import { openDatabase, type Ground } from './bench-database.js'
import { report, shown, tell } from '../goals.js'
import type { LoadResult } from './load.js'
import type { Loader } from './loader.js'
import { median, takeTurns, type Arm } from './rounds.js'
import { startShop, trackPath } from './shop.js'
import type { Sizes } from './sizes.js'
import { checkStored, seedWaiting } from './stored-posts.js'

/** A shop with visitors, far below what it can accept. */
const postsPerSecond = 20

const longestOutageMs = 60_000

/** Posts before the measured ones, as a process that has just started is slow. */
const warmUpSeconds = 3

interface Recovery extends LoadResult {
  /** Events that arrived meanwhile. */
  delivered: number
  /** The longest that the shop's thread answered nobody in 99 of 100 looks. */
  busyMs: number
}

/** How long a post takes while a backlog drains after an outage, against a shop with none. */
export async function benchRecovery(
  databases: TemplateDatabases,
  ground: Ground,
  { loader, sizes }: { loader: Loader; sizes: Sizes },
): Promise<void> {
  const armOf = (name: string, waiting: number): Arm<Recovery> => ({
    name,
    async measure() {
      const database = await openDatabase(databases, ground)
      if (waiting > 0) await seedWaiting(database, { posts: waiting, withList: true })
      const { standIn, origin, close } = await serveKlaviyoStandIn({ port: 0 })
      const outage = standIn.faults.add({ kind: 'error', status: 503 })
      const { kind, url } = database
      const shop = await startShop({ kind, url, platformUrl: origin })
      const { state } = standIn
      const load = {
        port: shop.port,
        path: trackPath,
        connections: 64,
        rate: postsPerSecond,
        withList: true,
      }
      await loader.post({ ...load, seconds: warmUpSeconds })
      await until(() => state.calls.length > 1, 'No call was made in the outage.')
      outage.remove()
      await until(() => state.events.length > 1, 'Nothing was delivered after the outage.')
      const before = state.events.length
      await shop.watchThread()
      const result = await loader.post({ ...load, seconds: sizes.recoverySeconds })
      const delivered = state.events.length - before
      const busyMs = await shop.busyMs()
      await checkStored(database, { ...result, withList: true })
      await Promise.all([shop.stop(), close()])
      if (result.posts === 0) throw new Error('Nothing was posted.')
      if (waiting > 0 && delivered < leastDelivered(sizes)) {
        throw new Error(`No backlog was drained: ${delivered} events arrived meanwhile.`)
      }
      return { ...result, delivered, busyMs }
    },
  })
  const none = 'none'
  const many = shown(sizes.backlog)
  console.log(
    `\n${ground}: ${postsPerSecond} posts a second, p99, after an outage in which posts waited`,
  )
  const results = await takeTurns(
    [armOf(none, 0), armOf(many, sizes.backlog)],
    sizes.recoveryRounds,
  )
  const of = (name: string, figure: 'p50Ms' | 'p99Ms' | 'delivered' | 'busyMs') =>
    median((results.get(name) ?? []).map((result) => result[figure]))
  for (const name of results.keys()) {
    tell(`${name} (p50 ${of(name, 'p50Ms').toFixed(2)} ms)`, `${of(name, 'p99Ms').toFixed(2)} ms`)
    tell(`${name}: that the thread answers nobody, p99`, `${of(name, 'busyMs').toFixed(2)} ms`)
  }
  tell('events arrived meanwhile', shown(of(many, 'delivered')))
  report(`${many} waiting against none`, of(many, 'p99Ms') / of(none, 'p99Ms'), { atMost: 2 })
}

/** Ten times what is posted meanwhile. */
const leastDelivered = ({ recoverySeconds }: Sizes): number => recoverySeconds * postsPerSecond * 10

async function until(isSo: () => boolean, failure: string): Promise<void> {
  const giveUpAt = performance.now() + longestOutageMs
  while (!isSo()) {
    if (performance.now() > giveUpAt) throw new Error(failure)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
