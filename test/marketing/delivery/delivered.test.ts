import { randomUUID } from 'node:crypto'
import { getPayload, handleEndpoints } from 'payload'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import { marketingSettingsSlug } from '../../../src/marketing/settings/marketing-settings.js'
import type { MarketingOptions } from '../../../src/plugin/options.js'
import { closeInstance } from '../../support/close-instance.js'
import { anyKind, openStore, type TestStore } from '../../support/store.js'
import { TestBrowser } from '../../support/browser.js'

describe('What a visitor posts', () => {
  let klaviyo: ServedStandIn
  let store: TestStore | undefined

  beforeEach(async () => {
    klaviyo = await serveKlaviyoStandIn({ port: 0 })
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await store?.close()
    await klaviyo.close()
  })

  const open = async (marketing: MarketingOptions): Promise<TestStore> => {
    store = await openStore(anyKind, {
      options: {
        marketing: {
          apiUrl: klaviyo.origin,
          settings: { privateApiKey: demoApiKey, eventPrefix: 'Tea' },
          ...marketing,
        },
      },
    })
    return store
  }

  const track = async ({ handle }: TestStore, email: string): Promise<void> => {
    const answer = await new TestBrowser({ handle }).track({
      email,
      'profile[first_name]': 'Ada',
      'event[name]': 'Liked',
      list: 'VIPLIST',
    })
    expect(await answer.json()).toBe('success')
  }

  const states = async ({ payload }: TestStore): Promise<unknown[]> => {
    const { docs } = await payload.find({ collection: 'marketing-sends', sort: 'id' })
    return docs.map((send) => (send as unknown as { state: string }).state)
  }

  const arrived = () => klaviyo.standIn.state.events.map(({ metric }) => metric)

  it('is at the platform a moment later: profile, event and list member', async () => {
    const shop = await open({ delivery: 'loop' })
    await track(shop, 'ada@example.com')
    await expect.poll(() => states(shop)).toEqual(['sent', 'sent'])

    expect(arrived()).toEqual(['Tea Liked'])
    klaviyo.standIn.settle()
    const profile = klaviyo.standIn.state.profileByEmail('ada@example.com')
    expect(profile?.attributes).toMatchObject({ first_name: 'Ada' })
    expect([...(klaviyo.standIn.state.lists.get('VIPLIST')?.members.keys() ?? [])]).toEqual([
      profile?.id,
    ])
  })

  it("waits for Payload's task on serverless hosting, and leaves with it", async () => {
    const shop = await open({ delivery: 'task' })
    await track(shop, 'ada@example.com')
    expect(await states(shop)).toEqual(['queued', 'queued'])

    await shop.payload.jobs.queue({
      task: 'storeconnect-deliver',
      queue: 'storeconnect',
      input: {},
    })
    await shop.payload.jobs.run({ queue: 'storeconnect', limit: 1 })
    expect(await states(shop)).toEqual(['sent', 'sent'])
    expect(arrived()).toEqual(['Tea Liked'])
  })

  it('waits while there is no key, and leaves when a merchant enters one', async () => {
    const shop = await open({ delivery: 'loop', settings: { privateApiKey: '$NO_SUCH_KEY' } })
    await track(shop, 'ada@example.com')
    expect(await states(shop)).toEqual(['queued', 'queued'])

    await shop.payload.updateGlobal({
      slug: marketingSettingsSlug,
      data: { privateApiKey: demoApiKey },
    })
    await expect.poll(() => states(shop)).toEqual(['sent', 'sent'])
  })

  it('makes no call of the platform in the request', async () => {
    const shop = await open({ delivery: 'task' })
    const call = vi.spyOn(globalThis, 'fetch')
    await track(shop, 'ada@example.com')
    expect(call).not.toHaveBeenCalled()
    call.mockRestore()
  })

  it('is not quoted in the log when it cannot be stored', async () => {
    const lines: string[] = []
    store = await openStore(anyKind, {
      config: {
        logger: {
          options: { level: 'trace' },
          destination: { write: (line: string) => void lines.push(line) },
        },
      },
    })
    const { drizzle } = store.payload.db as unknown as {
      drizzle: { run?(sql: string): Promise<unknown>; execute?(sql: string): Promise<unknown> }
    }
    await (drizzle.run ?? drizzle.execute)?.call(
      drizzle,
      'alter table marketing_sends rename to gone',
    )
    const answer = await store.aBrowser().post('/actions/marketingconnect/api/identify', {
      email: 'ada@example.com',
      'profile[first_name]': 'Augusta',
    })
    expect(answer.status).toBe(500)
    expect(lines.join('')).toContain('The sends could not be stored')
    expect(lines.join('')).not.toMatch(/ada@example|Augusta/)
  })

  it("runs by Payload's endpoint for admins and for who knows the cron secret", async () => {
    vi.stubEnv('CRON_SECRET', 'every minute')
    const { payload } = await open({ delivery: 'task' })
    const { config } = payload
    const key = randomUUID()
    const run = async (authorization?: string) => {
      const response = await handleEndpoints({
        config,
        payloadInstanceCacheKey: key,
        request: new Request('https://shop.example/api/payload-jobs/run?queue=storeconnect', {
          headers: authorization === undefined ? {} : { authorization },
        }),
      })
      return response.status
    }
    const tokenOf = async (email: string, roles: string[]) => {
      const data = { email, password: 'correct horse battery' }
      await payload.create({ collection: 'users', data: { ...data, roles } })
      return `JWT ${(await payload.login({ collection: 'users', data })).token ?? ''}`
    }
    expect(await run()).toBe(401)
    expect(await run('Bearer wrong')).toBe(401)
    expect(await run(await tokenOf('ada@example.com', ['customer']))).toBe(401)
    expect(await run('Bearer every minute')).toBe(200)
    expect(await run(await tokenOf('admin@example.com', ['admin']))).toBe(200)
    await closeInstance(await getPayload({ config, key }))
  })
})
