import type { StoreAction } from '../../src/http/store-action.js'
import { partsOf } from '../../src/installation.js'
import { captureLog } from './captured-log.js'
import { anyKind, openStore, type TestStore } from './store.js'
import type { StoreSetup } from './store-config.js'

export const shop = 'https://shop.example'

/** A store with actions of its own, and the browsers of its visitors. */
export type TestDoor = Awaited<ReturnType<typeof openDoor>>

/** The clock of the store stands still until the test sets it. */
export async function openDoor({
  actions = [],
  options = {},
  config = {},
  ...setup
}: { actions?: readonly StoreAction[] } & Partial<StoreSetup> = {}) {
  const log = captureLog()
  const clock = { now: new Date('2026-03-10T12:00:00Z') }
  const store = await openStore(anyKind, {
    ...setup,
    options: { ...options, actions },
    config: { serverURL: 'https://www.shop.example', ...log.config, ...config },
    effects: { now: () => clock.now },
  })
  return {
    ...store,
    log,
    clock,
    /** A redirect as a form of the store has it. */
    sign: (target: string) => partsOf(store.payload).forms.redirects.sign(target),
    /** A visitor with cookies of their own. */
    aBrowser: () => new TestBrowser(store),
  }
}

export interface PostOptions {
  headers?: Record<string, string>
  /** Instead of the token of the browser's own session; null: none at all. */
  token?: string | null
}

/** Keeps cookies, and posts forms with the token of its session. */
export class TestBrowser {
  readonly cookies = new Map<string, string>()

  constructor(private readonly store: Pick<TestStore, 'handle'>) {}

  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    const cookies = [...this.cookies].map(([name, value]) => `${name}=${value}`)
    if (cookies.length > 0) headers.set('cookie', cookies.join('; '))
    if (!headers.has('origin') && !headers.has('sec-fetch-site')) {
      headers.set('sec-fetch-site', 'same-origin')
    }
    const response = await this.store.handle(new Request(shop + path, { ...init, headers }))
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      this.cookies.set(name, value)
    }
    return response
  }

  /** What a static page asks for before it posts. */
  async sessionInfo(query = ''): Promise<Record<string, unknown>> {
    const response = await this.send(`/actions/users/session-info${query}`)
    return (await response.json()) as Record<string, unknown>
  }

  async token(query = ''): Promise<string> {
    return String((await this.sessionInfo(query)).csrfTokenValue)
  }

  /** Posts an urlencoded form, as a page without JavaScript does. */
  async post(
    path: string,
    fields: Record<string, string> = {},
    { headers = {}, token }: PostOptions = {},
  ): Promise<Response> {
    const sent = token === undefined ? await this.token() : token
    const body = new URLSearchParams(fields)
    if (sent !== null) body.set('CSRF_TOKEN', sent)
    return this.send(`/actions/${path}`, { method: 'POST', body, headers })
  }
}

/** Headers of a request that a script makes. */
export const ajax = { 'x-requested-with': 'XMLHttpRequest' }
