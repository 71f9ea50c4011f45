import { createHmac, generateKeySync, timingSafeEqual } from 'node:crypto'
import { derivedKey } from '../database/derived-key.js'

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
