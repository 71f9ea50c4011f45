import { serveKlaviyoStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import type { TemplateDatabases } from '../../test/support/databases.js'
import { openDatabase, type Ground } from './bench-database.js'
import type { Shares } from './cpu-profile.js'
import type { Loader } from './loader.js'
import { noOpPath, startShop } from './shop.js'
import type { Sizes } from './sizes.js'
import { countSends, seedWaiting } from './stored-posts.js'
import { tellShares } from './tell-shares.js'

const longestDeliveryMs = 5 * 60_000

interface Parts {
  loader: Loader
  sizes: Sizes
}

/** Where the time of the front door goes, and that of the delivery. */
export async function benchProfile(
  databases: TemplateDatabases,
  ground: Ground,
  parts: Parts,
): Promise<void> {
  tellShares(`${ground}: where the time of an action that does nothing goes`, await profileDoor())
  tellShares(`${ground}: where the time of the delivery goes`, await profileDelivery())

  async function profileDoor(): Promise<Shares> {
    const { kind, url } = await openDatabase(databases, ground)
    const shop = await startShop({ kind, url })
    const load = { connections: 64, seconds: parts.sizes.acceptSeconds, withList: true }
    const post = () => parts.loader.post({ ...load, port: shop.port, path: noOpPath })
    await post()
    await shop.startProfile()
    await post()
    const shares = await shop.endProfile()
    await shop.stop()
    return shares
  }

  async function profileDelivery(): Promise<Shares> {
    const store = await openDatabase(databases, ground)
    const posts = parts.sizes.profiledPosts
    await seedWaiting(store, { posts, withList: true })
    const { origin, close } = await serveKlaviyoStandIn({ port: 0 })
    const shop = await startShop({ kind: store.kind, url: store.url, platformUrl: origin })
    await shop.startProfile()
    const giveUpAt = performance.now() + longestDeliveryMs
    while ((await countSends(store, 'sent')) < posts * 2) {
      if (performance.now() > giveUpAt) throw new Error('The posts were not delivered in time.')
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    const shares = await shop.endProfile()
    await shop.stop()
    await close()
    return shares
  }
}
