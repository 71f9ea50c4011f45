import { sameText } from './same-text.js'

export interface Credentials {
  username: string
  password: string
}

/**
 * Reads `Authorization: Basic …` (RFC 7617): the scheme in any case, UTF-8, and a password that may
 * itself hold colons. Undefined when the header is missing or of another shape.
 */
export function readBasicCredentials(headers: Headers): Credentials | undefined {
  const match = /^Basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(
    headers.get('authorization')?.trim() ?? '',
  )
  if (match?.[1] === undefined) return undefined
  const text = decodeUtf8(Buffer.from(match[1], 'base64'))
  const colon = text?.indexOf(':') ?? -1
  if (text === undefined || colon === -1) return undefined
  return { username: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** Undefined for what is no UTF-8: were it replaced by U+FFFD, it would open a password that has one. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * Whether both halves match. Both are always compared, in constant time whatever their lengths; a
 * blank expected half refuses everybody (`decisions.md`, Shipping).
 */
export function credentialsMatch(given: Credentials | undefined, expected: Credentials): boolean {
  const username = sameText(given?.username ?? '', expected.username)
  const password = sameText(given?.password ?? '', expected.password)
  const isComplete = expected.username !== '' && expected.password !== ''
  return username && password && isComplete
}
