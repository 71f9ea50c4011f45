/**
 * What `derivedKey(secret, 'session')` gives, by Web Crypto: a proxy on Next.js 15 runs where there is no
 * `node:crypto`.
 */
export async function sessionKey(secret: string): Promise<Uint8Array> {
  const bytesOf = (text: string) => new TextEncoder().encode(text)
  const material = await crypto.subtle.importKey('raw', bytesOf(secret), 'HKDF', false, [
    'deriveBits',
  ])
  const parameters = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: bytesOf('storeconnect'),
    info: bytesOf('session'),
  }
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, material, 256))
}
