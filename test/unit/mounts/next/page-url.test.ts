import { describe, expect, it } from 'vitest'
import { realEffects } from '../../../../src/core/effects.js'
import { createSessions } from '../../../../src/core/http/sessions.js'
import { pageUrlOf } from '../../../../src/mounts/next/page-headers.js'
import { beginPageView } from '../../../../src/mounts/next/visitor-session.js'

const sessions = createSessions({ secret: 'a-secret-of-the-test-store', effects: realEffects })

const pageUrlFor = async (url: string, headers: Record<string, string> = {}) => {
  const visit = await beginPageView(sessions, new Request(url, { headers }))
  return pageUrlOf(visit.headers)
}

describe("A page's own URL", () => {
  it('is handed over by the proxy, with the host that the browser asked and without the query', async () => {
    const headers = { host: 'shop.example', 'x-forwarded-proto': 'https' }
    const url = await pageUrlFor('http://127.0.0.1:3000/de/tee?number=abc#x', headers)
    expect(url).toBe('https://shop.example/de/tee')
  })

  it.each([{ 'sec-fetch-dest': 'document' }, { 'sec-fetch-dest': 'empty' }, {}])(
    'is never what a client says it is, with %j',
    async (kind) => {
      const headers = { ...kind, 'x-storeconnect-page': 'https://wholesale.example/' }
      expect(await pageUrlFor('https://shop.example/tea', headers)).toBe('https://shop.example/tea')
    },
  )

  it.each([
    [{ host: 'shop.example' }, 'http://shop.example/'],
    [{ host: 'shop.example', 'x-forwarded-proto': 'https' }, 'https://shop.example/'],
    [{ host: 'a b' }, 'http://localhost/'],
    [{ host: 'shop.example', 'x-storeconnect-page': 'junk' }, 'http://shop.example/'],
    [{}, 'http://localhost/'],
  ])('is the host alone where no proxy runs: %j', (headers, expected) => {
    expect(pageUrlOf(new Headers(headers))).toBe(expected)
  })
})
