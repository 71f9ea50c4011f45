import type { TemplateDatabases } from '../../test/support/databases.js'
import { openDatabase, type Ground } from './bench-database.js'
import { report, shown, tell } from '../goals.js'
import type { LoadResult } from './load.js'
import type { Loader } from './loader.js'
import { median, takeTurns, type Arm } from './rounds.js'
import { barePath, floorPath, noOpPath, startShop, trackPath } from './shop.js'
import type { Sizes } from './sizes.js'
import { checkStored, forgetStored } from './stored-posts.js'
import { checkQueued } from './pg-boss.js'

const track = 'track: an event and a list'
const noOp = 'an action of the store that does nothing'
const queued = 'track that enqueues with pg-boss'
const floor = 'node:http, the session and the token by hand'
const bare = 'node:http alone'

/** The connections at which the goals are judged: a shop that is busy. */
const busy = 64

/**
 * Accepted posts a second, against doing nothing and, on PostgreSQL, against a queue that many stores
 * use; and what doing nothing costs against node:http alone.
 */
export async function benchAccept(
  databases: TemplateDatabases,
  ground: Ground,
  { loader, sizes }: { loader: Loader; sizes: Sizes },
): Promise<void> {
  const database = await openDatabase(databases, ground)
  const shop = await startShop({ kind: database.kind, url: database.url })
  const bossDatabase = ground === 'postgres' ? await openDatabase(databases, ground) : undefined
  const bossShop =
    bossDatabase &&
    (await startShop({ kind: bossDatabase.kind, url: bossDatabase.url, queue: 'pg-boss' }))

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
    const arms = [storing, plain(noOp, noOpPath), plain(floor, floorPath), plain(bare, barePath)]
    if (bossDatabase === undefined || bossShop === undefined) return arms
    const queueing = {
      name: queued,
      async measure() {
        const result = await loader.post({ ...load, port: bossShop.port, path: trackPath })
        await checkQueued(bossDatabase, result.posts)
        return result
      },
    }
    return [...arms, queueing]
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
      if (!results.has(other)) return
      const ratio = of(one, 'perSecond') / of(other, 'perSecond')
      const name = `${one}, against ${other}`
      if (connections === busy) report(name, ratio, { atLeast })
      else tell(name, shown(ratio))
    }
    say(track, noOp, ground === 'postgres' ? 0.65 : 0.6)
    say(track, queued, 2)
    say(noOp, bare, 0.1)
    tell(`${noOp}, against ${floor}`, shown(of(noOp, 'perSecond') / of(floor, 'perSecond')))
  }
  await Promise.all([shop.stop(), bossShop?.stop()])
}
