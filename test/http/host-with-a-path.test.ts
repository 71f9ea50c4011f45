import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actionsListener } from '../../src/node/index.js'
import { serveStore, statusIn, type ServedStore } from '../support/served-store.js'
import { openStore, type TestStore } from '../support/store.js'

let store: TestStore
const servers: ServedStore[] = []

beforeAll(async () => {
  store = await openStore('sqlite')
})
afterAll(async () => {
  for (const server of servers) await server.close()
  await store.close()
})

async function listen(origin?: string): Promise<ServedStore> {
  const server = await serveStore(store, origin === undefined ? {} : { origin })
  servers.push(server)
  return server
}

/** The status of an answer to a request, written as it goes over the wire. */
const statusOf = async ({ write }: ServedStore, ...lines: string[]) =>
  statusIn(await write(...lines))

const sessionInfo = '/actions/users/session-info'

describe.each([undefined, 'https://shop.example'])(
  'The action on node:http, origin %s',
  (origin) => {
    // Who says which origin it is reads the host from nowhere.
    const [unknown, known] = origin === undefined ? [400, 400] : [404, 200]
    let server: ServedStore
    beforeAll(async () => {
      server = await listen(origin)
    })

    it.each([
      `x${sessionInfo}?`,
      `x${sessionInfo}#`,
      'x/',
      'x?',
      'x#',
      'x\\y',
      'a@x',
      'a:b@x',
      'x y',
      'x\ty',
      'x:y',
      'x:99999',
      ':80',
      '',
      'http://x',
      '//x',
      '[::1',
    ])('is not chosen by the Host %j', async (host) => {
      expect(await statusOf(server, 'GET /actions/x HTTP/1.1', `Host: ${host}`)).toBe(unknown)
      expect(await statusOf(server, `GET ${sessionInfo} HTTP/1.1`, `Host: ${host}`)).toBe(known)
    })

    it('is not chosen by two hosts', async () => {
      const hosts = ['Host: shop.example', `Host: x${sessionInfo}`]
      expect(await statusOf(server, `GET /actions/x HTTP/1.1`, ...hosts)).toBe(unknown)
      expect(await statusOf(server, `GET ${sessionInfo} HTTP/1.1`, ...hosts)).toBe(known)
    })

    it('is not asked for without a host, but in HTTP/1.0', async () => {
      expect(await statusOf(server, `GET ${sessionInfo} HTTP/1.1`)).toBe(400)
      expect(await statusOf(server, `GET ${sessionInfo} HTTP/1.0`)).toBe(200)
    })

    it.each(['shop.example', 'shop.example:8080', 'localhost', '127.0.0.1:3000', '[::1]:3000'])(
      'is that of the request line at the Host %s',
      async (host) => {
        expect(await statusOf(server, `GET ${sessionInfo} HTTP/1.1`, `Host: ${host}`)).toBe(200)
        expect(await statusOf(server, 'GET /actions/x HTTP/1.1', `Host: ${host}`)).toBe(404)
      },
    )

    it.each([
      `http://shop.example${sessionInfo}`,
      `http://x${sessionInfo}`,
      `//shop.example${sessionInfo}`,
      `/x?${sessionInfo}`,
      `x${sessionInfo}`,
    ])('is somebody else’s for the request line %s', async (target) => {
      const status = await statusOf(server, `GET ${target} HTTP/1.1`, 'Host: shop.example')
      expect([299, 400]).toContain(status)
    })
  },
)

describe('actionsListener()', () => {
  it('takes the origin of its option alone, and says at once when it is none', async () => {
    const server = await listen('https://shop.example/shop/')
    expect(await statusOf(server, `GET ${sessionInfo} HTTP/1.1`, 'Host: x')).toBe(200)
    expect(() => actionsListener(store.payload, { origin: 'shop.example' })).toThrow(TypeError)
  })
})
