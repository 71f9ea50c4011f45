import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mounts, type Mount } from '../support/mounts.js'
import { authorization, basic } from '../support/shipping-requests.js'
import { databaseKinds, joinStore, openStore, type TestStore } from '../support/store.js'
import { openVisitorBrowser } from '../support/visitor-browser.js'

const shippingPath = '/actions/shippingconnect/orders/process'

const start = new Date()
/** However long it takes, it is one minute. */
const effects = { now: () => start }

const tally = (statuses: readonly number[]) =>
  Object.fromEntries(
    [...new Set(statuses)].map((status) => [
      status,
      statuses.filter((other) => other === status).length,
    ]),
  )

const shippingHeaders = (header: string, headers: Record<string, string> = {}) => ({
  headers: { ...headers, authorization: header },
})

describe.each(Object.entries(mounts))('behind %s', (name, open) => {
  let store: TestStore
  let mount: Mount
  beforeAll(async () => {
    store = await openStore('sqlite', { effects })
    mount = await open(store)
  })
  afterAll(async () => {
    await mount.close()
    await store.close()
  })
  const askShipping = (...given: Parameters<typeof shippingHeaders>) =>
    mount.send(`${shippingPath}?action=export`, shippingHeaders(...given))
  const visit = async (request: Request) => {
    const { pathname, search } = new URL(request.url)
    const { method, headers } = request
    const body = method === 'POST' ? { body: await request.text() } : {}
    return mount.send(pathname + search, { method, headers, ...body })
  }
  /** None sees an address, but for that of a connection. */
  const isSeen = name === 'node:http'
  const allowed = isSeen ? 10 : 30

  it('40 wrong passwords of the shipping login are not all looked at, and the right one passes', async () => {
    const statuses: number[] = []
    for (let tried = 0; tried < 40; tried += 1) {
      // An address that the client makes up itself is not believed.
      const forged = { 'x-forwarded-for': `192.0.2.${tried}`, 'x-real-ip': `192.0.2.${tried}` }
      statuses.push((await askShipping(basic('ship', `guess ${tried}`), forged)).status)
    }
    expect(tally(statuses)).toEqual({ 401: allowed, 429: 40 - allowed })
    expect((await askShipping(authorization)).status).toBe(200)
  })

  it('40 wrong passwords of one account are not all looked at, and other accounts can log in', async () => {
    const ada = { email: 'ada@shop.example', password: 'lovelace' }
    await store.payload.create({ collection: 'users', data: ada })
    const browser = openVisitorBrowser(visit)
    const logIn = (fields: Record<string, string>) =>
      browser.post('/actions/users/login', fields, { ajax: true })
    const answers: Response[] = []
    for (let tried = 0; tried < 40; tried += 1) {
      answers.push(
        await logIn({
          email: tried % 2 ? ' Nobody@shop.example' : 'nobody@shop.example',
          password: 'x',
        }),
      )
    }
    expect(tally(answers.map(({ status }) => status))).toEqual({ 401: allowed, 429: 40 - allowed })
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0)
    // The connection's own address has to wait by now, whoever it wants to be.
    expect((await logIn(ada)).status).toBe(isSeen ? 429 : 200)
  })

  it('posts whose sender nobody knows are throttled together', async () => {
    await store.payload.updateGlobal({
      slug: 'marketing-settings',
      data: { postsPerAddress: 1, postsPerNetwork: 1 },
    })
    const browser = openVisitorBrowser(visit)
    const statuses: number[] = []
    for (let posted = 0; posted < 21; posted += 1) {
      const path = '/actions/marketingconnect/api/identify'
      statuses.push((await browser.post(path, {}, { ajax: true })).status)
    }
    const taken = isSeen ? 1 : 20
    expect(tally(statuses)).toEqual({ 200: taken, 429: 21 - taken })
  })
})

describe.each(databaseKinds)('with proxies that are trusted (%s)', (kind) => {
  const trustProxy = { header: 'x-forwarded-for', proxies: 2 }
  let store: TestStore
  let other: TestStore
  beforeAll(async () => {
    store = await openStore(kind, { options: { trustProxy }, effects })
    other = await joinStore(kind, store.url, { options: { trustProxy }, effects })
  })
  afterAll(async () => {
    await other.close()
    await store.close()
  })

  it('counts by the address that the outermost saw, over all processes', async () => {
    const guess = async ({ handle }: TestStore, address: string, forged: string) => {
      const headers = { 'x-forwarded-for': `${forged}, ${address}, 10.0.0.1` }
      const url = `https://shop.example${shippingPath}?action=export`
      return (await handle(new Request(url, shippingHeaders(basic('ship', 'guess'), headers))))
        .status
    }
    const statuses: number[] = []
    for (let tried = 0; tried < 12; tried += 1) {
      const process = tried % 2 ? store : other
      statuses.push(await guess(process, '198.51.100.1', `192.0.2.${tried}`))
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429])
    expect(await guess(store, '198.51.100.2', '192.0.2.1')).toBe(401)
  })
})
