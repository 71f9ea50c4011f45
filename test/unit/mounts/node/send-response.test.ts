import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { sendResponse } from '../../../../src/mounts/node/send-response.js'

let close: () => Promise<unknown> = () => Promise.resolve()
afterEach(() => close())

/** A server on a real socket that sends what it is given. */
async function serve(make: () => Response): Promise<string> {
  const server = http.createServer((_, outgoing) => void sendResponse(make(), outgoing))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** A body of these texts; an error breaks it off. Remembers whether it was cancelled. */
function bodyOf(...parts: (string | Error)[]) {
  const state = { pulls: 0, isCancelled: false }
  const waiting = [...parts]
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        state.pulls += 1
        const part = waiting.shift()
        if (part instanceof Error) controller.error(part)
        else if (part === undefined) controller.close()
        else controller.enqueue(Buffer.from(part))
      },
      cancel() {
        state.isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, state }
}

describe('Sending an answer on node:http', () => {
  it('says how long a body of one piece is, and streams one of several', async () => {
    const one = await fetch(
      await serve(() => new Response('tea', { headers: { 'x-shop': 'tea' } })),
    )
    expect([one.headers.get('content-length'), one.headers.get('x-shop')]).toEqual(['3', 'tea'])
    expect(await one.text()).toBe('tea')
    await close()
    const several = await fetch(await serve(() => new Response(bodyOf('a', 'b', 'c', 'd').stream)))
    expect(several.headers.get('content-length')).toBeNull()
    expect(await several.text()).toBe('abcd')
  })

  it.each([0, 1, 2, 3])(
    'breaks the connection when the body fails after %i pieces',
    async (count) => {
      const parts = Array.from({ length: count }, () => 'x'.repeat(1000))
      const url = await serve(() => new Response(bodyOf(...parts, new Error('No more.')).stream))
      await expect(fetch(url).then((response) => response.text())).rejects.toThrow()
    },
  )

  it('stops reading when the client goes away', async () => {
    const { stream, state } = bodyOf(...Array.from({ length: 10_000 }, () => 'x'.repeat(100_000)))
    const url = await serve(() => new Response(stream))
    const response = await fetch(url)
    await response.body?.cancel()
    await expect.poll(() => state.isCancelled).toBe(true)
    expect(state.pulls).toBeLessThan(10_000)
  })

  it('sends no body and no length with "not modified", and keeps several cookies apart', async () => {
    const headers = new Headers([
      ['etag', '"1"'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ])
    const response = await fetch(await serve(() => new Response(null, { status: 304, headers })))
    expect([response.status, response.headers.get('etag')]).toEqual([304, '"1"'])
    expect(response.headers.get('content-length')).toBeNull()
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })
})
