import { createLocalReq, loginOperation, logoutOperation, type Collection } from 'payload'
import { generateExpiredPayloadCookie, generatePayloadCookie } from 'payload/shared'
import type { UserDocument } from '../../core/http/visit.js'
import { leftOutWork } from './password-work.js'
import { authenticate } from './visitors.js'
import type { Addressed } from '../../core/http/public-origin.js'
import type { Shop } from '../../core/shop.js'
import type { Visitor } from '../../core/http/visit.js'

/** The accounts of the shop's customers. */
export interface Users {
  /**
   * Returns who is logged in, and the `Set-Cookie` header of the login. Undefined for every refusal,
   * whatever the reason, so that nobody learns which accounts there are.
   */
  logIn(
    attempt: { name: string; password: string },
    headers: Headers,
  ): Promise<{ visitor: Visitor; cookie: string } | undefined>
  /** Ends the request's login, if it has one, and returns the `Set-Cookie` header that removes it. */
  logOut(request: Addressed): Promise<{ cookie: string; wasLoggedIn: boolean }>
}

/**
 * Logs customers in and out by Payload's own operations.
 *
 * @throws {TypeError} when the collection has no accounts.
 */
export function createUsers(shop: Shop, customersSlug: string): Users {
  const { payload, log } = shop
  const customers = payload.collections[customersSlug]
  if (!customers?.config.auth) {
    throw new TypeError(`storeConnect(): the collection "${customersSlug}" has no accounts (auth).`)
  }
  const { cookiePrefix } = payload.config

  return {
    async logIn({ name, password }, headers) {
      const req = await createLocalReq({ req: { headers } }, payload)
      // Payload reads the email or the user name, as the collection is configured.
      const data = { email: name, username: name, password }
      const doLeftOutWork = await leftOutWork(shop, { customers, name, password })
      try {
        const { token, user } = await loginOperation({
          collection: customers,
          data,
          depth: 0,
          overrideAccess: true,
          req,
        })
        if (token === undefined) return undefined
        const collectionAuthConfig = customers.config.auth
        const cookie = generatePayloadCookie({ collectionAuthConfig, cookiePrefix, token })
        const document = user as UserDocument
        const { id, collection } = document
        return { cookie, visitor: { id, collection, document } }
      } catch (error) {
        if (!isRefusal(error)) throw error
        await doLeftOutWork()
        log.info({ reason: error.name }, 'Login refused')
        return undefined
      }
    },

    async logOut(request) {
      const { user, req } = await authenticate(payload, request)
      const collection: Collection = payload.collections[user?.collection ?? ''] ?? customers
      if (user) await logoutOperation({ collection, req })
      const collectionAuthConfig = collection.config.auth
      return {
        cookie: generateExpiredPayloadCookie({ collectionAuthConfig, cookiePrefix }),
        wasLoggedIn: Boolean(user),
      }
    },
  }
}

/**
 * Whether Payload or a hook of the store refused the login: a wrong or blank password, a locked or
 * unverified account. Any other error is a failure.
 */
const isRefusal = (error: unknown): error is Error =>
  error instanceof Error &&
  'status' in error &&
  typeof error.status === 'number' &&
  error.status >= 400 &&
  error.status < 500
