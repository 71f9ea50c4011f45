import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { defineAction } from '../../src/http/store-action.js'
import { actionsListener } from '../../src/node/index.js'
import { captureLog } from '../support/captured-log.js'
import { serveStore, statusIn, type ServedStore } from '../support/served-store.js'
import { openStore, type TestStore } from '../support/store.js'
import { openVisitorBrowser } from '../support/visitor-browser.js'

const log = captureLog()
const warning = 40
const failure = 50

let store: TestStore
let server: ServedStore

beforeAll(async () => {
  const odd = defineAction('shop/odd/header', () =>
    Promise.resolve(new Response('', { headers: { 'x-odd': 'a\u0001b', 'x-fine': 'tea' } })),
  )
  store = await openStore('sqlite', { config: log.config, options: { actions: [odd] } })
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
  it.each(['a@b', 'a:b@shop.example', '@', ':', '[', 'a b', 'shop.example:99999'])(
    'answers 400 to the Host "%s"',
    async (host) => {
      expect(statusIn(await server.write('GET /actions/x HTTP/1.1', `Host: ${host}`))).toBe(400)
      expect(server.rejections).toEqual([])
    },
  )

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

  it.each(['PURGE', 'M-SEARCH', 'OPTIONS', 'PROPFIND'])('answers %s', async (method) => {
    const answer = await server.write(
      `${method} /actions/users/login HTTP/1.1`,
      'Host: shop.example',
    )
    expect(statusIn(answer)).toBe(405)
    expect(server.rejections).toEqual([])
  })

  it.each([
    ['X-Odd: caf\xe9', 404],
    ['X-Request-Id: \t a b ', 404],
    ['Cookie: =;;;%', 404],
    ['Content-Length: 5\r\nContent-Length: 6', 400],
  ])('answers the header %j', async (header, status) => {
    const answer = await server.write('GET /actions/x HTTP/1.1', 'Host: shop.example', header)
    expect(statusIn(answer)).toBe(status)
    expect(server.rejections).toEqual([])
  })

  it('answers paths that are hard to read', async () => {
    for (const path of ['/actions/%', '/actions/\\\\x', '/actions/#', '/actions//x?%zz=%']) {
      expect(statusIn(await server.write(`GET ${path} HTTP/1.1`, 'Host: shop.example'))).toBe(404)
    }
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
})

describe('What fails in the listener', () => {
  it('is logged and answered 500 when the answer cannot be written', async () => {
    const browser = openVisitorBrowser(store.handle)
    const token = String(
      ((await (await browser.get('/actions/users/session-info')).json()) as Record<string, unknown>)
        .csrfTokenValue,
    )
    const [cookie] = [...browser.cookies].map(([name, value]) => `${name}=${value}`)
    const answer = await server.write(
      'POST /actions/shop/odd/header HTTP/1.1',
      'Host: shop.example',
      'X-Forwarded-Proto: https',
      `Cookie: ${cookie}`,
      `X-CSRF-Token: ${token}`,
    )
    expect(statusIn(answer)).toBe(500)
    expect(answer).not.toContain('x-fine')
    expect(server.rejections).toEqual([])
    expect(log.lines().filter(({ level }) => level >= failure)).toHaveLength(1)
  })
})

describe('A client that breaks off its upload', () => {
  it('is refused, and is no error of ours', async () => {
    const socket = connect(server.port, '127.0.0.1')
    socket.write(
      [
        'POST /actions/users/login HTTP/1.1',
        'Host: shop.example',
        'Content-Type: application/x-www-form-urlencoded',
        'Content-Length: 1000',
        '',
        'email=ada',
      ].join('\r\n'),
    )
    await once(server.server, 'request')
    socket.resetAndDestroy()
    await expect.poll(() => server.openRequests()).toBe(0)
    expect(log.lines().filter(({ level }) => level >= warning)).toMatchObject([
      { level: warning, msg: 'Request refused', code: 'PARAMETER_INVALID', status: 400 },
    ])
    expect(server.rejections).toEqual([])
  })
})

const openConnections = (of: Server) =>
  new Promise<number>((resolve, reject) => {
    of.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
