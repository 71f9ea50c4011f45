import type { TemplateDatabases } from '../../test/support/databases.js'
import { openDatabase, type BenchDatabase, type Ground } from './bench-database.js'
import { report, shown, tell } from '../goals.js'
import type { LoadResult } from './load.js'
import type { Loader } from './loader.js'
import { median, takeTurns, type Arm } from './rounds.js'
import { barePath, floorPath, noOpPath, startShop, trackPath, type Shop } from './shop.js'
import type { Sizes } from './sizes.js'
import { checkStored, forgetStored } from './stored-posts.js'
import { queues, type QueueName } from './queues.js'

const track = 'track: an event and a list'
const noOp = 'an action of the store that does nothing'
const queuedWith = (queue: QueueName) => `track that enqueues with ${queue}`
const floor = 'node:http, the session and the token by hand'
const bare = 'node:http alone'

/** The connections at which the goals are judged: a shop that is busy. */
const busy = 64

/** A store with another queue, on a database of its own. */
interface OtherShop {
  queue: QueueName
  database: BenchDatabase
  shop: Shop
}

/** How many times as many posts as with another queue. Both keep posts as safely, but pg-boss in no order per person. */
const goals: Readonly<Record<QueueName, number>> = { 'pg-boss': 2, 'graphile-worker': 1 }
const queueNames = Object.keys(goals) as QueueName[]

/**
 * Accepted posts a second, against doing nothing and, on PostgreSQL, against queues that many stores
 * use; and, without a goal, what doing nothing costs against node:http alone.
 */
export async function benchAccept(
  databases: TemplateDatabases,
  ground: Ground,
  { loader, sizes }: { loader: Loader; sizes: Sizes },
): Promise<void> {
  const database = await openDatabase(databases, ground)
  const shop = await startShop({ kind: database.kind, url: database.url })
  const others: OtherShop[] = []
  for (const queue of ground === 'postgres' ? queueNames : []) {
    const own = await openDatabase(databases, ground)
    const { kind, url } = own
    others.push({ queue, database: own, shop: await startShop({ kind, url, queue }) })
  }

  const armsAt = (connections: number): Arm<LoadResult>[] => {
    const load = { connections, seconds: sizes.acceptSeconds, withList: true }
    const plain = (name: string, path: string) => ({
      name,
      measure: () => loader.post({ ...load, port: shop.port, path }),
    })
    const storing = {
      name: track,
      async measure() {
        const result = await loader.post({ ...load, port: shop.port, path: trackPath })
        await checkStored(database, { ...result, withList: true })
        await forgetStored(database)
        return result
      },
    }
    const queueing = ({ queue, shop: { port }, database: own }: OtherShop) => ({
      name: queuedWith(queue),
      async measure() {
        const result = await loader.post({ ...load, port, path: trackPath })
        await queues[queue].check(own, result.posts)
        return result
      },
    })
    return [
      storing,
      plain(noOp, noOpPath),
      plain(floor, floorPath),
      plain(bare, barePath),
      ...others.map(queueing),
    ]
  }

  for (const connections of sizes.acceptConnections) {
    console.log(`\n${ground}: posts accepted over ${connections} connections`)
    const results = await takeTurns(armsAt(connections), sizes.acceptRounds)
    const of = (name: string, figure: 'perSecond' | 'p50Ms' | 'p99Ms') =>
      median((results.get(name) ?? []).map((result) => result[figure]))
    for (const name of results.keys()) {
      const times = `p50 ${of(name, 'p50Ms').toFixed(1)} ms, p99 ${of(name, 'p99Ms').toFixed(1)} ms`
      tell(`${name} (${times})`, `${shown(of(name, 'perSecond'))}/s`)
    }
    const say = (one: string, other: string, atLeast: number) => {
      const ratio = of(one, 'perSecond') / of(other, 'perSecond')
      const name = `${one}, against ${other}`
      if (connections === busy) report(name, ratio, { atLeast })
      else tell(name, shown(ratio))
    }
    say(track, noOp, ground === 'postgres' ? 0.65 : 0.6)
    for (const { queue } of others) say(track, queuedWith(queue), goals[queue])
    for (const less of [bare, floor])
      tell(`${noOp}, against ${less}`, shown(of(noOp, 'perSecond') / of(less, 'perSecond')))
  }
  await Promise.all([shop, ...others.map((other) => other.shop)].map((each) => each.stop()))
}
