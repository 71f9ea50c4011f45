import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createAskApi, type ApiAnswer } from '../../../../src/marketing/klaviyo/ask-api.js'
import { createKlaviyo } from '../../../../src/marketing/klaviyo/klaviyo.js'
import { realEffects } from '../../../../src/core/effects.js'
import { noVisitors } from '../../../support/no-visitors.js'
import { apiKey } from './answering.js'

const request = { method: 'POST', path: '/api/events', body: { data: 1 } } as const

interface Sent {
  url: string
  init: RequestInit
}

function asking(answer: (sent: Sent) => Promise<Response> | Response, apiUrl = 'https://k.test') {
  const sent: Sent[] = []
  const askApi = createAskApi(apiUrl, {
    fetch: async (input, init = {}) => {
      const call = { url: new Request(input).url, init }
      sent.push(call)
      return answer(call)
    },
  })
  return { askApi, sent }
}

const never = new AbortController().signal
const errorOf = (answer: ApiAnswer) => ('error' in answer ? answer.error : undefined)

describe('A request to the API of Klaviyo', () => {
  it('carries the key, the revision and a JSON:API body, and follows no redirect', async () => {
    const answer = () => new Response(null, { status: 202 })
    const { askApi, sent } = asking(answer, 'https://k.test/base/')
    await askApi(request, { apiKey, signal: never })
    const [{ url, init } = { url: '', init: {} }] = sent
    expect(url).toBe('https://k.test/base/api/events')
    expect(init).toMatchObject({ method: 'POST', redirect: 'manual' })
    expect(await new Response(init.body).text()).toBe('{"data":1}')
    expect(init.headers).toMatchObject({
      authorization: `Klaviyo-API-Key ${apiKey}`,
      revision: '2026-07-15',
      'x-klaviyo-revision-fall-forward-opt-out': '1',
      'content-type': 'application/vnd.api+json',
    })
  })

  it.each(['', 'k.test', 'ftp://k.test', 'https://user@k.test', 'https://k.test?a=1'])(
    'refuses %o as the URL of the platform at start-up',
    (apiUrl) => {
      expect(() => createKlaviyo(apiUrl, { ...realEffects, visitors: noVisitors })).toThrow(
        TypeError,
      )
    },
  )

  it('ends by its signal, or before it begins, and sends nothing then', async () => {
    const controller = new AbortController()
    const hanging = asking(() => new Promise<Response>(() => undefined))
    const answer = hanging.askApi(request, { apiKey, signal: controller.signal })
    controller.abort()
    const { askApi, sent } = asking(() => new Response(null))
    const answers = [
      await answer,
      await askApi(request, { apiKey, signal: AbortSignal.abort() }),
      // Its signal does not know yet that its time is over.
      await askApi(request, { apiKey, signal: never, isOver: () => true }),
    ]
    expect(answers.map((each) => errorOf(each)?.code)).toEqual(['TIMEOUT', 'TIMEOUT', 'TIMEOUT'])
    expect(sent).toEqual([])
  })

  it('breaks off when its time is over once the connection is there, and never arrives whole', async () => {
    const arrived: string[] = []
    const server = createServer((asked, answer) => {
      asked.resume().on('end', () => {
        arrived.push(`${asked.method} ${asked.headers['content-length']}`)
        answer.end('{}')
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const askApi = createAskApi(`http://127.0.0.1:${port}`, realEffects)
    let isConnected = false
    const connect = () => (isConnected = true)
    subscribe('undici:client:connected', connect)
    onTestFinished(() => void unsubscribe('undici:client:connected', connect))
    const late = await askApi(request, { apiKey, signal: never, isOver: () => isConnected })
    expect(isConnected).toBe(true)
    expect(late).toMatchObject({ is: 'lost', error: { code: 'TIMEOUT' } })
    expect(await askApi(request, { apiKey, signal: never })).toMatchObject({ status: 200 })
    expect(arrived).toEqual(['POST 10'])
  })

  it('ends by its signal while a body hangs, and keeps the status that came', async () => {
    const controller = new AbortController()
    const pull = () => {
      controller.abort()
      return new Promise<void>(() => undefined)
    }
    const { askApi } = asking(
      () => new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), { status: 202 }),
    )
    expect(await askApi(request, { apiKey, signal: controller.signal })).toMatchObject({
      is: 'answered',
      status: 202,
      document: undefined,
    })
  })

  it('says of a network error no more than its code', async () => {
    const cause = Object.assign(new Error(`connect to host with ${apiKey}`), {
      code: 'ECONNREFUSED',
    })
    const { askApi } = asking(() => Promise.reject(new TypeError('fetch failed', { cause })))
    const answer = await askApi(request, { apiKey, signal: never })
    expect(errorOf(answer)).toEqual({
      code: 'NETWORK',
      detail: 'Klaviyo could not be reached (ECONNREFUSED).',
    })
  })

  it.each(['pk_a\nb', 'pk_ä', 'pk a', ''])(
    'does not send the unreadable key %o',
    async (badKey) => {
      const { askApi, sent } = asking(() => new Response(null))
      const answer = await askApi(request, { apiKey: badKey, signal: never })
      expect(answer).toMatchObject({ is: 'key-unreadable', error: { code: 'KEY_UNREADABLE' } })
      expect(sent).toEqual([])
    },
  )

  it('reads an answer of the allowed size, and stops reading a larger one', async () => {
    const document = JSON.stringify('x'.repeat(98))
    const { askApi } = asking(() => new Response(document))
    const read = (answerBytes: number) =>
      askApi({ ...request, answerBytes }, { apiKey, signal: never })
    expect(await read(100)).toMatchObject({ document: 'x'.repeat(98) })
    expect(await read(99)).toMatchObject({ status: 200, document: undefined })
  })

  it('sends a body of 5 MB, and not one byte more', async () => {
    const { askApi, sent } = asking(() => new Response(null))
    const ofBytes = (bytes: number) => ({ ...request, body: 'x'.repeat(bytes - 2) })
    expect(await askApi(ofBytes(5_000_000), { apiKey, signal: never })).toMatchObject({
      is: 'answered',
    })
    expect(await askApi(ofBytes(5_000_001), { apiKey, signal: never })).toMatchObject({
      is: 'too-large',
    })
    expect(sent).toHaveLength(1)
  })

  it('puts a character in the place of half a surrogate pair, in names and values', async () => {
    const { askApi, sent } = asking(() => new Response(null))
    const body = { 'na\ud83dme': ['ok 😀', 'half \udc00'] }
    await askApi({ ...request, body }, { apiKey, signal: never })
    expect(await new Response(sent[0]?.init.body).text()).toBe('{"na�me":["ok 😀","half �"]}')
  })
})
