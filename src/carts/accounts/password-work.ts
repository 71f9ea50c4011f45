import crypto from 'node:crypto'
import { promisify } from 'node:util'
import { getLoginOptions, type Collection, type Where } from 'payload'
import { valueAt } from '../../core/payload/document-value.js'
import type { Shop } from '../../core/shop.js'

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
 * Returns a function that does the work that Payload leaves out when it refuses this login. Payload
 * checks no password when the account does not exist, is locked or has none, and spends less work on an
 * older hash. Call it after a refusal: otherwise the time until the answer shows who has an account.
 */
export async function leftOutWork(
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
