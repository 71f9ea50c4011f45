import { expect } from 'vitest'
import { routesOf, calls, type CallName } from '../../../../dev/klaviyo/calls.ts'
import { MEDIA_TYPE, published } from '../../../../dev/klaviyo/published.ts'
import type { ReceivedCall } from '../../../unit/marketing/klaviyo/answering.js'

/** Everything about the request that a document speaks of. */
export function expectPublished(name: CallName, call: ReceivedCall): void {
  const { revision, method, path, body, query, operatorsOf } = published(name)
  expect(call.method).toBe(method)
  expect(call.url.pathname).toMatch(new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`))
  expect(call.headers.get('revision')).toBe(revision)
  expect(body?.(call.body) ?? []).toEqual([])
  for (const [parameter, text] of call.url.searchParams) {
    const problemsOf = query(parameter)
    expect(problemsOf, `${parameter} is documented`).toBeDefined()
    expect(problemsOf?.(text), parameter).toEqual([])
  }
  const filter = call.url.searchParams.get('filter')
  if (filter === null) return
  const [, operator, field = ''] = /^([a-z-]+)\(([a-z_.]+),/.exec(filter) ?? []
  expect(operatorsOf(field), filter).toContain(operator)
}

/** Which call a request makes. */
export function callNameOf({ method, url }: ReceivedCall): CallName {
  const route = routesOf(url.pathname).find(({ name }) => calls[name].method === method)
  if (route === undefined) throw new Error(`No document describes ${method} ${url.pathname}.`)
  return route.name
}

/** What is wrong with an answer, by the document's own schema for its status. */
export function answerProblems(name: CallName, status: number, body: unknown): unknown {
  const { operation, components, path, method, checkAnswerBy } = published(name)
  const key = [String(status), `${Math.floor(status / 100)}XX`].find(
    (each) => operation.responses[each],
  )
  const given = operation.responses[key ?? '']
  if (key === undefined || given === undefined) return `The status ${status} is not in the document`
  const shared = given.$ref?.split('/').at(-1)
  const { content } = (shared === undefined ? given : components.responses[shared]) ?? {}
  if (content?.[MEDIA_TYPE] === undefined) {
    return body === undefined ? [] : 'The document knows no body for this answer'
  }
  const place =
    shared === undefined
      ? ['paths', path, method.toLowerCase(), 'responses', key]
      : ['components', 'responses', shared]
  return checkAnswerBy(...place, 'content', MEDIA_TYPE, 'schema')(body)
}
