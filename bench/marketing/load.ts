import { lists, requestOf, type Visitor } from './visitor.js'
import type { Connection } from './connection.js'
import { quantile } from './rounds.js'

/** Posts to be made. */
export interface Load {
  port: number
  path: string
  connections: number
  seconds: number
  /** Posts a second, evenly. Without: each connection posts again as soon as it is answered. */
  rate?: number
  /** Each post is of a person of its own: `prefix` and a number. */
  prefix: string
  /** Whether a post names a list besides its event. */
  withList: boolean
}

export interface LoadResult {
  /** All were answered with success. */
  posts: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** When each post left, milliseconds since 1970; for a load of a rate. */
  sentAt: number[]
}

export const emailOf = (prefix: string, post: number): string => `${prefix}-${post}@bench.example`

/** Runs a load over connections that are open. */
export async function runLoad(
  load: Load,
  { connections, visitors }: { connections: readonly Connection[]; visitors: readonly Visitor[] },
): Promise<LoadResult> {
  const latencies: number[] = []
  const sentAt: number[] = []
  let posts = 0

  const post = async (connection: Connection): Promise<void> => {
    const number = posts++
    const visitor = visitors[number % visitors.length]
    if (visitor === undefined) throw new Error('Nobody is there to post.')
    const request = requestOf({
      path: load.path,
      visitor,
      email: emailOf(load.prefix, number),
      ...(load.withList && { list: lists[number % lists.length] ?? lists[0] }),
    })
    if (load.rate !== undefined) sentAt.push(Date.now())
    const start = performance.now()
    const { status, body } = await connection.send(request)
    latencies.push(performance.now() - start)
    if (status !== 200 || body !== '"success"') throw new Error(`Refused: ${status} ${body}`)
  }

  const begin = performance.now()
  const end = begin + load.seconds * 1000
  if (load.rate === undefined) {
    const postOn = async (connection: Connection) => {
      while (performance.now() < end) await post(connection)
    }
    await Promise.all(connections.map(postOn))
  } else {
    await atRate({ begin, end, rate: load.rate }, connections, post)
  }
  if (posts === 0) throw new Error('Nothing was posted.')
  return {
    posts,
    perSecond: (posts / (performance.now() - begin)) * 1000,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    sentAt,
  }
}

/** Posts when it is time, whether or not the ones before have been answered. */
async function atRate(
  { begin, end, rate }: { begin: number; end: number; rate: number },
  connections: readonly Connection[],
  post: (connection: Connection) => Promise<void>,
): Promise<void> {
  const free = [...connections]
  const running = new Set<Promise<void>>()
  const total = Math.round(((end - begin) / 1000) * rate)
  for (let number = 0; number < total;) {
    const dueMs = begin + (number / rate) * 1000 - performance.now()
    if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs))
    // The one that was idle longest: a server closes those that are so for seconds.
    const connection = free.shift()
    if (connection === undefined) {
      await Promise.race(running)
      continue
    }
    number += 1
    const ended: Promise<void> = post(connection).finally(() => {
      running.delete(ended)
      free.push(connection)
    })
    running.add(ended)
  }
  await Promise.all(running)
}
