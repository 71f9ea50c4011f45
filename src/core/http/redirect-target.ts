import { createSigner } from '../signing.js'
import { parseUrl } from './public-origin.js'

export const redirectParameter = 'redirect'

const shape = /^(?<mac>[\w-]{43})\.(?<target>.+)$/s

export type SignedRedirects = ReturnType<typeof createSignedRedirects>

/** Signs redirects with an HMAC, so that nobody else can choose where a visitor is sent. */
export function createSignedRedirects({ secret }: { secret: string }) {
  const signer = createSigner(secret, 'redirect')
  return {
    /** @throws {TypeError} when the target is not an http(s) URL or a path of this origin. */
    sign(target: string): string {
      const signed = redirectTarget(target)
      return `${signer.sign(signed)}.${signed}`
    },
    /**
     * The signed URL, or the signed path, which is valid on each origin of the store. Undefined when we
     * did not sign the value.
     */
    read(value: string): string | undefined {
      const { mac, target } = shape.exec(value)?.groups ?? {}
      if (mac === undefined || target === undefined) return undefined
      return signer.isSigned(target, mac) ? target : undefined
    },
  }
}

/**
 * Returns the target of a redirect in a spelling that all browsers read alike: an http(s) URL, or a path
 * that stays on the visitor's origin.
 *
 * @throws {TypeError} for anything else, also for a text that only some browsers take for a path.
 */
export function redirectTarget(target: string): string {
  const read = readRedirectTarget(target)
  if (read !== undefined) return read
  throw new TypeError('A redirect leads to an http(s) URL, or to a path such as "/thanks".')
}

/** Like `redirectTarget`, but undefined for anything else. */
export function readRedirectTarget(target: string): string | undefined {
  if (target === '' || target !== target.trim() || hasTrap(target)) return undefined
  const url = parseUrl(target, here)
  if (url === undefined) return undefined
  if (url.username !== '' || url.password !== '') return undefined
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  if (url.origin !== here) return url.href

  const path = url.pathname + url.search + url.hash
  // `/.//host` comes out as `//host`, which is another origin.
  return path.startsWith('//') ? undefined : path
}

// Stands for the unknown origin that the visitor is on.
const here = 'https://origin.invalid'

/** Browsers drop control characters, turn backslashes into slashes, and take two slashes for a host. */
const hasTrap = (target: string) => /[\p{Cc}\\]|^\/\//u.test(target) || !target.isWellFormed()
