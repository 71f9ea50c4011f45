import { realEffects } from '../../src/effects.js'
import type { FormParts } from '../../src/http/form-action.js'
import {
  createFrontDoor,
  webHandle,
  type FrontDoorParts,
  type Handle,
} from '../../src/http/front-door.js'
import { createSessionInfo } from '../../src/accounts/session-info-action.js'
import type { Action } from '../../src/http/visit.js'
import { createCsrfTokens } from '../../src/http/csrf.js'
import { createOwnOrigins } from '../../src/http/same-site.js'
import { createSessions } from '../../src/http/session.js'
import { createSignedRedirects } from '../../src/http/redirect-target.js'
import { resolveOptions, type StoreConnectOptions } from '../../src/options.js'

export const shop = 'https://shop.example'
const secret = 'a secret of the store'

const clock = { now: new Date('2026-03-10T12:00:00Z') }
const effects = { ...realEffects, now: () => clock.now }

export interface LoggedLine {
  level: 'info' | 'warn' | 'error'
  fields: Record<string, unknown>
  sentence: string
}

/** A front door without a store behind it. */
export interface TestDoor {
  handle: Handle
  lines: LoggedLine[]
  sign: (target: string) => string
  /** The time that the door's clock shows; it stands still. */
  clock: { now: Date }
  /** A visitor with cookies of their own. */
  aBrowser: () => TestBrowser
}

/** What every form action of a test is built with. */
export const formParts: FormParts = {
  csrf: createCsrfTokens({ secret, effects }),
  redirects: createSignedRedirects({ secret }),
  isOwnOrigin: createOwnOrigins(['https://www.shop.example']),
}

export function openDoor({
  actions = {},
  visitorOf = () => Promise.resolve(undefined),
  trustProxy,
}: Partial<Pick<FrontDoorParts, 'visitorOf'>> &
  Pick<StoreConnectOptions, 'trustProxy'> & { actions?: Record<string, Action> } = {}): TestDoor {
  const lines: LoggedLine[] = []
  const writer =
    (level: LoggedLine['level']) => (fields: Record<string, unknown>, sentence: string) =>
      void lines.push({ level, fields, sentence })
  clock.now = new Date('2026-03-10T12:00:00Z')
  const isAdminAccount = () => Promise.resolve(false)
  const door = createFrontDoor({
    actions: {
      'users/session-info': createSessionInfo({ ...formParts, isAdminAccount }),
      ...actions,
    },
    log: { info: writer('info'), warn: writer('warn'), error: writer('error') },
    sessions: createSessions({ secret, effects }),
    effects,
    visitorOf,
    trustProxy: resolveOptions(trustProxy ? { trustProxy } : {}).trustProxy,
  })
  const handle = webHandle(door)
  return {
    handle,
    lines,
    clock,
    sign: (target) => formParts.redirects.sign(target),
    aBrowser: () => new TestBrowser(handle),
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

  constructor(private readonly handle: Handle) {}

  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    const cookies = [...this.cookies].map(([name, value]) => `${name}=${value}`)
    if (cookies.length > 0) headers.set('cookie', cookies.join('; '))
    const response = await this.handle(new Request(shop + path, { ...init, headers }))
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
