import { hkdfSync } from 'node:crypto'

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
