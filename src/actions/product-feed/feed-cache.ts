import { createHash } from 'node:crypto'
import { createRecentlyUsed } from '../../http/recently-used.js'

/** A feed that is kept whole. */
export interface KeptFeed {
  bytes: Uint8Array
  etag: string
}

/** A feed that is too large to keep: whoever gets it reads it on. */
export interface StreamedFeed {
  chunks: AsyncGenerator<Uint8Array>
}

export interface FeedCache {
  /** The fresh feed of this key, if there is one. Reads nothing. */
  kept(key: string): KeptFeed | undefined
  /** The feed of this key. Those who ask while it is read wait for that reading. */
  get(key: string, read: () => AsyncGenerator<string>): Promise<KeptFeed | StreamedFeed>
}

/** How long a feed goes for the present. */
export const freshSeconds = 300

/** Bytes that all feeds may take up together. */
export const keptBytesLimit = 32 * 1024 * 1024

/** Keys that are remembered as too large. */
const largeKeys = 100

export function createFeedCache({
  now,
  bytesLimit = keptBytesLimit,
}: {
  now: () => Date
  bytesLimit?: number
}): FeedCache {
  // A Map keeps the order in which keys were set: the first is the oldest.
  const feeds = new Map<string, KeptFeed & { until: number }>()
  const readings = new Map<string, Promise<KeptFeed | StreamedFeed>>()
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
    for (const other of feeds.values()) bytes += other.bytes.byteLength
    for (const [oldest, other] of feeds) {
      if (bytes <= bytesLimit) return
      feeds.delete(oldest)
      bytes -= other.bytes.byteLength
    }
  }

  /** Reads it whole, as long as it is small enough to be kept. */
  async function collect(
    key: string,
    text: AsyncGenerator<string>,
  ): Promise<KeptFeed | StreamedFeed> {
    const chunks: Uint8Array[] = []
    let size = 0
    for (let next = await text.next(); next.done !== true; next = await text.next()) {
      const chunk = Buffer.from(next.value)
      chunks.push(chunk)
      size += chunk.byteLength
      if (size > bytesLimit) {
        largeUntil.set(key, freshUntil())
        return { chunks: resumed(chunks, text) }
      }
    }
    const bytes = Buffer.concat(chunks)
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
    keep(key, { bytes, etag })
    return { bytes, etag }
  }

  return {
    kept,
    async get(key, read) {
      const fresh = kept(key)
      if (fresh !== undefined) return fresh
      if ((largeUntil.get(key) ?? 0) > now().getTime()) return { chunks: resumed([], read()) }
      const running = readings.get(key)
      if (running !== undefined) {
        const feed = await running
        // A stream is for one reader alone.
        return 'bytes' in feed ? feed : { chunks: resumed([], read()) }
      }
      const reading = collect(key, read()).finally(() => readings.delete(key))
      readings.set(key, reading)
      return reading
    },
  }
}

/** What was read already, then the rest; what is handed on is not held any longer. */
async function* resumed(
  chunks: Uint8Array[],
  text: AsyncGenerator<string>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) yield chunk
    for await (const more of text) yield Buffer.from(more)
  } finally {
    await text.return(undefined)
  }
}
