import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { getPayload, handleEndpoints, type BasePayload } from 'payload'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { actionRoutes } from '../../../src/next/index.js'
import { actionsListener, type ActionsListenerOptions } from '../../../src/node/index.js'
import { closeInstance } from '../../support/close-instance.js'
import { saveOrder } from '../../support/orders.js'
import { authorization, basic } from '../../support/shipping-requests.js'
import { openStore, type TestStore } from '../../support/store.js'

const path = '/actions/shippingconnect/orders/process'
const shop = 'https://shop.example'

type Send = (path: string, init?: RequestInit) => Promise<Response>

interface Mount {
  send: Send
  close(): Promise<void>
}

const nothing = () => Promise.resolve()

// Failed logins of one test must not count against the next one. No request sends this header, so no
// client IP is known, except in tests of the throttle.
const trustProxy = { header: 'x-client-address' }

async function listen(store: Pick<TestStore, 'payload'>, options: ActionsListenerOptions = {}) {
  const answer = actionsListener(store.payload, options)
  const failures: unknown[] = []
  const server: Server = createServer((request, response) => {
    answer(request, response).then(
      (isAnswered) => {
        if (!isAnswered) response.writeHead(299).end('somebody else')
      },
      (error: unknown) => {
        failures.push(error)
        response.destroy()
      },
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    failures,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const mounts: Record<string, (store: TestStore) => Promise<Mount>> = {
  'handle()': ({ handle }) =>
    Promise.resolve({
      send: (target, init) => handle(new Request(shop + target, init)),
      close: nothing,
    }),
  'a plain Node server': async (store) => {
    const server = await listen(store)
    return {
      send: (target, init) => fetch(server.origin + target, init),
      close: () => server.close(),
    }
  },
  "Payload's own API route": ({ payload }) =>
    Promise.resolve({
      send: (target, init) =>
        handleEndpoints({
          config: payload.config,
          request: new Request(`${shop}/api${target}`, init),
        }),
      close: nothing,
    }),
  'a Next.js route': ({ payload }) => {
    const routes: Record<string, (request: Request) => Promise<Response>> = actionRoutes(
      Promise.resolve(payload.config),
    )
    return Promise.resolve({
      send: (target, init) => {
        const request = new Request(shop + target, init)
        const route = routes[request.method]
        if (route === undefined) throw new Error(`There is no route for ${request.method}.`)
        return route(request)
      },
      close: nothing,
    })
  },
}

let store: TestStore
beforeAll(async () => {
  store = await openStore('sqlite', { options: { trustProxy } })
})
afterAll(async () => {
  // The API route and Next.js use an instance of their own, one for the whole process.
  await closeInstance(await getPayload({ config: store.payload.config }))
  await store.close()
})

describe.each(Object.keys(mounts))('the shipping endpoint behind %s', (name) => {
  let mount: Mount
  beforeAll(async () => {
    const open = mounts[name]
    if (open === undefined) throw new Error(`There is no mount "${name}".`)
    mount = await open(store)
  })
  afterAll(() => mount.close())

  const send: Send = (target, init = {}) =>
    mount.send(target, { ...init, headers: { authorization, ...init.headers } })

  it('exports', async () => {
    const { reference } = await saveOrder(store.payload)
    const response = await send(`${path}?action=export`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/xml; charset=UTF-8')
    expect(response.headers.get('x-request-id')).not.toBeNull()
    expect(await response.text()).toContain(`<OrderNumber>${reference}</OrderNumber>`)
  })

  it.each(['urlencoded', 'multipart', 'JSON', 'XML'])(
    'ships by a body that is %s',
    async (form) => {
      const { id, reference } = await saveOrder(store.payload)
      const fields = { order_number: reference, carrier: 'DHL', tracking_number: 'JD014ü' }
      const multipart = new FormData()
      for (const [field, value] of Object.entries(fields)) multipart.append(field, value)
      const bodies: Record<string, RequestInit> = {
        urlencoded: { body: new URLSearchParams(fields) },
        multipart: { body: multipart },
        JSON: { body: JSON.stringify(fields), headers: { 'content-type': 'application/json' } },
        XML: {
          body: `<ShipNotice><OrderNumber>${reference}</OrderNumber><Carrier>DHL</Carrier><TrackingNumber>JD014ü</TrackingNumber></ShipNotice>`,
          headers: { 'content-type': 'text/xml' },
        },
      }
      const response = await send(`${path}?action=shipnotify`, { method: 'POST', ...bodies[form] })
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({ success: true })
      expect(await store.payload.findByID({ collection: 'orders', id })).toMatchObject({
        status: 'shipped',
        tracking: [{ carrier: 'DHL', trackingNumber: 'JD014ü' }],
      })
    },
  )

  it('answers 401 with WWW-Authenticate to wrong credentials', async () => {
    const response = await send(`${path}?action=export`, {
      headers: { authorization: basic('ship', 'wrong') },
    })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toMatch(/^Basic /)
  })

  it('answers 404 to an unknown action, in the form the request asks for', async () => {
    const html = await send('/actions/shippingconnect/orders/nothing')
    expect(html.status).toBe(404)
    expect(html.headers.get('content-type')).toBe('text/html; charset=UTF-8')
    const json = await send('/actions/nothing', { headers: { accept: 'application/json' } })
    expect(json.status).toBe(404)
    expect(await json.json()).toEqual({ errors: [{ message: 'There is no such action.' }] })
  })

  it.each(['PUT', 'PATCH', 'DELETE'])('answers 405 with Allow to %s', async (method) => {
    const response = await send(`${path}?action=shipnotify`, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
  })

  it('answers HEAD with the headers of GET and no body', async () => {
    const response = await send(`${path}?action=export`, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/xml; charset=UTF-8')
    expect(await response.text()).toBe('')
  })

  it('answers 413 to a body over 256 KiB, with its length announced', async () => {
    const response = await send(`${path}?action=shipnotify`, {
      method: 'POST',
      body: `order_number=${'x'.repeat(300 * 1024)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(response.status).toBe(413)
  })

  it('answers 413 to a body over 256 KiB that comes in chunks', async () => {
    const chunk = new TextEncoder().encode('x'.repeat(50_000))
    let chunks = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (chunks < 20) controller.enqueue(chunk)
        else controller.close()
        chunks += 1
      },
    })
    const response = await send(`${path}?action=shipnotify`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBe(413)
    expect(await response.text()).toContain('256 KiB')
  })

  it('tolerates a slash at the end of the path', async () => {
    expect((await send(`${path}/?action=export`)).status).toBe(200)
  })
})

describe('actionsListener', () => {
  let server: Awaited<ReturnType<typeof listen>>
  const start = async (options?: ActionsListenerOptions) => {
    server = await listen(store, options)
    return server
  }
  afterEach(() => server.close())

  const answerTo = async (lines: string[]): Promise<string> => {
    const socket = connect(server.port, '127.0.0.1')
    // It stays open for writing: Node's server gives up a late answer to a client that has ended.
    socket.write([...lines, 'Connection: close', '', ''].join('\r\n'))
    let text = ''
    for await (const chunk of socket.setEncoding('latin1')) text += String(chunk)
    return text
  }

  it.each(['/', '/actions', '/action/x', '/shop/actions/x', '/actionsx', '/api/actions/x'])(
    'leaves %s to somebody else, with nothing written',
    async (target) => {
      await start()
      const response = await fetch(server.origin + target)
      expect(response.status).toBe(299)
      expect(await response.text()).toBe('somebody else')
    },
  )

  it.each(['bad host', 'a b', '[', '%', ':x', '<script>', '#'])(
    'copes with the Host header %j',
    async (host) => {
      await start()
      const answer = await answerTo([
        `GET ${path}?action=export HTTP/1.1`,
        `Host: ${host}`,
        `Authorization: ${authorization}`,
      ])
      expect(answer).toMatch(/^HTTP\/1\.1 (?:400|404|200) /)
      expect(server.failures).toEqual([])
      expect((await fetch(server.origin + path)).status).toBe(401)
    },
  )

  it('answers a client of HTTP/1.0 that sends no Host', async () => {
    await start()
    const answer = await answerTo([
      `GET ${path}?action=export HTTP/1.0`,
      `Authorization: ${authorization}`,
    ])
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('copes with headers that come twice', async () => {
    await start()
    const answer = await answerTo([
      `GET ${path} HTTP/1.1`,
      'Host: shop.example',
      `Authorization: ${authorization}`,
      'Accept: text/plain',
      'Accept: application/json',
      'X-Forwarded-For: 192.0.2.1',
      'X-Forwarded-For: 192.0.2.2',
    ])
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('{"errors":[{"message":')
  })

  it('refuses two Authorization headers rather than choosing one', async () => {
    await start()
    const answer = await answerTo([
      `GET ${path}?action=export HTTP/1.1`,
      'Host: shop.example',
      `Authorization: ${authorization}`,
      `Authorization: ${basic('x', 'y')}`,
    ])
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
  })

  it('never rejects for a method that a Request cannot have', async () => {
    await start()
    const answer = await answerTo([`TRACE ${path} HTTP/1.1`, 'Host: shop.example'])
    expect(server.failures).toEqual([])
    expect(answer).toMatch(/^HTTP\/1\.1 405 /)
    expect(answer).not.toContain('shop.example')
  })

  it.each(['/actions/%', '/actions/%ff%00', '/actions/../../x', '/actions//x', '/actions/\\x'])(
    'never rejects for the path %s',
    async (target) => {
      await start()
      const answer = await answerTo([`GET ${target} HTTP/1.1`, 'Host: shop.example'])
      expect(answer).toMatch(/^HTTP\/1\.1 404 /)
      expect(server.failures).toEqual([])
    },
  )

  it('survives a client that goes away in the middle of its body', async () => {
    await start()
    const socket = connect(server.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      [
        `POST ${path}?action=shipnotify HTTP/1.1`,
        'Host: shop.example',
        `Authorization: ${authorization}`,
        'Content-Type: application/x-www-form-urlencoded',
        'Content-Length: 100',
        '',
        'order_number=AB',
      ].join('\r\n'),
    )
    socket.destroy()
    await once(socket, 'close')
    expect((await fetch(server.origin + path)).status).toBe(401)
    expect(server.failures).toEqual([])
  })

  it('keeps the connection of a body that it did not read', async () => {
    await start()
    const responses: number[] = []
    const agentless = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const outgoing = httpRequest(
          server.origin + path,
          { method: 'POST', headers: { authorization: basic('x', 'y') } },
          resolve,
        )
        outgoing.on('error', reject)
        outgoing.end('x'.repeat(100_000))
      })
    for (let count = 0; count < 2; count += 1) {
      const response = await agentless()
      response.resume()
      responses.push(response.statusCode ?? 0)
      await once(response, 'end')
    }
    expect(responses).toEqual([401, 401])
  })

  it("throttles failed logins by the socket's address", async () => {
    const plain = await openStore('sqlite')
    onTestFinished(() => plain.close())
    server = await listen(plain)
    const statuses: number[] = []
    for (let count = 0; count < 11; count += 1) {
      const headers = { authorization: basic('x', 'y'), 'x-forwarded-for': `192.0.2.${count}` }
      statuses.push((await fetch(server.origin + path, { headers })).status)
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429])
    const response = await fetch(`${server.origin}${path}?action=export`, {
      headers: { authorization },
    })
    expect(response.status).toBe(200)
  })

  it('throttles by the address that a trusted proxy writes', async () => {
    await start()
    const statusFor = async (address: string) => {
      const headers = { authorization: basic('x', 'y'), 'x-client-address': address }
      return (await fetch(server.origin + path, { headers })).status
    }
    for (let count = 0; count < 10; count += 1) expect(await statusFor('198.51.100.1')).toBe(401)
    expect(await statusFor('198.51.100.1')).toBe(429)
    expect(await statusFor('198.51.100.2')).toBe(401)
  })

  it('reads the host from nowhere when its option says the origin', async () => {
    await start({ origin: 'https://shop.example' })
    const answer = await answerTo([
      `GET ${path}?action=export HTTP/1.1`,
      'Host: a b',
      `Authorization: ${authorization}`,
    ])
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('a mount of a store without Storeconnect', () => {
  it('fails with a TypeError that says what to add', () => {
    const payload = { config: { custom: {} } } as unknown as BasePayload
    expect(() => actionsListener(payload)).toThrow(TypeError)
    expect(() => actionsListener(payload)).toThrow('Add storeConnect() to the plugins')
  })
})
