import {
  createLocalReq,
  loginOperation,
  logoutOperation,
  type Collection,
  getLoginOptions,
  type Where,
} from 'payload'
import { generateExpiredPayloadCookie, generatePayloadCookie } from 'payload/shared'
import type { UserDocument, Visitor } from '../../core/http/visit.js'
import { authenticate } from './visitors.js'
import type { Addressed } from '../../core/http/public-origin.js'
import type { Shop } from '../../core/shop.js'
import crypto from 'node:crypto'
import { promisify } from 'node:util'
import { valueAt } from '../../core/payload/document-value.js'

/** The accounts of the shop's customers. */
export interface Users {
  /**
   * Returns who is logged in, and the login's `Set-Cookie` header; undefined for every refusal, whatever the reason.
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

/** Whether Payload or a hook of the store refused the login. Any other error is a failure. */
const isRefusal = (error: unknown): error is Error =>
  error instanceof Error &&
  'status' in error &&
  typeof error.status === 'number' &&
  error.status >= 400 &&
  error.status < 500

/** The rounds of PBKDF2 that Payload spends on a password, for each 32 bytes of the key. */
const rounds = 600_000
const currentHash = 'pbkdf2-sha256-v1:'
/** Older hashes have 16 times 32 bytes; Payload renews them at the next login. */
const oldRounds = 25_000 * 16

const keyBytes = 32
const anySalt = '0'.repeat(64)

interface LoginAttempt {
  customers: Collection
  name: string
  password: string
}

/**
 * Returns a function that does the work that Payload leaves out when it refuses this login, as it does for an account
 * that is locked or does not exist. Otherwise the time until the answer shows who has an account.
 */
async function leftOutWork(
  shop: Pick<Shop, 'payload' | 'effects'>,
  attempt: LoginAttempt,
): Promise<() => Promise<void>> {
  const left = rounds - (await roundsSpent(shop, attempt))
  return async () => {
    if (left > 0)
      await promisify(crypto.pbkdf2)(attempt.password, anySalt, left, keyBytes, 'sha256')
  }
}

async function roundsSpent(
  { payload, effects }: Pick<Shop, 'payload' | 'effects'>,
  { customers: { config }, name, password }: LoginAttempt,
): Promise<number> {
  // Payload refuses these without reading any account.
  const isRefusedUnseen = config.auth.disableLocalStrategy || !name.trim() || !password.trim()
  if (isRefusedUnseen) return rounds
  const account = await payload.db.findOne({
    collection: config.slug,
    where: { and: [isNamed(config, name), ...(config.trash ? [isNotTrashed] : [])] },
  })
  const [hash, salt] = [valueAt(account, 'hash'), valueAt(account, 'salt')]
  const lockedUntil = valueAt(account, 'lockUntil')
  const isLocked = typeof lockedUntil === 'string' && new Date(lockedUntil) > effects.now()
  if (typeof hash !== 'string' || typeof salt !== 'string' || isLocked) return 0
  return hash.startsWith(currentHash) ? rounds : oldRounds
}

const isNotTrashed: Where = { deletedAt: { exists: false } }

/** The condition by which Payload finds the account of a login. */
function isNamed({ auth }: Collection['config'], text: string): Where {
  const equals = text.toLowerCase().trim()
  const { canLoginWithEmail, canLoginWithUsername } = getLoginOptions(auth.loginWithUsername)
  return {
    or: [
      ...(canLoginWithEmail ? [{ email: { equals } }] : []),
      ...(canLoginWithUsername ? [{ username: { equals } }] : []),
    ],
  }
}
