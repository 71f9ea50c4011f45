import { hkdfSync, createHash, createHmac, generateKeySync, timingSafeEqual } from 'node:crypto'

/**
 * A key for one purpose, from the store's secret, which it does not reveal.
 *
 * @throws {TypeError} when the secret is blank.
 */
export function derivedKey(secret: string, purpose: string): Buffer {
  if (secret.trim() === '')
    throw new TypeError('Storeconnect needs the secret of the Payload config.')
  return Buffer.from(hkdfSync('sha256', secret, 'storeconnect', purpose, 32))
}

/** The SHA-256 hash of a JSON value, as 43 characters. */
export const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url')

// It never leaves the process, and no answer depends on it.
const comparisonKey = generateKeySync('hmac', { length: 256 })

// timingSafeEqual needs equal lengths, and the length is a secret too, so digests are compared.
const digest = (text: string) => createHmac('sha256', comparisonKey).update(text).digest()

/** Whether two texts are the same. The time that it takes does not depend on where they differ. */
export const sameText = (one: string, other: string): boolean =>
  timingSafeEqual(digest(one), digest(other))

/** Signs texts for one purpose, so that a signature for another purpose is worth nothing. */
export function createSigner(secret: string, purpose: string) {
  const key = derivedKey(secret, purpose)
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
  return {
    sign,
    /** The time that it takes does not depend on where a wrong signature differs. */
    isSigned(text: string, signature: string): boolean {
      const [bytes, expected] = [Buffer.from(signature), Buffer.from(sign(text))]
      return bytes.length === expected.length && timingSafeEqual(bytes, expected)
    },
  }
}
