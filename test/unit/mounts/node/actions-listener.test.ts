import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BasePayload } from 'payload'
import { describe, expect, it, vi } from 'vitest'
import type { Parts } from '../../../../src/core/installation.js'
import { withInstallation } from '../../../../src/core/installation.js'
import { actionsListener } from '../../../../src/mounts/node/index.js'

const asked = vi.fn<(path: string) => void>()

/** A listener of a store with a site at `/de` and one at `/de/at`, and what it says of a path. */
function listenerOf(hasPath: (path: string) => Promise<boolean>) {
  const logged: unknown[] = []
  const handle = (request: Request) => Promise.resolve(new Response(request.url))
  const parts = { handle, sites: { hasPath } } as unknown as Parts
  const payload = {
    db: { packageName: '@payloadcms/db-sqlite' },
    config: {
      custom: withInstallation(
        {},
        {
          products: { shipping: true, marketing: true },
          partsFor: () => Promise.resolve(parts),
          builtPartsFor: () => parts,
          loadedPartsFor: () => parts,
          start: () => Promise.resolve(),
        },
      ),
    },
    logger: { error: (line: unknown) => logged.push(line) },
  } as unknown as BasePayload
  const answer = actionsListener(payload, { origin: 'https://shop.example' })
  const ask = async (url: string | undefined) => {
    let body: string | undefined
    const incoming = { url, method: 'GET', headers: {}, rawHeaders: [], socket: {}, resume() {} }
    const outgoing = { req: incoming, setHeader() {}, end: (text: Buffer) => (body = String(text)) }
    const isAnswered = await answer(
      incoming as unknown as IncomingMessage,
      outgoing as unknown as ServerResponse,
    )
    expect(body !== undefined).toBe(isAnswered)
    return isAnswered
  }
  return { ask, logged }
}

const { ask } = listenerOf((path) => {
  asked(path)
  return Promise.resolve(['/de', '/de/at', ''].includes(path))
})

describe('actionsListener() of a store with sites below paths', () => {
  it('answers below the paths of its sites, and leaves others to the page framework', async () => {
    const restore = '/de/at/actions/marketingconnect/cart/restore?number=1'
    const answered = ['/actions/users/login', '/de/actions/x/actions/y', '/de/actions/', restore]
    for (const path of answered) expect(await ask(path), path).toBe(true)
    const login = '/actions/users/login'
    const before = [
      '/en',
      '/demo',
      '/de/tee',
      '/de/',
      '/DE',
      '/de?',
      '/?back=',
      '/de?back=/de',
      '/',
    ]
    const whole = ['/deactions/users/login', `https://shop.example/de${login}`, undefined]
    for (const path of [...before.map((start) => start + login), ...whole]) {
      expect(await ask(path), path).toBe(false)
    }
  })

  it('looks for sites only where a path has actions in it and something before them', async () => {
    asked.mockClear()
    for (const path of ['/', '/de', '/de/tee?x=1', '/de/actions', '/actions/users/login']) {
      await ask(path)
    }
    expect(asked).not.toHaveBeenCalled()
  })

  it('leaves the path to the page framework while the sites cannot be read, and says so', async () => {
    const broken = listenerOf(() => Promise.reject(new Error('No database')))
    expect(await broken.ask('/de/actions/users/login')).toBe(false)
    expect(broken.logged).toEqual([{ err: new Error('No database') }])
    expect(await broken.ask('/actions/users/login')).toBe(true)
  })
})
