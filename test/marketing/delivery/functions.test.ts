import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import { realEffects, type Effects } from '../../../src/core/effects.js'
import { triedLoginsPerAccount } from '../../../src/core/http/login-throttle.js'
import type { MarketingOptions } from '../../../src/plugin/options.js'
import { anOrder } from '../../support/orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
import { databaseKinds, joinStore, openStore, type TestStore } from '../../support/store.js'
import { TestBrowser } from '../../support/browser.js'

const secret = 'k3 cron secret'

/** What a host that stops its processes offers them: it waits for what it was given. */
function aHost(name: '@next/request-context' | '@vercel/request-context') {
  const given = new Set<Promise<unknown>>()
  const key = Symbol.for(name)
  const waitUntil = (work: Promise<unknown>) => void given.add(work)
  Object.assign(globalThis, { [key]: { get: () => ({ waitUntil }) } })
  return {
    given,
    /** Resolves when the host would stop the process. */
    async hasStopped(): Promise<void> {
      while (given.size > 0) {
        const [first] = given
        await first
        given.delete(first as Promise<unknown>)
      }
    },
    leave: () => void Reflect.deleteProperty(globalThis, key),
  }
}

describe.each(databaseKinds)('A shop whose host stops it between requests (%s)', (kind) => {
  let klaviyo: ServedStandIn
  let host: ReturnType<typeof aHost>
  const stores: TestStore[] = []

  beforeEach(async () => {
    klaviyo = await serveKlaviyoStandIn({ port: 0 })
    host = aHost('@next/request-context')
    vi.stubEnv('CRON_SECRET', secret)
  })
  afterEach(async () => {
    await host.hasStopped()
    host.leave()
    vi.unstubAllEnvs()
    for (const store of stores.splice(0).reverse()) await store.close()
    await klaviyo.close()
  })

  const setup = (marketing: MarketingOptions) => ({
    options: {
      marketing: {
        apiUrl: klaviyo.origin,
        settings: { privateApiKey: demoApiKey, eventPrefix: 'Tea' },
        ...marketing,
      },
    },
  })
  const open = async (marketing: MarketingOptions): Promise<TestStore> => {
    const store = await openStore(kind, setup(marketing))
    stores.push(store)
    return store
  }
  const post = async ({ handle }: TestStore, email: string): Promise<void> => {
    const answer = await new TestBrowser({ handle }).track({ email, 'event[name]': 'Liked' })
    expect(await answer.json()).toBe('success')
  }
  const run = (
    { handle }: TestStore,
    headers: HeadersInit = { authorization: `Bearer ${secret}` },
  ) => handle(new Request('https://shop.example/actions/storeconnect/run', { headers }))
  const arrived = () => klaviyo.standIn.state.events.map(({ metric }) => metric)

  it.each([
    { variable: 'VERCEL', name: '@next/request-context' as const },
    { variable: 'NETLIFY', name: '@vercel/request-context' as const },
    { variable: 'AWS_LAMBDA_FUNCTION_NAME', name: '@next/request-context' as const },
  ])('delivers what is posted after the response, with $variable and $name', async (given) => {
    host.leave()
    host = aHost(given.name)
    vi.stubEnv(given.variable, '1')
    const shop = await open({ delivery: 'auto' })
    await post(shop, 'ada@example.com')
    await host.hasStopped()
    expect(arrived()).toEqual(['Tea Liked'])
  })

  it('delivers at once, however often the delivery was handed on since the last call', async () => {
    const shop = await open({ delivery: 'task' })
    const people = Array.from({ length: 40 }, (_, person) => `p${person}@example.com`)
    await Promise.all(people.map((email) => post(shop, email)))
    for (let times = 0; times < 30; times++) await run(shop)
    await Promise.all(people.map((email) => post(shop, `again.${email}`)))
    await run(shop)
    expect(arrived()).toHaveLength(2 * people.length)
  })

  it('delivers what is saved in the shop after the save', async () => {
    const shop = await open({ delivery: 'functions' })
    await shop.payload.create({ collection: 'orders', data: anOrder() })
    await host.hasStopped()
    expect(arrived()).toContain('Tea Placed Order')
  })

  it('goes on with what an earlier process has left when ShipStation asks for orders', async () => {
    const earlier = await open({ delivery: 'task' })
    await post(earlier, 'ada@example.com')
    const shop = await joinStore(kind, earlier.url, setup({ delivery: 'functions' }))
    stores.push(shop)
    expect((await shop.handle(exportRequest())).status).toBe(200)
    await host.hasStopped()
    expect(arrived()).toEqual(['Tea Liked'])
  })

  it('tells other processes how much was posted before it is stopped', async () => {
    const settings = { privateApiKey: demoApiKey, postsPerAddress: 2 }
    // A process that is stopped never gets to what it wanted to do later.
    const effects: Partial<Effects> = {
      after: (ms, callback, options) =>
        options?.isBackground ? () => undefined : realEffects.after(ms, callback, options),
    }
    const throttled = { ...setup({ settings, delivery: 'functions' }), effects }
    const shop = await openStore(kind, throttled)
    const other = await joinStore(kind, shop.url, throttled)
    stores.push(shop, other)
    const post = async (store: TestStore, email: string) => {
      const answer = await store
        .aBrowser()
        .track({ email, 'event[name]': 'Liked' }, { address: '198.51.100.7' })
      await host.hasStopped()
      return answer.status
    }
    expect(await post(shop, 'ada@example.com')).toBe(200)
    // A process learns the counts of the others when it shares its own.
    expect(await post(other, 'bob@example.com')).toBe(200)
    expect(await post(other, 'cleo@example.com')).toBe(429)
  })

  it('loses nothing on a host that waits for nothing: the run URL goes on with it', async () => {
    host.leave()
    const earlier = await open({ delivery: 'task' })
    await post(earlier, 'ada@example.com')
    const shop = await joinStore(kind, earlier.url, setup({ delivery: 'task' }))
    stores.push(shop)
    const answer = await run(shop)
    expect({ status: answer.status, body: (await answer.json()) as unknown }).toEqual({
      status: 200,
      body: { status: 'done' },
    })
    expect(arrived()).toEqual(['Tea Liked'])
  })

  it('runs when it is called twice at once, and sends once', async () => {
    const shop = await open({ delivery: 'task' })
    const other = await joinStore(kind, shop.url, setup({ delivery: 'task' }))
    stores.push(other)
    await post(shop, 'ada@example.com')
    const answers = await Promise.all([run(shop), run(shop), run(other)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(arrived()).toEqual(['Tea Liked'])
  })

  it('delivers with the first call of Payload’s own job route', async () => {
    const shop = await open({ delivery: 'task' })
    await post(shop, 'ada@example.com')
    const answer = await shop.api(
      new Request('https://shop.example/api/payload-jobs/run?queue=storeconnect', {
        headers: { authorization: `Bearer ${secret}` },
      }),
    )
    expect(answer.status).toBe(200)
    expect(arrived()).toEqual(['Tea Liked'])
  })

  describe('in a preview', () => {
    beforeEach(() => {
      vi.stubEnv('VERCEL', '1')
      vi.stubEnv('VERCEL_ENV', 'preview')
    })

    it.each(['auto', 'functions', 'loop', 'task'] as const)(
      'delivers nothing, by %s, by an answer or by a call',
      async (delivery) => {
        const shop = await open({ delivery })
        await post(shop, 'ada@example.com')
        expect((await run(shop)).status).toBe(200)
        await host.hasStopped()
        expect(klaviyo.standIn.state.calls).toEqual([])
      },
    )

    it('delivers where an option says so', async () => {
      const shop = await open({ delivery: 'auto', deliverFromPreviews: true })
      await post(shop, 'ada@example.com')
      await host.hasStopped()
      expect(arrived()).toEqual(['Tea Liked'])
    })
  })
})

describe('The run URL', () => {
  let shop: TestStore
  afterEach(async () => {
    vi.unstubAllEnvs()
    await shop.close()
  })
  const ask = ({ query = '', ...init }: RequestInit & { query?: string } = {}) =>
    shop.handle(
      new Request(`https://shop.example/actions/storeconnect/run${query}`, {
        ...init,
        headers: { accept: 'application/json', ...init.headers },
      }),
    )
  const bearer = (text: string) => ({ authorization: `Bearer ${text}` })

  it('answers who knows CRON_SECRET alone', async () => {
    vi.stubEnv('CRON_SECRET', secret)
    shop = await openStore('sqlite', {})
    expect((await ask()).status).toBe(401)
    expect((await ask({ headers: bearer(`${secret}x`) })).status).toBe(401)
    expect((await ask({ headers: bearer('') })).status).toBe(401)
    // Addresses are kept in logs.
    expect((await ask({ query: `?token=${encodeURIComponent(secret)}` })).status).toBe(401)
    expect((await ask({ method: 'POST', headers: bearer(secret) })).status).toBe(405)
    expect((await ask({ headers: bearer(secret) })).status).toBe(200)
  })

  it.each([undefined, ''])('is no such action where CRON_SECRET is %j', async (none) => {
    vi.stubEnv('CRON_SECRET', none)
    shop = await openStore('sqlite', {})
    expect((await ask({ headers: bearer('') })).status).toBe(404)
  })

  it('makes who tries wrong tokens wait', async () => {
    vi.stubEnv('CRON_SECRET', secret)
    shop = await openStore('sqlite', {})
    const guess = () => ask({ headers: bearer('guess') })
    for (let tries = 0; tries < triedLoginsPerAccount; tries++) await guess()
    expect((await guess()).status).toBe(429)
    expect((await ask({ headers: bearer(secret) })).status).toBe(200)
  })
})
