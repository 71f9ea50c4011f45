import { describe, expect, it } from 'vitest'
import {
  createProductFeedCache,
  type CachedProductFeed,
} from '../../../../src/marketing/product-feed/product-feed-cache.js'

/** A cache, a clock and a feed that counts how often it is read. */
function aCache(cachedBytes = 100, awaitedBytes = 100) {
  const clock = { now: new Date('2026-03-10T12:00:00Z') }
  const cache = createProductFeedCache({ now: () => clock.now }, { cachedBytes, awaitedBytes })
  const counts = { begun: 0, pages: 0, ended: 0 }
  const feed = (...pages: (string | Error)[]) =>
    async function* () {
      counts.begun += 1
      try {
        for (const page of pages) {
          counts.pages += 1
          await Promise.resolve()
          if (page instanceof Error) throw page
          yield page
        }
      } finally {
        counts.ended += 1
      }
    }
  const pass = (seconds: number) => (clock.now = new Date(clock.now.getTime() + seconds * 1000))
  return { cache, counts, feed, pass }
}

type Got = Awaited<ReturnType<ReturnType<typeof createProductFeedCache>['get']>>

async function textOf(got: Got): Promise<string> {
  if ('cachedChunks' in got) return Buffer.concat(got.cachedChunks).toString()
  let text = ''
  for await (const chunk of got.chunks) text += Buffer.from(chunk).toString()
  return text
}

const isCached = (got: Got): got is CachedProductFeed => 'cachedChunks' in got

describe('The cache of product feeds', () => {
  it('reads once for all who ask at the same time, and for five minutes', async () => {
    const { cache, counts, feed, pass } = aCache()
    const read = feed('[1', ',2', ']')
    const all = await Promise.all([cache.get('a', read), cache.get('a', read)])
    pass(299)
    all.push(await cache.get('a', read))
    expect(await Promise.all(all.map(textOf))).toEqual(['[1,2]', '[1,2]', '[1,2]'])
    expect(counts.begun).toBe(1)
    pass(2)
    expect(cache.cached('a')).toBeUndefined()
    await cache.get('a', read)
    expect(counts.begun).toBe(2)
  })

  it('reads again when the clock was set back, also a feed that was too large to keep', async () => {
    const { cache, counts, feed, pass } = aCache(4, 100)
    await cache.get('a', feed('[1]'))
    const large = await cache.get('b', feed('[1', ',2', ',3]'))
    expect(await textOf(large)).toBe('[1,2,3]')
    pass(-3600)
    expect(cache.cached('a')).toBeUndefined()
    for (const key of ['a', 'b'])
      expect(await textOf(await cache.get(key, feed('[2]')))).toBe('[2]')
    expect(cache.cached('b')).toBeDefined()
    expect(counts.begun).toBe(4)
  })

  it('gives the beginning of a long feed to who asks first, and keeps all of it', async () => {
    const { cache, counts, feed } = aCache(100, 3)
    const read = feed('[1', ',2', ',3', ',4', ']')
    const first = await cache.get('a', read)
    if (isCached(first)) throw new Error('It is not read to its end.')
    expect(counts.ended).toBe(0)
    const second = cache.get('a', read)
    expect(await textOf(first)).toBe('[1,2,3,4]')
    expect(isCached(await second)).toBe(true)
    expect(await textOf(await second)).toBe('[1,2,3,4]')
    expect(counts).toMatchObject({ begun: 1, ended: 1 })
  })

  it('reads a long feed to its end for the others when its first client is slow, or leaves', async () => {
    const { cache, counts, feed } = aCache(100, 3)
    const read = feed('[1', ',2', ',3', ',4', ']')
    const [slow, gone] = [await cache.get('a', read), await cache.get('b', read)]
    if (isCached(slow) || isCached(gone)) throw new Error('They are not read to their ends.')
    await gone.chunks.next()
    await gone.chunks.return(undefined)
    for (const key of ['a', 'b']) expect(isCached(await cache.get(key, read))).toBe(true)
    expect(await textOf(slow)).toBe('[1,2,3,4]')
    expect(counts).toMatchObject({ begun: 2, ended: 2 })
  })

  it('goes on behind the beginning when a long feed turns out too large', async () => {
    const { cache, feed } = aCache(8, 3)
    const read = feed('[1', ',2', ',3', ',4', ',5', ',6', ']')
    const [first, other] = [await cache.get('a', read), cache.get('a', read)]
    expect(await textOf(first)).toBe('[1,2,3,4,5,6]')
    expect(isCached(await other)).toBe(false)
    expect(await textOf(await other)).toBe('[1,2,3,4,5,6]')
  })

  it('streams what is too large, whole and to everybody', async () => {
    const { cache, feed } = aCache(4)
    const read = feed('[1', ',2', ',3', ',4', ']')
    const all = await Promise.all([cache.get('a', read), cache.get('a', read)])
    expect(all.some(isCached)).toBe(false)
    all.push(await cache.get('a', read))
    expect(await Promise.all(all.map(textOf))).toEqual(Array(3).fill('[1,2,3,4]'))
    expect(cache.cached('a')).toBeUndefined()
  })

  it('reads no further than the client of a large feed, and ends the reading with it', async () => {
    const { cache, counts, feed } = aCache(4)
    const got = await cache.get('a', feed('[1', ',2', ',3', ',4', ',5', ']'))
    if (isCached(got)) throw new Error('It is too large to be kept.')
    expect(counts.pages).toBe(3)
    await got.chunks.next()
    expect(counts.pages).toBe(3)
    await got.chunks.return(undefined)
    expect(counts).toMatchObject({ pages: 3, ended: 1 })
  })

  it('does not collect again what was too large a moment ago', async () => {
    const { cache, counts, feed } = aCache(4)
    await textOf(await cache.get('a', feed('[1', ',2', ',3', ']')))
    counts.pages = 0
    const got = await cache.get('a', feed('[1', ',2', ',3', ']'))
    expect(counts.pages).toBe(0)
    expect(await textOf(got)).toBe('[1,2,3]')
  })

  it('forgets the oldest when all are too large together', async () => {
    const { cache, feed } = aCache(10)
    for (const key of ['a', 'b', 'c']) await cache.get(key, feed('[123]'))
    expect(['a', 'b', 'c'].map((key) => cache.cached(key) !== undefined)).toEqual([
      false,
      true,
      true,
    ])
  })

  it('does not keep a failure, and reports it to all who wait', async () => {
    const { cache, feed } = aCache()
    const broken = feed('[1', new Error('The database is away.'))
    const all = await Promise.allSettled([cache.get('a', broken), cache.get('a', broken)])
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await textOf(await cache.get('a', feed('[1]')))).toBe('[1]')
  })
})
