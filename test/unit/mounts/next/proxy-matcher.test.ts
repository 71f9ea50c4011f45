import { readFile } from 'node:fs/promises'
import { unstable_doesMiddlewareMatch } from 'next/experimental/testing/server.js'
import { describe, expect, it } from 'vitest'

const places = ['docs/start.md', 'dev/proxy.ts', 'src/mounts/next/proxy.ts']

describe.each(places)('The matcher of the proxy in %s', (place) => {
  const isMatched = async (path: string) => {
    const [, text] = /matcher: \['(.+)'\]/.exec(await readFile(place, 'utf8')) ?? []
    if (text === undefined) throw new Error('There is no matcher.')
    // As a JavaScript string literal has it.
    const matcher = [text.replaceAll('\\\\', '\\')]
    return unstable_doesMiddlewareMatch({ config: { matcher }, url: `https://shop.example${path}` })
  }

  it('gives a session to pages, and leaves the API, the admin, actions and files alone', async () => {
    const pages = [
      '/',
      '/tea/green?x=1.5',
      '/apiary-honey',
      '/administration',
      '/de/tea',
      '/tea/api',
    ]
    for (const page of [...pages, '/actions-and-toys', '/_nextdoor']) {
      expect(await isMatched(page), page).toBe(true)
    }
    const others = ['/api', '/api/orders', '/admin', '/admin/collections/orders', '/logo.svg']
    for (const other of [...others, '/actions/users/login', '/_next/static/chunks/1']) {
      expect(await isMatched(other), other).toBe(false)
    }
  })
})
