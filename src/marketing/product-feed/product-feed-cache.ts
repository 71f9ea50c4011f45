import { createHash } from 'node:crypto'
import type { Effects } from '../../core/effects.js'
import { createRecentlyUsed } from '../../core/database/cached-value.js'

export interface CachedProductFeed {
  cachedChunks: readonly Uint8Array[]
  size: number
  etag: string
}

/** A product feed that is still being read, or is too large to cache. It has one reader. */
interface StreamedProductFeed {
  chunks: AsyncGenerator<Uint8Array>
}

export const freshSeconds = 300

const limits = {
  /** Bytes that all cached product feeds may take together: about 150,000 products. */
  cachedBytes: 64 * 1024 * 1024,
  /** The first client waits for this many bytes: a shorter one is sent with its length and ETag. */
  awaitedBytes: 512 * 1024,
}

const largeKeys = 100

interface Reading {
  text: AsyncGenerator<string>
  chunks: Uint8Array[]
  size: number
  step: Promise<unknown>
  isDone: boolean
}

export function createProductFeedCache(
  { now }: Pick<Effects, 'now'>,
  { cachedBytes, awaitedBytes } = limits,
) {
  // A Map keeps the order in which keys were set: the first is the oldest.
  const kept = new Map<string, CachedProductFeed & { until: number }>()
  const readings = new Map<string, Promise<CachedProductFeed | undefined>>()
  const largeUntil = createRecentlyUsed<number>(largeKeys)
  const freshUntil = () => now().getTime() + freshSeconds * 1000
  /** A moment that is further ahead was written before the clock was set back. */
  const isAhead = (until = 0) => until > now().getTime() && until <= freshUntil()

  function cached(key: string): CachedProductFeed | undefined {
    const found = kept.get(key)
    if (found !== undefined && isAhead(found.until)) return found
    kept.delete(key)
    return undefined
  }

  function keep(key: string, productFeed: CachedProductFeed): void {
    kept.delete(key)
    kept.set(key, { ...productFeed, until: freshUntil() })
    let bytes = 0
    for (const other of kept.values()) bytes += other.size
    for (const [oldest, other] of kept) {
      if (bytes <= cachedBytes) return
      kept.delete(oldest)
      bytes -= other.size
    }
  }

  /** It does not wait for the client; undefined when the feed is too large to cache. */
  async function collect(key: string, reading: Reading): Promise<CachedProductFeed | undefined> {
    const { text, chunks } = reading
    const hash = createHash('sha256')
    try {
      while (reading.size <= cachedBytes) {
        const step = text.next()
        reading.step = step
        const next = await step
        if (next.done === true) {
          const etag = `"${hash.digest('base64url').slice(0, 27)}"`
          const productFeed = { cachedChunks: [...chunks], size: reading.size, etag }
          keep(key, productFeed)
          return productFeed
        }
        const chunk = Buffer.from(next.value)
        chunks.push(chunk)
        hash.update(chunk)
        reading.size += chunk.byteLength
      }
      largeUntil.set(key, freshUntil())
      return undefined
    } finally {
      reading.isDone = true
      readings.delete(key)
    }
  }

  return {
    /** Reads no products. */
    cached,
    /** The first client gets a long feed while it is still being read; clients that come meanwhile wait for it. */
    async get(
      key: string,
      read: () => AsyncGenerator<string>,
    ): Promise<CachedProductFeed | StreamedProductFeed> {
      const fresh = cached(key)
      if (fresh !== undefined) return fresh
      if (isAhead(largeUntil.get(key))) return { chunks: encoded(read()) }
      const running = readings.get(key)
      // A stream has one reader, so each client of a large product feed starts its own reading.
      if (running !== undefined) return (await running) ?? { chunks: encoded(read()) }

      const step = Promise.resolve()
      const reading: Reading = { text: read(), chunks: [], size: 0, step, isDone: false }
      const end = collect(key, reading)
      readings.set(key, end)
      // The waiting clients handle a failure; without one, it would be an unhandled rejection.
      end.catch(() => undefined)
      while (!reading.isDone && reading.size <= awaitedBytes) {
        await Promise.allSettled([reading.step])
      }
      const whole = reading.isDone ? await end : undefined
      return whole ?? { chunks: followed(reading, end) }
    },
  }
}

async function* followed(
  reading: Reading,
  end: Promise<CachedProductFeed | undefined>,
): AsyncGenerator<Uint8Array> {
  const { chunks, text } = reading
  try {
    let index = 0
    while (!reading.isDone) {
      const chunk = chunks[index]
      if (chunk === undefined) await Promise.allSettled([reading.step])
      else {
        index += 1
        yield chunk
      }
    }
    const isWhole = (await end) !== undefined
    // Chunks that were sent are freed.
    chunks.splice(0, index)
    for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) yield chunk
    if (!isWhole) yield* encoded(text)
  } finally {
    // When the client leaves, a reading for this client alone ends.
    const closed = Promise.allSettled([end]).then(() => text.return(undefined))
    if (reading.isDone) await closed
  }
}

async function* encoded(text: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  for await (const page of text) yield Buffer.from(page)
}
