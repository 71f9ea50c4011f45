import { realEffects } from '../../src/effects.js'
import type { Handle } from '../../src/http/front-door.js'
import { createCsrfTokens } from '../../src/http/csrf.js'
import { createSessions, type SessionData } from '../../src/http/session.js'

export const shopOrigin = 'https://shop.example'

/** As in `storeConfig`. */
const secret = 'a-secret-of-the-test-store'

const sessions = createSessions({ secret, effects: realEffects })
const csrf = createCsrfTokens({ secret, effects: realEffects })

interface PostOptions {
  /** Asks for JSON, as a script of the page would. */
  ajax?: boolean
  /** Replaces the right token; null sends none. */
  token?: string | null
  headers?: Record<string, string>
  address?: string
}

/** A visitor with a browser: it keeps cookies, and posts forms as a page of the shop would. */
export interface VisitorBrowser {
  post(path: string, parameters?: Record<string, string>, options?: PostOptions): Promise<Response>
  get(path: string): Promise<Response>
  /** What the visitor's session holds by now. */
  session(): Promise<Readonly<SessionData>>
  /** Changes it, as another endpoint would. */
  changeSession(changes: Partial<SessionData>): Promise<void>
  cookies: Map<string, string>
  /** Where the visitor is: each post says so. */
  origin: string
  /** A browser with the same cookies; what it gets from now on is its own. */
  copy(): VisitorBrowser
}

export function openVisitorBrowser(
  handle: Handle,
  {
    cookies = new Map(),
    origin = shopOrigin,
  }: Partial<Pick<VisitorBrowser, 'cookies' | 'origin'>> = {},
): VisitorBrowser {
  const requestOf = (path: string, init: RequestInit = {}) => {
    const request = new Request(`${origin}${path}`, init)
    const text = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    if (text !== '') request.headers.set('cookie', text)
    if (!request.headers.has('sec-fetch-site')) request.headers.set('sec-fetch-site', 'same-origin')
    return request
  }
  const keep = (setCookies: readonly string[]) => {
    for (const setCookie of setCookies) {
      const [pair = '', ...attributes] = setCookie.split(';')
      const name = pair.slice(0, pair.indexOf('='))
      const expires = attributes.find((text) => /^\s*expires=/i.test(text))?.split('=')[1]
      if (expires !== undefined && new Date(expires) <= new Date()) cookies.delete(name)
      else cookies.set(name, pair.slice(name.length + 1))
    }
  }
  const send = async (request: Request, address?: string) => {
    const response = await handle(request, { address })
    keep(response.headers.getSetCookie())
    return response
  }
  const open = () => sessions.open(requestOf('/'))

  /** A page view gives each visitor a session, before any form. */
  async function token(): Promise<string> {
    const session = await open()
    session.keep()
    const cookie = await session.cookie()
    if (cookie !== undefined) keep([cookie])
    return csrf.issue(session.data.id)
  }

  return {
    cookies,
    origin,
    get: (path) => send(requestOf(path)),
    async post(path, parameters = {}, { ajax = false, headers = {}, address, ...options } = {}) {
      const given = options.token === undefined ? await token() : options.token
      const body = new URLSearchParams(parameters)
      if (given !== null) body.set('CSRF_TOKEN', given)
      const accept = ajax ? 'application/json' : 'text/html'
      const init = { method: 'POST', body, headers: { accept, origin, ...headers } }
      return send(requestOf(path, init), address)
    },
    session: async () => (await open()).data,
    async changeSession(changes) {
      const session = await open()
      session.change(changes)
      const cookie = await session.cookie()
      if (cookie !== undefined) keep([cookie])
    },
    copy: () => openVisitorBrowser(handle, { cookies: new Map(cookies), origin }),
  }
}
