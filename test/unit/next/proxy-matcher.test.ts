import { readFile } from 'node:fs/promises'
import { unstable_doesMiddlewareMatch } from 'next/experimental/testing/server.js'
import { describe, expect, it } from 'vitest'

const places = ['README.md', 'dev/proxy.ts', 'src/next/proxy.ts']

describe.each(places)('The matcher of the proxy in %s', (place) => {
  const isMatched = async (path: string) => {
    const [, text] = /matcher: \['(.+)'\]/.exec(await readFile(place, 'utf8')) ?? []
    if (text === undefined) throw new Error('There is no matcher.')
    // As a JavaScript string literal has it.
    const matcher = [text.replaceAll('\\\\', '\\')]
    return unstable_doesMiddlewareMatch({ config: { matcher }, url: `https://shop.example${path}` })
  }

  it.each([
    '/',
    '/tea',
    '/tea/green?x=1.5',
    '/apiary-honey',
    '/administration',
    '/actions-and-toys',
    '/_nextdoor',
    '/de/tea',
    '/tea/api',
  ])('gives a session to %s', async (path) => {
    expect(await isMatched(path)).toBe(true)
  })

  it.each([
    '/api',
    '/api/orders',
    '/admin',
    '/admin/collections/orders',
    '/actions/users/login',
    '/_next/static/chunks/1',
    '/logo.svg',
    '/pictures/tea.jpg',
  ])('leaves %s alone', async (path) => {
    expect(await isMatched(path)).toBe(false)
  })
})
