import { restorePath } from '../../../src/carts/restore-link.js'
import type { SessionData } from '../../../src/http/session.js'
import { partsOf } from '../../../src/installation.js'
import type { TestStore } from '../../support/store.js'

/** The cookies that a browser has, by the origins that they are of. */
export type Cookies = ReadonlyMap<string, ReadonlyMap<string, string>>

/** A browser that goes from one site to another, and shows each of them its own cookies alone. */
export interface TravellingBrowser {
  /** Opens a link of a mail, and goes on as long as it is sent to the same link of another site. */
  open(url: string): Promise<{ url: string; response: Response }>
  /** What the session on that origin holds; undefined when there is none. */
  session(origin: string): Promise<Readonly<SessionData> | undefined>
  /** The sessions of all origins that have one. */
  sessions(): Promise<Record<string, Readonly<SessionData>>>
  /** The account that is logged in on that origin. */
  account(origin: string): Promise<unknown>
}

/** As a browser says it of a link that a page of a web mailer has. */
const followed = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}

/** More than any link needs; in a circle, a browser gives up too. */
const redirectLimit = 5

export function openTravellingBrowser(
  { handle, payload }: Pick<TestStore, 'handle' | 'payload'>,
  cookies: Cookies = new Map(),
): TravellingBrowser {
  const jars = new Map([...cookies].map(([origin, jar]) => [origin, new Map(jar)]))
  const jarOf = (origin: string) => jars.get(origin) ?? new Map<string, string>()
  const headersFor = (origin: string) =>
    new Headers({
      cookie: [...jarOf(origin)].map(([name, value]) => `${name}=${value}`).join('; '),
    })

  async function get(url: string): Promise<Response> {
    const { origin } = new URL(url)
    const headers = new Headers([...headersFor(origin), ...Object.entries(followed)])
    const response = await handle(new Request(url, { headers }))
    const jar = jarOf(origin)
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      jars.set(origin, jar.set(name, value))
    }
    return response
  }

  async function session(origin: string) {
    const { sessions } = partsOf(payload)
    const opened = await sessions.open({ url: `${origin}/`, headers: headersFor(origin) })
    // A visitor without a session is given another one each time.
    const again = await sessions.open({ url: `${origin}/`, headers: headersFor(origin) })
    return opened.data.id === again.data.id ? opened.data : undefined
  }

  return {
    async open(link) {
      let url = link
      for (let redirects = 0; redirects <= redirectLimit; redirects += 1) {
        const response = await get(url)
        const target = new URL(response.headers.get('location') ?? 'about:blank', url)
        if (!target.pathname.endsWith(restorePath)) return { url, response }
        url = target.href
      }
      throw new Error('The link sends its visitor around in circles.')
    },
    session,
    async sessions() {
      const entries = [...jars.keys()].map(
        async (origin) => [origin, await session(origin)] as const,
      )
      const there = (await Promise.all(entries)).flatMap(([origin, data]) =>
        data === undefined ? [] : [[origin, data] as const],
      )
      return Object.fromEntries(there)
    },
    async account(origin) {
      const { user } = await payload.auth({
        headers: new Headers([...headersFor(origin), ['sec-fetch-site', 'same-origin']]),
      })
      return user?.id
    },
  }
}
