import type { TemplateDatabases } from '../../test/support/databases.js'
import { openDatabase, type Ground } from './bench-database.js'
import { report, shown, tell } from './goals.js'
import type { LoadResult } from './load.js'
import type { Loader } from './loader.js'
import { median, takeTurns, type Arm } from './rounds.js'
import { barePath, noOpPath, startShop, trackPath } from './shop.js'
import type { Sizes } from './sizes.js'
import { checkStored, forgetStored } from './stored-posts.js'

const track = 'track: an event and a list'
const noOp = 'an action of the store that does nothing'
const oneWrite = 'track with a write to the disk for each post'
const bare = 'node:http alone'

/** The connections at which the goals are judged: a shop that is busy. */
const busy = 64

/** Accepted posts a second, against doing nothing and against a write to the disk for each. */
export async function benchAccept(
  databases: TemplateDatabases,
  ground: Ground,
  { loader, sizes }: { loader: Loader; sizes: Sizes },
): Promise<void> {
  const grouped = await openDatabase(databases, ground)
  const single = await openDatabase(databases, ground)
  const shop = await startShop({ kind: grouped.kind, url: grouped.url })
  const slowShop = await startShop({ kind: single.kind, url: single.url, writes: 'one a post' })

  const armsAt = (connections: number): Arm<LoadResult>[] => {
    const load = { connections, seconds: sizes.acceptSeconds, withList: true }
    const storing = (name: string, place: { port: number; database: typeof grouped }) => ({
      name,
      async measure() {
        const result = await loader.post({ ...load, port: place.port, path: trackPath })
        await checkStored(place.database, { ...result, withList: true })
        await forgetStored(place.database)
        return result
      },
    })
    const plain = (name: string, path: string) => ({
      name,
      measure: () => loader.post({ ...load, port: shop.port, path }),
    })
    return [
      storing(track, { port: shop.port, database: grouped }),
      plain(noOp, noOpPath),
      storing(oneWrite, { port: slowShop.port, database: single }),
      plain(bare, barePath),
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
    const ratioTo = (name: string) => of(track, 'perSecond') / of(name, 'perSecond')
    if (connections === busy) {
      report(`against ${noOp}`, ratioTo(noOp), { atLeast: 0.9 })
      report('against a write to the disk for each post', ratioTo(oneWrite), { atLeast: 8 })
    } else {
      tell(`against ${noOp}`, shown(ratioTo(noOp)))
      tell('against a write to the disk for each post', shown(ratioTo(oneWrite)))
    }
  }
  await Promise.all([shop.stop(), slowShop.stop()])
}
