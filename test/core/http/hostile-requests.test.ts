import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { defineAction } from '../../../src/core/http/define-action.js'
import { actionsListener } from '../../../src/mounts/node/index.js'
import { captureLog } from '../../support/captured-log.js'
import { serveStore, statusIn, type ServedStore } from '../../support/served-store.js'
import { anyKind, openStore, type TestStore } from '../../support/store.js'

const log = captureLog()
const warning = 40
const failure = 50

let store: TestStore
let server: ServedStore

beforeAll(async () => {
  const odd = defineAction('shop/odd/header', () =>
    Promise.resolve(new Response('', { headers: { 'x-odd': 'a\u0001b', 'x-fine': 'tea' } })),
  )
  store = await openStore(anyKind, { config: log.config, options: { actions: [odd] } })
  server = await serveStore(store)
})
afterAll(async () => {
  await server.close()
  await store.close()
})
beforeEach(() => {
  server.rejections.splice(0)
  log.clear()
})

describe('What a client sends never rejects the listener', () => {
  it('answers 405 to a method that no Request can have', async () => {
    const answer = await server.write('TRACE /actions/x HTTP/1.1', 'Host: shop.example')
    expect(statusIn(answer)).toBe(405)
    for (const method of ['CONNECT', 'TRACK', 'track']) {
      const heads: unknown[] = []
      const incoming = { url: '/actions/x', method, headers: {}, rawHeaders: [], socket: {} }
      const outgoing = {
        getHeaderNames: () => [],
        writeHead: (...head: unknown[]) => (heads.push(head), { end: () => undefined }),
      }
      const answered = actionsListener(store.payload)(
        incoming as unknown as IncomingMessage,
        outgoing as unknown as ServerResponse,
      )
      expect(await answered).toBe(true)
      expect(heads).toEqual([[405, { allow: 'GET, HEAD, POST' }]])
    }
  })

  it.each<[line: string, status: number, header?: string]>([
    ['OPTIONS /actions/users/login', 405],
    ['PURGE /actions/users/login', 405],
    ['M-SEARCH /actions/users/login', 405],
    ['GET /actions/%', 404],
    ['GET /actions/\\\\x', 404],
    ['GET /actions/#', 404],
    ['GET /actions//x?%zz=%', 404],
    ['GET /actions/x', 404, 'X-Odd: caf\xe9'],
    ['GET /actions/x', 404, 'X-Request-Id: \t a b '],
    ['GET /actions/x', 404, 'Cookie: =;;;%'],
    ['GET /actions/x', 400, 'Content-Length: 5\r\nContent-Length: 6'],
  ])('answers %s with %i (%j)', async (line, status, header = 'Accept: */*') => {
    const answer = await server.write(`${line} HTTP/1.1`, 'Host: shop.example', header)
    expect(statusIn(answer)).toBe(status)
    expect(server.rejections).toEqual([])
  })

  it('survives a client that goes away before it is answered', async () => {
    for (const method of ['GET', 'POST']) {
      const socket = connect(server.port, '127.0.0.1')
      socket.write(`${method} /actions/users/session-info HTTP/1.1\r\nHost: shop.example\r\n\r\n`)
      await once(server.server, 'connection')
      socket.resetAndDestroy()
    }
    await expect.poll(() => openConnections(server.server)).toBe(0)
    await expect.poll(() => server.openRequests()).toBe(0)
    expect(server.rejections).toEqual([])
    expect(log.lines().filter(({ level }) => level >= failure)).toEqual([])
  })

  it('is logged and answered 500 when the answer cannot be written', async () => {
    const browser = store.aBrowser()
    const token = await browser.token()
    const answer = await server.write(
      'POST /actions/shop/odd/header HTTP/1.1',
      'Host: shop.example',
      'X-Forwarded-Proto: https',
      `Cookie: ${browser.cookie}`,
      `X-CSRF-Token: ${token}`,
    )
    expect(statusIn(answer)).toBe(500)
    expect(answer).not.toContain('x-fine')
    expect(server.rejections).toEqual([])
    expect(log.lines().filter(({ level }) => level >= failure)).toHaveLength(1)
  })

  it('is refused, and is no error of ours, when a client breaks off its upload', async () => {
    const socket = connect(server.port, '127.0.0.1')
    const head = [
      'POST /actions/users/login HTTP/1.1',
      'Host: shop.example',
      'Content-Length: 1000',
    ]
    const type = 'Content-Type: application/x-www-form-urlencoded'
    socket.write([...head, type, '', 'email=ada'].join('\r\n'))
    await once(server.server, 'request')
    socket.resetAndDestroy()
    await expect.poll(() => server.openRequests()).toBe(0)
    expect(log.lines().filter(({ level }) => level >= warning)).toMatchObject([
      { level: warning, msg: 'Request refused', code: 'PARAMETER_INVALID', status: 400 },
    ])
    expect(server.rejections).toEqual([])
  })
})

/** The status of an answer to a request, written as it goes over the wire. */
const statusOf = async ({ write }: ServedStore, ...lines: string[]) =>
  statusIn(await write(...lines))

const sessionInfo = '/actions/users/session-info'

describe.each([undefined, 'https://shop.example'])(
  'The action on node:http, origin %s',
  (origin) => {
    // Who says which origin it is reads the host from nowhere.
    const [unknown, known] = origin === undefined ? [400, 400] : [404, 200]
    let served: ServedStore
    beforeAll(async () => {
      served = await serveStore(store, origin === undefined ? {} : { origin })
    })
    afterAll(() => served.close())

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
      expect(await statusOf(served, 'GET /actions/x HTTP/1.1', `Host: ${host}`)).toBe(unknown)
      expect(await statusOf(served, `GET ${sessionInfo} HTTP/1.1`, `Host: ${host}`)).toBe(known)
      expect(served.rejections).toEqual([])
    })

    it('is not chosen by two hosts', async () => {
      const hosts = ['Host: shop.example', `Host: x${sessionInfo}`]
      expect(await statusOf(served, `GET /actions/x HTTP/1.1`, ...hosts)).toBe(unknown)
      expect(await statusOf(served, `GET ${sessionInfo} HTTP/1.1`, ...hosts)).toBe(known)
    })

    it('is not asked for without a host, but in HTTP/1.0', async () => {
      expect(await statusOf(served, `GET ${sessionInfo} HTTP/1.1`)).toBe(400)
      expect(await statusOf(served, `GET ${sessionInfo} HTTP/1.0`)).toBe(200)
    })

    it.each(['shop.example', 'shop.example:8080', 'localhost', '127.0.0.1:3000', '[::1]:3000'])(
      'is that of the request line at the Host %s',
      async (host) => {
        expect(await statusOf(served, `GET ${sessionInfo} HTTP/1.1`, `Host: ${host}`)).toBe(200)
        expect(await statusOf(served, 'GET /actions/x HTTP/1.1', `Host: ${host}`)).toBe(404)
      },
    )

    it.each([
      `http://shop.example${sessionInfo}`,
      `http://x${sessionInfo}`,
      `//shop.example${sessionInfo}`,
      `/x?${sessionInfo}`,
      `x${sessionInfo}`,
    ])('is somebody else’s for the request line %s', async (target) => {
      const status = await statusOf(served, `GET ${target} HTTP/1.1`, 'Host: shop.example')
      expect([299, 400]).toContain(status)
    })
  },
)

it('actionsListener() takes the origin of its option alone, and says at once when it is none', async () => {
  const served = await serveStore(store, { origin: 'https://shop.example/shop/' })
  onTestFinished(() => served.close())
  expect(await statusOf(served, `GET ${sessionInfo} HTTP/1.1`, 'Host: x')).toBe(200)
  expect(() => actionsListener(store.payload, { origin: 'shop.example' })).toThrow(TypeError)
})

const openConnections = (of: Server) =>
  new Promise<number>((resolve, reject) => {
    of.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
