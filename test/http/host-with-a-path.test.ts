import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actionsListener } from '../../src/node/index.js'
import { openStore, type TestStore } from '../support/store.js'

let store: TestStore
const servers: Server[] = []

beforeAll(async () => {
  store = await openStore('sqlite')
})
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  await store.close()
})

async function listen(origin?: string): Promise<number> {
  const answer = actionsListener(store.payload, origin === undefined ? {} : { origin })
  const server = createServer((request, response) => {
    void answer(request, response).then((isAnswered) => {
      if (!isAnswered) response.writeHead(299).end()
    })
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** The status of an answer to a request, written as it goes over the wire. */
async function statusOf(port: number, ...lines: string[]): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'))
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'close')
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(Buffer.concat(chunks).toString())?.[1])
}

const sessionInfo = '/actions/users/session-info'

describe.each([undefined, 'https://shop.example'])(
  'The action on node:http, origin %s',
  (origin) => {
    // Who says which origin it is reads the host from nowhere.
    const [unknown, known] = origin === undefined ? [400, 400] : [404, 200]
    let port: number
    beforeAll(async () => {
      port = await listen(origin)
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
      expect(await statusOf(port, 'GET /actions/x HTTP/1.1', `Host: ${host}`)).toBe(unknown)
      expect(await statusOf(port, `GET ${sessionInfo} HTTP/1.1`, `Host: ${host}`)).toBe(known)
    })

    it('is not chosen by two hosts', async () => {
      const hosts = ['Host: shop.example', `Host: x${sessionInfo}`]
      expect(await statusOf(port, `GET /actions/x HTTP/1.1`, ...hosts)).toBe(unknown)
      expect(await statusOf(port, `GET ${sessionInfo} HTTP/1.1`, ...hosts)).toBe(known)
    })

    it('is not asked for without a host, but in HTTP/1.0', async () => {
      expect(await statusOf(port, `GET ${sessionInfo} HTTP/1.1`)).toBe(400)
      expect(await statusOf(port, `GET ${sessionInfo} HTTP/1.0`)).toBe(200)
    })

    it.each(['shop.example', 'shop.example:8080', 'localhost', '127.0.0.1:3000', '[::1]:3000'])(
      'is that of the request line at the Host %s',
      async (host) => {
        expect(await statusOf(port, `GET ${sessionInfo} HTTP/1.1`, `Host: ${host}`)).toBe(200)
        expect(await statusOf(port, 'GET /actions/x HTTP/1.1', `Host: ${host}`)).toBe(404)
      },
    )

    it.each([
      `http://shop.example${sessionInfo}`,
      `http://x${sessionInfo}`,
      `//shop.example${sessionInfo}`,
      `/x?${sessionInfo}`,
      `x${sessionInfo}`,
    ])('is somebody else’s for the request line %s', async (target) => {
      const status = await statusOf(port, `GET ${target} HTTP/1.1`, 'Host: shop.example')
      expect([299, 400]).toContain(status)
    })
  },
)

describe('actionsListener()', () => {
  it('takes the origin of its option alone, and says at once when it is none', async () => {
    const port = await listen('https://shop.example/shop/')
    expect(await statusOf(port, `GET ${sessionInfo} HTTP/1.1`, 'Host: x')).toBe(200)
    expect(() => actionsListener(store.payload, { origin: 'shop.example' })).toThrow(TypeError)
  })
})
