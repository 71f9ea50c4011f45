import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createKlaviyoStandIn, demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import { apiOf, type Role } from '../../support/api-of.js'
import { captureLog } from '../../support/captured-log.js'
import type { StoreSetup } from '../../support/store-config.js'
import { anyKind, joinStore, openStore, type TestStore } from '../../support/store.js'

const roles = ['admin', 'editor', 'customer'] as const
type OwnSetup = Pick<StoreSetup, 'config' | 'options' | 'userAccess'>

const place = 'storeconnect:platform-lists'
const minute = 60_000

describe('The lists for the fields that pick one', () => {
  let klaviyo: ReturnType<typeof createKlaviyoStandIn>
  let time: number
  let shop: TestStore
  let others: TestStore[]

  beforeEach(async () => {
    klaviyo = createKlaviyoStandIn()
    time = Date.parse('2026-03-10T12:00:00Z')
    others = []
    shop = await openStore(anyKind, setup())
    // So that requests at once do not make the same user.
    await apiOf(shop)('/users/me', { as: 'admin' })
  })
  afterEach(async () => {
    for (const store of [...others, shop]) await store.close()
  })

  const setup = (privateApiKey = demoApiKey, { options, ...own }: OwnSetup = {}) => ({
    ...own,
    options: {
      ...options,
      marketing: { apiUrl: 'https://klaviyo.test', settings: { privateApiKey } },
    },
    effects: {
      fetch: (input: RequestInfo | URL, init?: RequestInit) =>
        klaviyo.handle(new Request(input, init)),
      now: () => new Date(time),
    },
  })

  /** Another process of the store, as after a restart. */
  async function start(...own: Parameters<typeof setup>): Promise<TestStore> {
    const store = await joinStore(anyKind, shop.url, setup(...own))
    others.push(store)
    return store
  }
  const calls = () => klaviyo.state.calls.filter(({ name }) => name === 'lists').length
  const away = () => klaviyo.faults.add({ kind: 'error', status: 503 })
  const pass = (minutes: number) => (time += minutes * minute)
  const now = () => new Date(time).toISOString()

  const ask = (store: TestStore, as?: Role) => apiOf(store)('/storeconnect/lists', { as })
  const read = async (from = shop) => (await ask(from, 'admin')).json() as Promise<unknown>

  const statuses = async (from: TestStore) => {
    const asked = [...roles, 'nobody'] as const
    const answers: [string, number][] = []
    for (const who of asked) {
      answers.push([who, (await ask(from, who === 'nobody' ? undefined : who)).status])
    }
    return Object.fromEntries(answers)
  }

  const demoLists = [
    { id: 'NEWSLTR', name: 'Newsletter' },
    { id: 'VIPLIST', name: 'VIP' },
    { id: 'WELCOME', name: 'Welcome series' },
  ]

  it('are shown to those who may enter the admin, such as an editor, and to nobody else', async () => {
    const userAccess: StoreSetup['userAccess'] = {
      admin: ({ req: { user } }) => !(user?.roles as string[]).includes('customer'),
    }
    const mixed = await start(demoApiKey, { userAccess })
    expect(await statuses(mixed)).toEqual({ admin: 200, editor: 200, customer: 403, nobody: 403 })
  })

  it('are shown to an admin whom the store’s own rule names too', async () => {
    const isAdmin: NonNullable<StoreSetup['options']>['isAdmin'] = ({ req: { user } }) =>
      user?.email === 'editor@example.com'
    const own = await start(demoApiKey, { options: { isAdmin } })
    expect(await statuses(own)).toMatchObject({ editor: 200, customer: 403, nobody: 403 })
  })

  it('are shown to admins only where nothing else distinguishes editors from customers', async () => {
    expect(await statuses(shop)).toMatchObject({ admin: 200, editor: 403, customer: 403 })
    expect((await ask(shop, 'admin')).headers.get('cache-control')).toBe('no-store')
  })

  it('are asked for once, however many want to know, and again after five minutes', async () => {
    const admin = apiOf(shop)
    const answers = await Promise.all(
      [1, 2, 3].map(
        async () =>
          (await admin('/storeconnect/lists', { as: 'admin' })).json() as Promise<unknown>,
      ),
    )
    const known = { is: 'known', readAt: now(), lists: demoLists, isComplete: true }
    expect(answers).toEqual([known, known, known])
    pass(4.9)
    await read()
    // While the answer is fresh, another process does not ask either.
    expect(await read(await start())).toEqual(known)
    expect(calls()).toBe(1)
    pass(0.2)
    expect(await read()).toEqual({ ...known, readAt: now() })
    expect(calls()).toBe(2)
  })

  it('are known without the network and after a restart, from the last good answer', async () => {
    await read()
    const readAt = now()
    pass(90)
    away()
    const old = {
      is: 'known',
      readAt,
      lists: demoLists,
      isComplete: true,
      problem: expect.stringMatching(/./) as string,
    }
    expect(await read()).toEqual(old)
    expect(await read(await start())).toEqual(old)
    klaviyo.faults.clear()
    pass(1)
    expect(await read()).toEqual({ ...old, readAt: now(), problem: undefined })
  })

  it('are unknown while Klaviyo never answered, which is not pressed', async () => {
    away()
    const unknown = { is: 'unknown', problem: expect.stringMatching(/./) as string }
    expect([await read(), await read()]).toEqual([unknown, unknown])
    expect(calls()).toBe(1)
    pass(0.3)
    await read()
    expect(calls()).toBe(2)
  })

  it("are not another account's, and the key is nowhere in what is kept", async () => {
    await read()
    const kept = JSON.stringify(await shop.payload.kv.get(place))
    expect(kept).toContain('Newsletter')
    expect(kept).not.toContain(demoApiKey)
    expect(await read(await start('pk_of_another_account'))).toMatchObject({ is: 'unknown' })
    expect(await read(await start(''))).toEqual({ is: 'no-key' })
  })

  it('are returned also when they cannot be cached', async () => {
    const log = captureLog()
    const store = await start(demoApiKey, { config: log.config })
    vi.spyOn(store.payload.kv, 'set').mockRejectedValue(new Error('No space.'))
    expect(await read(store)).toMatchObject({ is: 'known', lists: demoLists })
    expect(log.text()).toContain('The lists of Klaviyo could not be cached')
  })

  it('do not keep a failure of the shop itself', async () => {
    const reading = vi.spyOn(shop.payload.kv, 'get')
    reading.mockRejectedValueOnce(new Error('The database is away.'))
    expect((await ask(shop, 'admin')).status).toBe(500)
    expect(await read()).toMatchObject({ is: 'known' })
  })

  it('replace each other in the store, answer by answer', async () => {
    await read()
    await shop.payload.kv.set(place, { what: 'somebody else wrote' })
    expect(await read(await start())).toMatchObject({ is: 'known', lists: demoLists })
    const keys = (await shop.payload.kv.keys()).filter((key) => key.startsWith('storeconnect:'))
    expect(keys).toEqual([place])
  })

  it('are asked for again by a clock that is hours behind that of the answer', async () => {
    await read()
    pass(-60)
    expect(await read()).toMatchObject({ readAt: now() })
    pass(-5 * 60)
    expect(await read(await start())).toMatchObject({ readAt: now() })
    expect(calls()).toBe(3)
  })
})
