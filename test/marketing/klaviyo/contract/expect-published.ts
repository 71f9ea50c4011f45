import { expect } from 'vitest'
import type { ReceivedCall } from '../../../unit/marketing/klaviyo/answering.js'
import { published, publishedNames, type DocumentName } from './documents.js'

/** Everything about the request that a document speaks of. */
export function expectPublished(name: DocumentName, call: ReceivedCall): void {
  const { revision, method, pattern, body, query, operatorsOf } = published(name)
  expect(call.method).toBe(method)
  expect(call.url.pathname).toMatch(pattern)
  expect(call.headers.get('revision')).toBe(revision)
  expect(body?.(call.body) === false ? body.errors : []).toEqual([])
  for (const [parameter, text] of call.url.searchParams) {
    const problemsOf = query.get(parameter)
    expect(problemsOf, `${parameter} is documented`).toBeDefined()
    expect(problemsOf?.(text), parameter).toEqual([])
  }
  const filter = call.url.searchParams.get('filter')
  if (filter === null) return
  const [, operator, field = ''] = /^([a-z-]+)\(([a-z_.]+),/.exec(filter) ?? []
  expect(operatorsOf(field), filter).toContain(operator)
}

/** The document that a call is described in. */
export function documentNameOf({ method, url }: ReceivedCall): DocumentName {
  const name = publishedNames().find(
    (each) => published(each).method === method && published(each).pattern.test(url.pathname),
  )
  if (name === undefined) throw new Error(`No document describes ${method} ${url.pathname}.`)
  return name
}
