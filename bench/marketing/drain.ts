import { serveKlaviyoStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import type { KlaviyoStandIn } from '../../dev/klaviyo/stand-in.ts'
import type { TemplateDatabases } from '../../test/support/databases.js'
import { showProgress } from '../progress.js'
import { kindOf, openDatabase, type Ground } from './bench-database.js'
import { cpuSeconds } from './cpu-seconds.js'
import { report, shown, tell } from '../goals.js'
import { startShop } from './shop.js'
import type { Sizes } from './sizes.js'
import { countSends, seedWaiting } from './stored-posts.js'
import { lists } from './visitor.js'

/** Bulk calls of events that the documents allow in a minute, and events in one. */
const callsPerMinute = 150
const eventsPerCall = 1000

/** One with their events, two for their lists, and ten that look up their people. */
const mostCallsPerThousand = 13

/** How fast a queue empties at the documented limits, and what that costs the deliverer against who takes it. */
export async function benchDrain(
  databases: TemplateDatabases,
  ground: Ground,
  sizes: Sizes,
): Promise<void> {
  // One call more than those minutes allow: it has to wait for the next.
  const posts = Math.ceil(sizes.drainMinutes[kindOf(ground)] * callsPerMinute + 1) * eventsPerCall
  console.log(`\n${ground}: a queue of ${shown(posts)} posts, two sends each, in real time`)
  const store = await openDatabase(databases, ground)
  const progress = showProgress(`Delivering ${shown(posts)} posts on ${ground}`)
  await seedWaiting(store, { posts, withList: true })
  const { standIn, origin, close } = await serveKlaviyoStandIn({ port: 0 })
  const shop = await startShop({ kind: store.kind, url: store.url, platformUrl: origin })

  // The stand-in runs in this process, which does little else meanwhile.
  const spent = async () => ({ deliverer: await shop.cpuSeconds(), standIn: cpuSeconds() })
  // Without what it took to start.
  const begin = await spent()
  const giveUpAt = performance.now() + (posts / 150_000 + 5) * 60_000
  let atLimit: typeof begin | undefined
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    const arrived = standIn.state.events.length
    progress.update(arrived, posts)
    if (arrived <= posts - eventsPerCall || atLimit === undefined) atLimit = await spent()
    // The platform works on what it has taken: the lists are full a little later.
    const isComplete = arrived >= posts && listEffects(standIn) >= posts
    if (isComplete && (await countSends(store, 'sent')) === posts * 2) break
    if (performance.now() > giveUpAt) throw new Error(`Only ${arrived} posts have arrived.`)
  }
  progress.end()
  await shop.stop()
  await close()

  checkDelivered(standIn, posts)
  for (const [name, count] of callCounts(standIn)) tell(`calls: ${name}`, shown(count))
  report('posts a minute', postsPerMinute(standIn), { atLeast: 149_000 })
  report('calls refused by the limits', standIn.state.throttled, { atMost: 0 })
  const callsPerThousand = (standIn.state.calls.length / posts) * 1000
  report('calls for 1,000 posts', callsPerThousand, { atMost: mostCallsPerThousand })
  const delivering = atLimit.deliverer - begin.deliverer
  const taking = atLimit.standIn - begin.standIn
  tell('CPU time of the stand-in, while at the limit', `${shown(taking)} s`)
  report('CPU time of the deliverer against that', delivering / taking, {
    atMost: store.kind === 'sqlite' ? 3 : 2,
  })
}

/** Posts that had arrived when the last call of events was made: the one that had to wait. */
function postsPerMinute({ state }: KlaviyoStandIn): number {
  const calls = state.calls.filter(({ name }) => name === 'events')
  const [first = NaN, last = NaN] = [calls[0]?.at, calls.at(-1)?.at]
  return ((calls.length - 1) * eventsPerCall) / ((last - first) / 60_000)
}

/** @throws when a post did not arrive, or any part of it twice. */
function checkDelivered(standIn: KlaviyoStandIn, posts: number): void {
  const { events, lists: listsThere } = standIn.state
  const found = {
    events: events.length,
    people: new Set(events.map(({ profile }) => profile)).size,
    arrivals: events.reduce((sum, { arrivals }) => sum + arrivals, 0),
    listEffects: listEffects(standIn),
    members: lists.reduce((sum, id) => sum + (listsThere.get(id)?.members.size ?? 0), 0),
  }
  if (Object.values(found).some((count) => count !== posts)) {
    throw new Error(`Of ${posts} posts there arrived ${JSON.stringify(found)}.`)
  }
}

const listEffects = ({ state }: KlaviyoStandIn): number =>
  state.effects.filter(({ kind }) => kind === 'list-add' || kind === 'subscribe').length

function callCounts({ state }: KlaviyoStandIn): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { name } of state.calls) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
