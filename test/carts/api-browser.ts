import type { JoinField } from 'payload'
import { openStore, type TestStore } from '../support/store.js'
import type { DatabaseKind, StoreSetup } from '../support/store-config.js'
import { openVisitorBrowser, shopOrigin, type VisitorBrowser } from '../support/visitor-browser.js'

/** As the extension's documentation has stores add it. */
export const cartJoin: JoinField = {
  name: 'cart',
  type: 'join',
  collection: 'carts',
  on: 'customer',
}

/** A store whose customers have the join that `EcommerceProvider` reads. */
export const openApiStore = (
  kind: DatabaseKind,
  setup: Pick<StoreSetup, 'config' | 'payment' | 'userJoins'> = {},
): Promise<TestStore> => openStore(kind, { userJoins: [cartJoin], ...setup })

/** A visitor whose browser talks to Payload's own API too. */
export interface ApiBrowser extends VisitorBrowser {
  api(path: string, init?: RequestInit): Promise<Response>
  apiPost(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>
}

export function openApiBrowser(store: Pick<TestStore, 'handle' | 'api'>): ApiBrowser {
  const browser = openVisitorBrowser(store.handle)

  async function api(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    const cookies = [...browser.cookies].map(([name, value]) => `${name}=${value}`)
    if (cookies.length > 0) headers.set('cookie', cookies.join('; '))
    if (!headers.has('sec-fetch-site')) headers.set('sec-fetch-site', 'same-origin')
    const response = await store.api(new Request(`${shopOrigin}/api${path}`, { ...init, headers }))
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      browser.cookies.set(name, value)
    }
    return response
  }

  return {
    ...browser,
    api,
    apiPost: (path, body, headers = {}) =>
      api(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', origin: shopOrigin, ...headers },
      }),
  }
}
