import {
  createLocalReq,
  loginOperation,
  logoutOperation,
  type BasePayload,
  type Collection,
} from 'payload'
import { generateExpiredPayloadCookie, generatePayloadCookie } from 'payload/shared'
import type { MarketingOptions, UserDocument } from '../../options/options.js'
import type { Users } from '../users.js'
import { leftOutWork } from './password-work.js'
import { authenticate, toVisitor } from './visitors.js'

/**
 * Customers' accounts, let in and out by Payload itself.
 *
 * @throws {TypeError} when the collection has no accounts.
 */
export function createUsers(
  payload: BasePayload,
  { customersSlug, mapUser }: { customersSlug: string; mapUser?: MarketingOptions['mapUser'] },
): Users {
  const customers = payload.collections[customersSlug]
  if (!customers?.config.auth) {
    throw new TypeError(`storeConnect(): the collection "${customersSlug}" has no accounts (auth).`)
  }
  const { cookiePrefix } = payload.config
  const log = payload.logger

  return {
    async logIn({ name, password }, headers) {
      const req = await createLocalReq({ req: { headers } }, payload)
      // By email or by user name, whichever the collection knows.
      const data = { email: name, username: name, password }
      const doLeftOutWork = await leftOutWork(payload, { customers, name, password })
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
        return { cookie, visitor: toVisitor(user as UserDocument, { mapUser, log }) }
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
 * What Payload, or a hook of the store, says no with: a wrong or blank password, a locked or
 * unverified account. Anything else is a failure of ours.
 */
const isRefusal = (error: unknown): error is Error =>
  error instanceof Error &&
  'status' in error &&
  typeof error.status === 'number' &&
  error.status >= 400 &&
  error.status < 500
