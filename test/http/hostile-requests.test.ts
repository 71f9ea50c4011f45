import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { defineAction } from '../../src/http/store-action.js'
import { actionsListener } from '../../src/node/index.js'
import { captureLog } from '../support/captured-log.js'
import { openStore, type TestStore } from '../support/store.js'
import { openVisitorBrowser } from '../support/visitor-browser.js'

const log = captureLog()
const warning = 40
const failure = 50

let store: TestStore
let server: Server
let port: number
const rejections: unknown[] = []
let inAnswer = 0

beforeAll(async () => {
  const odd = defineAction('shop/odd/header', () =>
    Promise.resolve(new Response('', { headers: { 'x-odd': 'a\u0001b', 'x-fine': 'tea' } })),
  )
  store = await openStore('sqlite', { config: log.config, options: { actions: [odd] } })
  const answer = actionsListener(store.payload)
  server = createServer((request, response) => {
    inAnswer++
    // As in the README, with nothing that would catch.
    answer(request, response)
      .then(
        (isAnswered) => {
          if (!isAnswered) response.writeHead(299).end()
        },
        (error: unknown) => {
          rejections.push(error)
          response.destroy()
        },
      )
      .finally(() => inAnswer--)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await store.close()
})
beforeEach(() => {
  rejections.splice(0)
  log.clear()
})

/** What comes back over a socket of its own, the connection ended by the server. */
async function send(...lines: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'))
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])

describe('What a client sends never rejects the listener', () => {
  it.each(['a@b', 'a:b@shop.example', '@', ':', '[', 'a b', 'shop.example:99999'])(
    'answers 400 to the Host "%s"',
    async (host) => {
      expect(statusOf(await send('GET /actions/x HTTP/1.1', `Host: ${host}`))).toBe(400)
      expect(rejections).toEqual([])
    },
  )

  it('answers 405 to a method that no Request can have', async () => {
    const answer = await send('TRACE /actions/x HTTP/1.1', 'Host: shop.example')
    expect(statusOf(answer)).toBe(405)
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
    const answer = await send(`${method} /actions/users/login HTTP/1.1`, 'Host: shop.example')
    expect(statusOf(answer)).toBe(405)
    expect(rejections).toEqual([])
  })

  it.each([
    ['X-Odd: caf\xe9', 404],
    ['X-Request-Id: \t a b ', 404],
    ['Cookie: =;;;%', 404],
    ['Content-Length: 5\r\nContent-Length: 6', 400],
  ])('answers the header %j', async (header, status) => {
    const answer = await send('GET /actions/x HTTP/1.1', 'Host: shop.example', header)
    expect(statusOf(answer)).toBe(status)
    expect(rejections).toEqual([])
  })

  it('answers paths that are hard to read', async () => {
    for (const path of ['/actions/%', '/actions/\\\\x', '/actions/#', '/actions//x?%zz=%']) {
      expect(statusOf(await send(`GET ${path} HTTP/1.1`, 'Host: shop.example'))).toBe(404)
    }
    expect(rejections).toEqual([])
  })

  it('survives a client that goes away before it is answered', async () => {
    for (const method of ['GET', 'POST']) {
      const socket = connect(port, '127.0.0.1')
      socket.write(`${method} /actions/users/session-info HTTP/1.1\r\nHost: shop.example\r\n\r\n`)
      await once(server, 'connection')
      socket.resetAndDestroy()
    }
    await expect.poll(() => openConnections(server)).toBe(0)
    await expect.poll(() => inAnswer).toBe(0)
    expect(rejections).toEqual([])
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
    const answer = await send(
      'POST /actions/shop/odd/header HTTP/1.1',
      'Host: shop.example',
      'X-Forwarded-Proto: https',
      `Cookie: ${cookie}`,
      `X-CSRF-Token: ${token}`,
    )
    expect(statusOf(answer)).toBe(500)
    expect(answer).not.toContain('x-fine')
    expect(rejections).toEqual([])
    expect(log.lines().filter(({ level }) => level >= failure)).toHaveLength(1)
  })
})

describe('A client that breaks off its upload', () => {
  it('is refused, and is no error of ours', async () => {
    const socket = connect(port, '127.0.0.1')
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
    await once(server, 'request')
    socket.resetAndDestroy()
    await expect.poll(() => inAnswer).toBe(0)
    expect(log.lines().filter(({ level }) => level >= warning)).toMatchObject([
      { level: warning, msg: 'Request refused', code: 'PARAMETER_INVALID', status: 400 },
    ])
    expect(rejections).toEqual([])
  })
})

const openConnections = (of: Server) =>
  new Promise<number>((resolve, reject) => {
    of.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
