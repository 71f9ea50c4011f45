import { noVisitors } from '../../../support/no-visitors.js'
import { createKlaviyo } from '../../../../src/marketing/klaviyo/klaviyo.js'
import type { CallOptions } from '../../../../src/marketing/klaviyo/call-answer.js'
import type { Klaviyo } from '../../../../src/marketing/klaviyo/klaviyo.js'
import { testTime } from '../../../marketing/klaviyo/messages.js'

export const apiKey = 'pk_test_0123456789abcdef'

export interface ReceivedCall {
  method: string
  url: URL
  headers: Headers
  body: unknown
}

/** What the platform answers; thrown when it is an error. */
export type Answer = Response | Error | ((asked: ReceivedCall) => Response | Promise<Response>)

/** Klaviyo behind a network that answers as the test says, and fails a call too many. */
export function answering(...answers: Answer[]): {
  klaviyo: Klaviyo
  asked: ReceivedCall[]
  options: CallOptions
} {
  const asked: ReceivedCall[] = []
  const waiting = [...answers]
  const fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const text = await request.text()
    const call: ReceivedCall = {
      method: request.method,
      url: new URL(request.url),
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
    asked.push(call)
    const answer = waiting.shift()
    if (answer === undefined) throw new Error('A call that nobody expected.')
    if (answer instanceof Error) throw answer
    return answer instanceof Response ? answer : answer(call)
  }
  const klaviyo = createKlaviyo('https://klaviyo.test', {
    fetch,
    now: () => testTime,
    visitors: noVisitors,
  })
  return { klaviyo, asked, options: { apiKey, signal: new AbortController().signal } }
}

export const accepted = (headers: HeadersInit = {}) => new Response(null, { status: 202, headers })

export const json = (status: number, document: unknown, headers: HeadersInit = {}) =>
  new Response(JSON.stringify(document), {
    status,
    headers: {
      'content-type': 'application/vnd.api+json',
      ...Object.fromEntries(new Headers(headers)),
    },
  })

/** An error document with an error for each pointer. */
export const problem = (status: number, ...pointers: (string | undefined)[]) =>
  json(status, {
    errors: pointers.map((pointer, index) => ({
      id: `error-${index}`,
      status,
      code: 'invalid',
      title: 'Invalid input.',
      detail: `Number ${index} is invalid.`,
      source: pointer === undefined ? {} : { pointer },
      links: {},
      meta: {},
    })),
  })
