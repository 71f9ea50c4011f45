import { sessionCookieName, type SessionData } from '../../src/core/http/session.js'
import { partsOf } from './parts.js'
import type { TestStore } from './store.js'

export const shopOrigin = 'https://shop.example'

/** A redirect as a form of the store has it. */
export const signed = ({ payload }: Pick<TestStore, 'payload'>, target: string): string =>
  partsOf(payload).forms.redirects.sign(target)

export interface PostOptions {
  /** Asks for JSON, as a script of the page does. */
  ajax?: boolean
  headers?: Record<string, string>
  /** Instead of the token of the browser's own session; null: none at all. */
  token?: string | null
  /** Where the visitor is. */
  address?: string
}

/** A store of another process has its door alone. */
type Door = Pick<TestStore, 'handle'> & Partial<Pick<TestStore, 'api' | 'payload'>>

type Cookies = Map<string, string>

/** A visitor's browser: it keeps the cookies of each origin, and posts forms with the token of its session. */
export class TestBrowser {
  constructor(
    private readonly door: Door,
    /** Where the visitor is: each path is one of this origin. */
    readonly origin = shopOrigin,
    private readonly jars = new Map<string, Cookies>(),
  ) {}

  /** Those of the visitor's origin. */
  get cookies(): Cookies {
    return this.jarOf(this.origin)
  }

  /** The header of a request. */
  get cookie(): string {
    return this.cookieFor(this.origin)
  }

  /** `path` may be a URL of another origin. */
  async send(path: string, init: RequestInit = {}, address?: string): Promise<Response> {
    const request = this.requestOf(path, init)
    return this.keep(request, await this.door.handle(request, { address }))
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.send(path, { headers })
  }

  /** Posts an urlencoded form to an action of this name, or at a path, as a page without JavaScript does. */
  async post(
    action: string,
    fields: Record<string, string> = {},
    { ajax = false, headers = {}, token, address }: PostOptions = {},
  ): Promise<Response> {
    const sent = token === undefined ? await this.token() : token
    const body = new URLSearchParams(fields)
    if (sent !== null) body.set('CSRF_TOKEN', sent)
    const accept = ajax ? 'application/json' : 'text/html'
    const path = action.startsWith('/') ? action : `/actions/${action}`
    return this.send(path, { method: 'POST', body, headers: { accept, ...headers } }, address)
  }

  /** What a script of a page posts to track an event. */
  track(fields: Record<string, string>, options: PostOptions = {}): Promise<Response> {
    return this.post('marketingconnect/api/track', fields, { ajax: true, ...options })
  }

  /** A request to Payload's own API. */
  async api(path: string, init: RequestInit = {}): Promise<Response> {
    if (this.door.api === undefined) throw new Error('This store has no API here.')
    const request = this.requestOf(`/api${path}`, init)
    return this.keep(request, await this.door.api(request))
  }

  apiPost(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.api(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
  }

  /** What a static page asks for before it posts. */
  async sessionInfo(query = ''): Promise<Record<string, unknown>> {
    const response = await this.get(`/actions/users/session-info${query}`)
    return (await response.json()) as Record<string, unknown>
  }

  async token(query = ''): Promise<string> {
    return String((await this.sessionInfo(query)).csrfTokenValue)
  }

  /** What the visitor's session holds. */
  async session(): Promise<Readonly<SessionData>> {
    return (await this.openSession()).data
  }

  /** Those of all origins that gave the visitor one. */
  async sessions(): Promise<Record<string, Readonly<SessionData>>> {
    const origins = [...this.jars].filter(([, cookies]) => cookies.has(sessionCookieName(true)))
    const entries = origins.map(
      async ([origin]) => [origin, (await this.openSession(origin)).data] as const,
    )
    return Object.fromEntries(await Promise.all(entries))
  }

  /** Changes it, as something else of the store would. */
  async changeSession(changes: Partial<SessionData>): Promise<void> {
    const session = await this.openSession()
    session.change(changes)
    this.keepCookies(this.origin, [(await session.cookie()) ?? ''])
  }

  /** A browser with the same cookies; what it gets from now on is its own. `door`: of another process. */
  copy(door = this.door): TestBrowser {
    const jars = [...this.jars].map(([origin, cookies]) => [origin, new Map(cookies)] as const)
    return new TestBrowser(door, this.origin, new Map(jars))
  }

  private jarOf(origin: string): Cookies {
    const jar = this.jars.get(origin) ?? new Map<string, string>()
    this.jars.set(origin, jar)
    return jar
  }

  private cookieFor(origin: string): string {
    return [...this.jarOf(origin)].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  private requestOf(path: string, init: RequestInit): Request {
    const request = new Request(/^https?:/.test(path) ? path : this.origin + path, init)
    const { headers } = request
    const cookie = this.cookieFor(new URL(request.url).origin)
    if (cookie !== '') headers.set('cookie', cookie)
    if (headers.has('origin') || headers.has('sec-fetch-site')) return request
    headers.set('sec-fetch-site', 'same-origin')
    if (request.method === 'POST') headers.set('origin', this.origin)
    return request
  }

  private keep({ url }: Request, response: Response): Response {
    this.keepCookies(new URL(url).origin, response.headers.getSetCookie())
    return response
  }

  private keepCookies(origin: string, setCookies: readonly string[]): void {
    const jar = this.jarOf(origin)
    for (const cookie of setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      const expires = /; *expires=([^;]*)/i.exec(cookie)?.[1]
      if (expires !== undefined && new Date(expires) <= new Date()) jar.delete(name)
      else if (name !== '') jar.set(name, value)
    }
  }

  private openSession(origin = this.origin) {
    if (this.door.payload === undefined) throw new Error('This store is in another process.')
    const headers = new Headers({ cookie: this.cookieFor(origin) })
    return partsOf(this.door.payload).sessions.open({ url: `${origin}/`, headers })
  }
}
