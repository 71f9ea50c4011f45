import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { getPayload } from 'payload'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { actionRoutes } from '../../../src/mounts/next/index.js'
import { shipNotice } from '../../shipping/notice/ship-notice-document.js'
import { closeInstance } from '../../support/close-instance.js'
import { saveOrder } from '../../support/orders.js'
import { serveStore } from '../../support/served-store.js'
import { authorization } from '../../support/shipping-requests.js'
import { anyKind, openStore, type TestStore } from '../../support/store.js'

const path = '/actions/shippingconnect/orders/process?action=shipnotify'
const headers = { authorization, 'content-type': 'text/xml', accept: 'application/json' }

const chunkedRequest = (url: string, chunks: readonly string[]): Request => {
  const body = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk))
      controller.close()
    },
  })
  const init = { method: 'POST', headers, body, duplex: 'half' }
  return new Request(`https://shop.example${url}`, init)
}

interface Answer {
  status: number
  body: string
}

const answerOf = async (response: Response): Promise<Answer> => ({
  status: response.status,
  body: await response.text(),
})

/** Posts a body in these chunks to each of the ways to the actions. */
const mounts: Record<string, (store: TestStore, chunks: readonly string[]) => Promise<Answer>> = {
  "Payload's own API route": async (store, chunks) =>
    answerOf(await store.api(chunkedRequest(`/api${path}`, chunks))),
  'a Next.js route': async ({ payload }, chunks) =>
    answerOf(await actionRoutes(payload.config).POST(chunkedRequest(path, chunks))),
  'node:http': async (store, chunks) => {
    const { port, close } = await serveStore(store, { origin: 'https://shop.example' })
    onTestFinished(close)
    const outgoing = httpRequest({ host: '127.0.0.1', port, path, method: 'POST', headers })
    const answered = new Promise<Answer>((resolve, reject) => {
      outgoing.on('error', reject)
      outgoing.on('response', (response) => {
        void text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }))
      })
    })
    for (const chunk of chunks) outgoing.write(chunk)
    outgoing.end()
    // The client writes to the end, whenever the answer comes.
    const [received] = await Promise.all([answered, once(outgoing, 'finish')])
    return received
  },
}

describe('A body in chunks', () => {
  let store: TestStore
  beforeAll(async () => {
    store = await openStore(anyKind)
  })
  afterAll(async () => {
    await getPayload({ config: store.payload.config }).then(closeInstance)
    await store.close()
  })

  const inChunks = async (count: number, bytes: number) => {
    const { id, reference } = await saveOrder(store.payload)
    const document = shipNotice({ OrderNumber: reference })
    const body = document + ' '.repeat(count * bytes - document.length)
    const chunks = Array.from({ length: count }, (_, at) =>
      body.slice(bytes * at, bytes * (at + 1)),
    )
    return { id, chunks }
  }
  const statusOf = async (id: number | string) => {
    const order = await store.payload.findByID({ collection: 'orders', id, depth: 0 })
    return (order as unknown as { status: string }).status
  }

  it.each(Object.entries(mounts))(
    'is read in 1,000 of them by %s; in 16,384 it is 400, and nothing is done',
    async (_name, post) => {
      const few = await inChunks(1000, 2)
      expect(await post(store, few.chunks)).toMatchObject({ status: 200 })
      expect(await statusOf(few.id)).toBe('shipped')
      const many = await inChunks(16_384, 16)
      expect(await post(store, many.chunks)).toEqual({
        status: 400,
        body: JSON.stringify({ errors: [{ message: 'The body comes in too many pieces.' }] }),
      })
      expect(await statusOf(many.id)).toBe('processing')
    },
  )
})
