import { randomUUID } from 'node:crypto'
import { getPayload, handleEndpoints, type BasePayload } from 'payload'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../dev/klaviyo/stand-in.ts'
import { closeInstance } from '../support/close-instance.js'
import { storeDatabase } from '../support/own-database.js'
import { anyKind } from '../support/store.js'
import { storeConfig, type StoreSetup } from '../support/store-config.js'

const roles = ['admin', 'editor', 'customer'] as const
type Role = (typeof roles)[number]

/** One process of the store. */
interface Shop {
  payload: BasePayload
  api: (path: string, headers: Headers) => Promise<Response>
}

describe('The lists for the fields that pick one', () => {
  let klaviyo: ServedStandIn
  let shop: Shop
  let url: string
  let closing: (() => Promise<void>)[]

  beforeEach(async () => {
    const database = await storeDatabase(anyKind)
    klaviyo = await serveKlaviyoStandIn({ port: 0 })
    url = database.url
    closing = [() => database.remove(), () => klaviyo.close()]
    shop = await start()
    for (const role of roles) {
      const data = { email: `${role}@example.com`, password: 'a-password', roles: [role] }
      await shop.payload.create({ collection: 'users', data })
    }
  })
  afterEach(async () => {
    for (const close of closing.reverse()) await close()
  })

  /** Starts a process of the store; a second one is as after a restart. */
  async function start(
    privateApiKey = demoApiKey,
    setup: Pick<StoreSetup, 'userAccess' | 'options'> = {},
  ): Promise<Shop> {
    const marketing = { apiUrl: klaviyo.origin, settings: { privateApiKey } }
    const options = { ...setup.options, marketing }
    const config = await storeConfig({ kind: anyKind, url, ...setup, options })
    const payloadInstanceCacheKey = randomUUID()
    const payload = await getPayload({ config, key: payloadInstanceCacheKey })
    closing.push(() => closeInstance(payload))
    return {
      payload,
      api(path, headers) {
        const request = new Request(`https://shop.example/api${path}`, { headers })
        return handleEndpoints({ config, request, payloadInstanceCacheKey })
      },
    }
  }

  const ask = async ({ payload, api }: Shop, role?: Role) => {
    const headers = new Headers()
    if (role !== undefined) {
      const data = { email: `${role}@example.com`, password: 'a-password' }
      const { token } = await payload.login({ collection: 'users', data })
      headers.set('authorization', `JWT ${token}`)
    }
    return api('/storeconnect/lists', headers)
  }
  const read = async (from: Shop) => (await ask(from, 'admin')).json() as Promise<unknown>

  const statuses = async (from: Shop) => {
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
  })

  it('are their ids and names alone', async () => {
    const answer = await ask(shop, 'admin')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.json()).toEqual({
      is: 'known',
      readAt: expect.any(String) as string,
      lists: demoLists,
      isComplete: true,
    })
  })

  it('are known without the network and after a restart, from the last good answer', async () => {
    await read(shop)
    await read(shop)
    expect(klaviyo.standIn.state.calls.filter(({ name }) => name === 'lists')).toHaveLength(1)
    klaviyo.standIn.faults.add({ kind: 'error', status: 503 })
    // While the answer is fresh, another process does not ask either.
    expect(await read(await start())).toMatchObject({ is: 'known', lists: demoLists })

    const place = 'storeconnect:platform-lists'
    const kept = (await shop.payload.kv.get(place)) as object
    const readAt = new Date(Date.now() - 3_600_000).toISOString()
    await shop.payload.kv.set(place, { ...kept, readAt })
    expect(await read(await start())).toEqual({
      is: 'known',
      readAt,
      lists: demoLists,
      isComplete: true,
      problem: expect.stringMatching(/./) as string,
    })
  })

  it("are not another account's, and the key is nowhere in what is kept", async () => {
    await read(shop)
    const kept = JSON.stringify(await shop.payload.kv.get('storeconnect:platform-lists'))
    expect(kept).toContain('Newsletter')
    expect(kept).not.toContain(demoApiKey)
    expect(await read(await start('pk_of_another_account'))).toMatchObject({ is: 'unknown' })
  })

  it('need a key', async () => {
    expect(await read(await start(''))).toEqual({ is: 'no-key' })
  })

  it('replace each other in the store, answer by answer', async () => {
    await read(shop)
    await shop.payload.kv.set('storeconnect:platform-lists', { what: 'somebody else wrote' })
    expect(await read(await start())).toMatchObject({ is: 'known', lists: demoLists })
    const keys = (await shop.payload.kv.keys()).filter((key) => key.startsWith('storeconnect:'))
    expect(keys).toEqual(['storeconnect:platform-lists'])
  })
})
