import { createHash } from 'node:crypto'
import { createRecentlyUsed } from '../../http/recently-used.js'

/** A feed that is kept whole, in the pieces that it was read in. */
export interface KeptFeed {
  kept: readonly Uint8Array[]
  size: number
  etag: string
}

/** A feed that is still being read, or too large to keep: whoever gets it reads it on. */
export interface StreamedFeed {
  chunks: AsyncGenerator<Uint8Array>
}

export interface FeedCache {
  /** The fresh feed of this key, if there is one. Reads nothing. */
  kept(key: string): KeptFeed | undefined
  /**
   * The feed of this key. Who asks first has the beginning of a long one while the rest is read; those
   * who ask while it is read wait for that reading.
   */
  get(key: string, read: () => AsyncGenerator<string>): Promise<KeptFeed | StreamedFeed>
}

/** How long a feed goes for the present. */
export const freshSeconds = 300

/** Bytes that all feeds may take up together: some 150,000 products. */
export const keptBytesLimit = 64 * 1024 * 1024

/** Bytes that the first who asks waits for: a feed so short has its length and its tag at once. */
const awaitedBytes = 512 * 1024

/** Keys that are remembered as too large. */
const largeKeys = 100

export interface FeedCacheParts {
  now: () => Date
  /** For tests that want them smaller. */
  bytesLimit?: number
  bytesAwaited?: number
}

/** A feed on its way into the cache. */
interface Reading {
  text: AsyncGenerator<string>
  chunks: Uint8Array[]
  size: number
  /** The page that is being read. */
  step: Promise<unknown>
  isOver: boolean
}

export function createFeedCache(parts: FeedCacheParts): FeedCache {
  const { now, bytesLimit = keptBytesLimit, bytesAwaited = awaitedBytes } = parts
  // A Map keeps the order in which keys were set: the first is the oldest.
  const feeds = new Map<string, KeptFeed & { until: number }>()
  const readings = new Map<string, Promise<KeptFeed | undefined>>()
  const largeUntil = createRecentlyUsed<number>(largeKeys)
  const freshUntil = () => now().getTime() + freshSeconds * 1000

  function kept(key: string): KeptFeed | undefined {
    const feed = feeds.get(key)
    if (feed !== undefined && feed.until > now().getTime()) return feed
    feeds.delete(key)
    return undefined
  }

  function keep(key: string, feed: KeptFeed): void {
    feeds.delete(key)
    feeds.set(key, { ...feed, until: freshUntil() })
    let bytes = 0
    for (const other of feeds.values()) bytes += other.size
    for (const [oldest, other] of feeds) {
      if (bytes <= bytesLimit) return
      feeds.delete(oldest)
      bytes -= other.size
    }
  }

  /** Reads it whole, however fast its client is; undefined when it turns out too large to be kept. */
  async function collect(key: string, reading: Reading): Promise<KeptFeed | undefined> {
    const { text, chunks } = reading
    const hash = createHash('sha256')
    try {
      for (;;) {
        const step = text.next()
        reading.step = step
        const next = await step
        if (next.done === true) break
        const chunk = Buffer.from(next.value)
        chunks.push(chunk)
        hash.update(chunk)
        reading.size += chunk.byteLength
        if (reading.size > bytesLimit) {
          largeUntil.set(key, freshUntil())
          return undefined
        }
      }
      const etag = `"${hash.digest('base64url').slice(0, 27)}"`
      const feed = { kept: [...chunks], size: reading.size, etag }
      keep(key, feed)
      return feed
    } finally {
      reading.isOver = true
      readings.delete(key)
    }
  }

  return {
    kept,
    async get(key, read) {
      const fresh = kept(key)
      if (fresh !== undefined) return fresh
      if ((largeUntil.get(key) ?? 0) > now().getTime()) return { chunks: encoded(read()) }
      const running = readings.get(key)
      // A stream is for one reader alone.
      if (running !== undefined) return (await running) ?? { chunks: encoded(read()) }

      const step = Promise.resolve()
      const reading: Reading = { text: read(), chunks: [], size: 0, step, isOver: false }
      const end = collect(key, reading)
      readings.set(key, end)
      // Whoever waits for it is told; where nobody does, nobody misses it.
      end.catch(() => undefined)
      while (!reading.isOver && reading.size <= bytesAwaited) {
        await Promise.allSettled([reading.step])
      }
      const whole = reading.isOver ? await end : undefined
      return whole ?? { chunks: followed(reading, end) }
    },
  }
}

/** What was read so far, then what is read meanwhile, then the rest of what is too large to be kept. */
async function* followed(
  reading: Reading,
  end: Promise<KeptFeed | undefined>,
): AsyncGenerator<Uint8Array> {
  const { chunks, text } = reading
  try {
    let index = 0
    while (!reading.isOver) {
      const chunk = chunks[index]
      if (chunk === undefined) await Promise.allSettled([reading.step])
      else {
        index += 1
        yield chunk
      }
    }
    const isWhole = (await end) !== undefined
    // What is handed on is not held any longer.
    chunks.splice(0, index)
    for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) yield chunk
    if (!isWhole) yield* encoded(text)
  } finally {
    // A client that goes away ends what is read for it alone.
    const closed = Promise.allSettled([end]).then(() => text.return(undefined))
    if (reading.isOver) await closed
  }
}

async function* encoded(text: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  for await (const page of text) yield Buffer.from(page)
}
