import {
  createKlaviyoStandIn,
  demoApiKey,
  type KlaviyoStandIn,
} from '../../dev/klaviyo/stand-in.ts'
import { sendsOfPost } from '../../src/actions/marketing/sends-of-post.js'
import { createDrain, type Drain } from '../../src/delivery/drain.js'
import type { NewSend, Outbox } from '../../src/delivery/outbox.js'
import { createKlaviyo } from '../../src/klaviyo/klaviyo.js'
import type { CallName, PlatformBounds } from '../../src/marketing/platform.js'
import { defaultMarketingSettings } from '../../src/settings/marketing-settings.js'
import { createCallLogStore } from '../../src/store/payload/outbox/call-log-store.js'
import { createOutbox } from '../../src/store/payload/outbox/outbox.js'
import { sendTable } from '../../src/store/payload/outbox/send-table.js'
import { sql } from 'drizzle-orm'
import type { TemplateDatabases } from '../../test/support/databases.js'
import { showProgress } from '../progress.js'
import {
  kindOf,
  numberOf,
  openDatabase,
  type BenchDatabase,
  type Ground,
} from './bench-database.js'
import { report, shown, tell } from './goals.js'
import { lists } from './visitor.js'
import type { Sizes } from './sizes.js'

const startedAt = Date.UTC(2026, 0, 1)

/** Bulk calls of events that the documents allow in a minute, and events in one. */
const callsPerMinute = 150
const eventsPerCall = 1000

/** Of the posts; the others subscribe. */
const listAddShare = 0.7

/** A drain, the platform and their clock, which stands still until there is nothing to do. */
interface World {
  outbox: Outbox
  standIn: KlaviyoStandIn
  drain: Drain
  store: BenchDatabase
  clock: { at: number }
}

/** How fast a queue empties at the documented limits, on a clock that takes no time for the work. */
export async function benchDrain(
  databases: TemplateDatabases,
  ground: Ground,
  sizes: Sizes,
): Promise<void> {
  const full = sizes.drainMinutes[kindOf(ground)] * callsPerMinute
  const posts = (full + 1) * eventsPerCall
  console.log(`\n${ground}: a queue of ${shown(posts)} posts, two sends each, on a fake clock`)
  const world = await openWorld(databases, ground)
  const wallSeconds = await drainAll(world, posts)
  await checkDelivered(world, posts)
  const perMinute = postsPerMinute(world, 'events')
  tell('of this machine: to store the posts', `${shown(wallSeconds.store)} s`)
  tell('of this machine: to deliver them', `${shown(wallSeconds.deliver)} s`)
  tell('calls, by their names', '')
  for (const [name, count] of callCounts(world)) tell(`  ${name}`, shown(count))
  report('posts a minute', perMinute, { atLeast: 149_000 })
  report('calls refused by the limits', world.standIn.state.throttled, { atMost: 0 })
  const calls = world.standIn.state.calls.length
  report('calls for 1,000 posts', (calls / posts) * 1000, { atMost: 3 })

  const few = Math.ceil((full + 1) / listAddShare)
  const control = await openWorld(databases, ground, { isOneByOne: true })
  await drainAll(control, few)
  await checkDelivered(control, few)
  tell(
    `posts a minute with a call for each send, ${few} posts`,
    shown(postsPerMinute(control, 'profiles')),
  )
}

async function openWorld(
  databases: TemplateDatabases,
  ground: Ground,
  { isOneByOne = false } = {},
): Promise<World> {
  const store = await openDatabase(databases, ground)
  const clock = { at: startedAt }
  const now = () => new Date(clock.at)
  const standIn = createKlaviyoStandIn({ now: () => clock.at })
  const platform = createKlaviyo({
    apiUrl: 'https://platform.example',
    fetch: (url, init) => standIn.handle(new Request(url, init)),
    now,
  })
  const settings = {
    ...defaultMarketingSettings,
    privateApiKey: demoApiKey,
    keyProblem: undefined,
  }
  const outbox = createOutbox(store.database)
  const drain = createDrain({
    outbox,
    callLogs: createCallLogStore(store.database),
    platform: isOneByOne ? { ...platform, bounds: oneByOne(platform.bounds) } : platform,
    settings: { marketing: () => Promise.resolve(settings) },
    log: store.payload.logger,
    clock: { now },
    // No time passes during a call.
    deadline: () => new AbortController().signal,
  })
  return { outbox, standIn, drain, store, clock }
}

/** The same limits of calls, with one item in each. */
function oneByOne(bounds: PlatformBounds): PlatformBounds {
  const calls = Object.entries(bounds.calls).map(([name, limits]) => [
    name,
    { ...limits, items: 1 },
  ])
  return {
    ...bounds,
    calls: Object.fromEntries(calls) as Record<CallName, PlatformBounds['calls'][CallName]>,
  }
}

async function drainAll(world: World, posts: number): Promise<{ store: number; deliver: number }> {
  const { outbox, drain, clock } = world
  const progress = showProgress(`Storing and delivering ${shown(posts)} posts`)
  const begin = performance.now()
  const together = 2000
  for (let first = 0; first < posts; first += together) {
    const last = Math.min(posts, first + together)
    const stored: Promise<void>[] = []
    for (let post = first; post < last; post++) stored.push(outbox.store(sendsOf(post)))
    await Promise.all(stored)
    progress.update(last, posts * 2)
  }
  const storedAt = performance.now()
  for (;;) {
    const { didWork, nextAt } = await drain.pass()
    progress.update(posts + Math.min(posts, world.standIn.state.events.length), posts * 2)
    if (didWork) continue
    if (nextAt !== undefined) clock.at = nextAt.getTime()
    // What an import came to is asked for later.
    else if ((await outbox.openJobs(1)).length > 0) clock.at += 5_000
    else break
  }
  progress.end()
  return { store: (storedAt - begin) / 1000, deliver: (performance.now() - storedAt) / 1000 }
}

/** What the door makes of a post: an event, and seven times in ten a list, else a subscription. */
function sendsOf(post: number): NewSend[] {
  const profile = { email: `post-${post}@bench.example`, firstName: 'Anna' }
  const event = {
    name: 'Asked about tea',
    uniqueId: undefined,
    order: undefined,
    value: 12.5,
    valueCurrency: 'EUR',
    properties: { Tea: 'Sencha', Page: '/tea/sencha' },
  }
  const list = lists[post % lists.length] ?? lists[0]
  return sendsOfPost(
    {
      profile,
      posted: profile,
      event,
      order: undefined,
      lists: { lists: [list], isSubscription: post % 10 >= listAddShare * 10 },
    },
    { now: new Date(startedAt), foldMinutes: 2, leaveOut: () => undefined },
  )
}

/**
 * Posts of which everything had arrived when the last call of the kind that holds the others up was
 * made: the one that had to wait for the limits once more.
 */
function postsPerMinute({ standIn }: World, slowest: CallName): number {
  const end = standIn.state.calls.filter(({ name }) => name === slowest).at(-1)?.at ?? NaN
  const complete = standIn.state.effects.filter(({ kind, at }) => isOfList(kind) && at < end)
  return complete.length / ((end - startedAt) / 60_000)
}

const isOfList = (kind: string) => kind === 'list-add' || kind === 'subscribe'

/** @throws when a post did not arrive, or any part of it twice. */
async function checkDelivered({ standIn, store }: World, posts: number): Promise<void> {
  const { events, effects, lists: listsThere } = standIn.state
  const { table, bare } = sendTable(store.database)
  const sent = await numberOf(
    store.database,
    sql`select count(*) from ${table} where ${bare.state} = 'sent' and ${bare.job} is null`,
  )
  const found = {
    events: events.length,
    people: new Set(events.map(({ profile }) => profile)).size,
    arrivals: events.reduce((sum, { arrivals }) => sum + arrivals, 0),
    listEffects: effects.filter(({ kind }) => isOfList(kind)).length,
    members: lists.reduce((sum, id) => sum + (listsThere.get(id)?.members.size ?? 0), 0),
    sendsOfTwo: sent / 2,
  }
  if (Object.values(found).some((count) => count !== posts)) {
    throw new Error(`Of ${posts} posts there arrived ${JSON.stringify(found)}.`)
  }
}

function callCounts({ standIn }: World): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { name } of standIn.state.calls) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
