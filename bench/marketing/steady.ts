import { serveKlaviyoStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import type { TemplateDatabases } from '../../test/support/databases.js'
import { showProgress } from '../progress.js'
import { openDatabase, type BenchDatabase, type Ground } from './bench-database.js'
import { report, tell } from '../goals.js'
import type { LoadResult } from './load.js'
import type { Loader } from './loader.js'
import { median, medianRatio, takeTurns, type Arm } from './rounds.js'
import { startShop, trackPath, type Shop } from './shop.js'
import type { Sizes } from './sizes.js'
import { checkStored, seedWaiting } from './stored-posts.js'

interface SteadyShop extends Shop {
  database: BenchDatabase
}

/** How long a post takes while the delivery runs in the same process, whatever there is to deliver. */
export async function benchSteady(
  databases: TemplateDatabases,
  ground: Ground,
  { loader, sizes }: { loader: Loader; sizes: Sizes },
): Promise<void> {
  const healthy = await serveKlaviyoStandIn({ port: 0 })
  const hung = await serveKlaviyoStandIn({ port: 0, faults: [{ kind: 'hang' }] })
  const start = async (platformUrl: string, waiting = 0): Promise<SteadyShop> => {
    const database = await openDatabase(databases, ground)
    if (waiting > 0) await seed(database, ground, waiting)
    const { kind, url } = database
    return { database, ...(await startShop({ kind, url, platformUrl })) }
  }
  const armOf = (name: string, { port, database }: SteadyShop): Arm<LoadResult> => ({
    name,
    async measure() {
      const load = { connections: 64, seconds: sizes.steadySeconds, rate: sizes.steadyRate }
      const result = await loader.post({ ...load, port, path: trackPath, withList: true })
      await checkStored(database, { ...result, withList: true })
      return result
    },
  })
  const compare = async (usual: Arm<LoadResult>, other: Arm<LoadResult>): Promise<number> => {
    const results = await takeTurns([usual, other], sizes.steadyRounds)
    for (const [name, measured] of results) {
      const [p50, p99] = (['p50Ms', 'p99Ms'] as const).map((figure) =>
        median(measured.map((result) => result[figure])).toFixed(2),
      )
      tell(`${name} (p50 ${p50} ms)`, `${p99} ms`)
    }
    const of = ({ name }: Arm<LoadResult>) => results.get(name) ?? []
    return medianRatio([of(other), of(usual)], ({ p99Ms }) => p99Ms)
  }

  const rate = `${sizes.steadyRate} posts a second, p99`
  console.log(`\n${ground}: ${rate}, while the platform`)
  const healthyShop = await start(healthy.origin)
  const hungShop = await start(hung.origin)
  const hungRatio = await compare(armOf('is healthy', healthyShop), armOf('hangs', hungShop))
  report('hung against healthy', hungRatio, { atMost: 1.1 })
  await Promise.all([healthyShop.stop(), hungShop.stop()])

  const many = sizes.waiting.toLocaleString('en')
  const empty = await start(hung.origin)
  const full = await start(hung.origin, sizes.waiting)
  console.log(`\n${ground}: ${rate}, while the platform hangs and sends wait`)
  const waitingRatio = await compare(armOf('none', empty), armOf(many, full))
  report(`${many} waiting against none`, waitingRatio, { atMost: 1.2 })
  await Promise.all([empty.stop(), full.stop()])
  await Promise.all([healthy.close(), hung.close()])
}

async function seed(database: BenchDatabase, ground: Ground, waiting: number): Promise<void> {
  const progress = showProgress(`Seeding ${waiting.toLocaleString('en')} sends on ${ground}`)
  await seedWaiting(database, { posts: waiting, withList: false })
  progress.end()
}
