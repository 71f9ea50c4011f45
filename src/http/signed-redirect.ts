import { createHmac } from 'node:crypto'
import { derivedKey } from './derived-key.js'
import { redirectTarget } from './redirect-target.js'
import { sameMac } from './same-text.js'

/** Parameter that carries a redirect (`interface.md`, Response parameters). */
export const redirectParameter = 'redirect'

/** URLs behind an HMAC, so that nobody else can choose where a visitor is sent. */
export interface SignedRedirects {
  /** @throws {TypeError} when the target is not an http(s) URL or a path of this origin. */
  sign(target: string): string
  /**
   * The URL that was signed, or the path where a path was: it holds on each origin of the store.
   * Undefined when the value is not one of ours.
   */
  read(value: string): string | undefined
}

const shape = /^(?<mac>[\w-]{43})\.(?<target>.+)$/s

export function createSignedRedirects({ secret }: { secret: string }): SignedRedirects {
  const key = derivedKey(secret, 'redirect')
  const macOf = (target: string) => createHmac('sha256', key).update(target).digest('base64url')
  return {
    sign(target) {
      const signed = redirectTarget(target)
      return `${macOf(signed)}.${signed}`
    },
    read(value) {
      const { mac, target } = shape.exec(value)?.groups ?? {}
      if (mac === undefined || target === undefined) return undefined
      return sameMac(mac, macOf(target)) ? target : undefined
    },
  }
}
