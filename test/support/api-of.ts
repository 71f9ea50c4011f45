import type { TestStore } from './store.js'

export type Role = 'admin' | 'customer' | 'editor'

export interface ApiCall {
  /** Who asks; nobody without. The user is made when it is first needed. */
  as?: Role | undefined
  /** Default: POST with a body, else GET. */
  method?: string
  body?: object | undefined
  headers?: Record<string, string>
}

/** Payload's own API, as the users of a store and strangers ask it. Paths begin below `/api`. */
export function apiOf(store: Pick<TestStore, 'api' | 'payload'>, collection = 'users') {
  const tokens = new Map<Role, Promise<string>>()

  async function logIn(role: Role): Promise<string> {
    const { payload } = store
    const data = { email: `${role}@example.com`, password: 'a-password', roles: [role] }
    const where = { email: { equals: data.email } }
    const { totalDocs } = await payload.count({ collection, where })
    if (totalDocs === 0)
      await payload.create({
        collection,
        data: { ...data, _verified: true },
        disableVerificationEmail: true,
      })
    return String((await payload.login({ collection, data })).token)
  }

  return async (
    path: string,
    { as, body, method = body ? 'POST' : 'GET', headers }: ApiCall = {},
  ): Promise<Response> => {
    const sent = new Headers({ 'content-type': 'application/json', ...headers })
    if (as !== undefined) {
      const token = tokens.get(as) ?? logIn(as)
      tokens.set(as, token)
      sent.set('authorization', `JWT ${await token}`)
    }
    const init = { method, headers: sent, ...(body && { body: JSON.stringify(body) }) }
    return store.api(new Request(`https://shop.example/api${path}`, init))
  }
}

export type Api = ReturnType<typeof apiOf>
