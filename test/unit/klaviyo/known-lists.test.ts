import { describe, expect, it } from 'vitest'
import { realEffects } from '../../../src/effects.js'
import type { Shop } from '../../../src/shop.js'
import { markOfKey } from '../../../src/klaviyo/mark-of-key.js'
import { createKnownLists } from '../../../src/klaviyo/known-lists.js'
import type { AccountLists, CallFailure, MarketingPlatform } from '../../../src/klaviyo/platform.js'
import {
  resolveMarketingSettings,
  defaultMarketingSettings,
} from '../../../src/marketing-settings/marketing-settings.js'

const newsletter = { id: 'NEWS', name: 'Newsletter' }
const good: AccountLists = { lists: [newsletter], isComplete: true }
const down: CallFailure = {
  failed: { is: 'later', error: { code: 'NETWORK', detail: 'No answer.' }, costsAttempt: true },
}

/** Lists behind a platform that answers as the test says. */
function knownLists({
  kept,
  apiKey = 'key',
}: { kept?: AccountLists & { readAt: Date }; apiKey?: string } = {}) {
  const world = {
    now: new Date('2026-03-10T12:00:00Z'),
    apiKey,
    answer: good as AccountLists | CallFailure | Error,
    calls: 0,
    stored: kept && { ...kept, key: markOfKey(apiKey), readAt: kept.readAt.toISOString() },
    memoryIsBroken: false,
    warnings: [] as string[],
  }
  const warn = (_: object, sentence: string) => void world.warnings.push(sentence)
  const platform = {
    lists: () => {
      world.calls += 1
      if (world.answer instanceof Error) return Promise.reject(world.answer)
      return Promise.resolve(world.answer)
    },
  } as Partial<MarketingPlatform> as MarketingPlatform
  const payload = {
    kv: {
      get: () => Promise.resolve(world.stored ?? null),
      set: (_: string, value: unknown) => {
        if (world.memoryIsBroken) return Promise.reject(new Error('No space.'))
        world.stored = value as typeof world.stored
        return Promise.resolve()
      },
    },
  }
  const shop = {
    payload,
    effects: { ...realEffects, now: () => world.now },
    log: { info: warn, warn, error: warn },
  } as unknown as Shop
  const lists = createKnownLists(shop, {
    platform,
    settings: () =>
      Promise.resolve(
        resolveMarketingSettings(
          { ...defaultMarketingSettings, privateApiKey: world.apiKey },
          { NODE_ENV: 'test' },
        ),
      ),
  })
  const pass = (minutes: number) => (world.now = new Date(world.now.getTime() + minutes * 60_000))
  return { lists, world, pass }
}

describe('The known lists', () => {
  it('are asked for once, however many want to know', async () => {
    const { lists, world } = knownLists()
    const answers = await Promise.all([lists.read(), lists.read(), lists.read()])
    expect(answers).toEqual(
      Array(3).fill({ is: 'known', readAt: world.now, lists: [newsletter], isComplete: true }),
    )
    expect(world.calls).toBe(1)
  })

  it('are asked for again after five minutes', async () => {
    const { lists, world, pass } = knownLists()
    await lists.read()
    pass(4.9)
    await lists.read()
    expect(world.calls).toBe(1)
    pass(0.2)
    await lists.read()
    expect(world.calls).toBe(2)
  })

  it('are not asked for when another process just did', async () => {
    const readAt = new Date('2026-03-10T11:58:00Z')
    const { lists, world } = knownLists({ kept: { readAt, ...good } })
    expect(await lists.read()).toEqual({ is: 'known', readAt, ...good })
    expect(world.calls).toBe(0)
  })

  it('are those of the last good answer while the platform is away, with their age', async () => {
    const { lists, world, pass } = knownLists()
    await lists.read()
    const readAt = world.now
    pass(90)
    world.answer = down
    expect(await lists.read()).toEqual({
      is: 'known',
      readAt,
      ...good,
      problem: { code: 'NETWORK', detail: 'No answer.' },
    })
    pass(1)
    world.answer = good
    expect(await lists.read()).toEqual({ is: 'known', readAt: world.now, ...good })
  })

  it('are unknown while the platform never answered, and it is not pressed', async () => {
    const { lists, world, pass } = knownLists()
    world.answer = down
    expect(await lists.read()).toEqual({
      is: 'unknown',
      problem: { code: 'NETWORK', detail: 'No answer.' },
    })
    await lists.read()
    expect(world.calls).toBe(1)
    pass(0.3)
    await lists.read()
    expect(world.calls).toBe(2)
  })

  it('need a key', async () => {
    const { lists, world } = knownLists({ apiKey: '' })
    expect(await lists.read()).toEqual({ is: 'no-key' })
    expect(world.calls).toBe(0)
  })

  it("are never another account's", async () => {
    const { lists, world } = knownLists()
    await lists.read()
    world.apiKey = 'key of another account'
    world.answer = down
    expect(await lists.read()).toEqual({
      is: 'unknown',
      problem: { code: 'NETWORK', detail: 'No answer.' },
    })
  })

  it('are returned also when they cannot be cached', async () => {
    const { lists, world } = knownLists()
    world.memoryIsBroken = true
    expect(await lists.read()).toMatchObject({ is: 'known', lists: [newsletter] })
    expect(world.warnings).toEqual(['The lists of the marketing platform could not be cached'])
  })

  it('do not keep a failure of the shop itself', async () => {
    const { lists, world } = knownLists()
    world.answer = new Error('The database is away.')
    await expect(lists.read()).rejects.toThrow('The database is away.')
    world.answer = good
    expect(await lists.read()).toMatchObject({ is: 'known' })
  })

  it('from a clock that is hours ahead are not believed', async () => {
    const readAt = new Date('2026-03-10T18:00:00Z')
    const { lists, world } = knownLists({ kept: { readAt, lists: [], isComplete: true } })
    expect(await lists.read()).toMatchObject({ lists: [newsletter], readAt: world.now })
  })

  it('are asked for again when the clock was set back by an hour', async () => {
    const { lists, world, pass } = knownLists()
    world.answer = down
    await lists.read()
    pass(-60)
    world.answer = good
    expect(await lists.read()).toEqual({ is: 'known', readAt: world.now, ...good })
    pass(-60)
    await lists.read()
    expect(world.calls).toBe(3)
  })
})
