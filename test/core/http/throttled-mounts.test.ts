import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mounts, type Mount } from '../../support/mounts.js'
import { authorization, basic } from '../../support/shipping-requests.js'
import {
  anyKind,
  databaseKinds,
  joinStore,
  openStore,
  type TestStore,
} from '../../support/store.js'

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
    store = await openStore(anyKind, { effects })
    mount = await open(store)
  })
  afterAll(async () => {
    await mount.close()
    await store.close()
  })
  const askShipping = (...given: Parameters<typeof shippingHeaders>) =>
    mount.send(`${shippingPath}?action=export`, shippingHeaders(...given))
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
