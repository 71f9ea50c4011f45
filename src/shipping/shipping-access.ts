import { Problem } from '../core/errors.js'
import { countTry, type LoginThrottle } from '../core/http/login-throttle.js'
import type { Visit } from '../core/http/visit.js'
import { sameText } from '../core/signing.js'

export interface Credentials {
  username: string
  password: string
}

/**
 * Reads `Authorization: Basic …` (RFC 7617): the scheme in any case, UTF-8, and a password that may
 * itself hold colons. Undefined when the header is missing or has another form.
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

/** Undefined for bytes that are not UTF-8: replaced by U+FFFD, they would match a password that has one. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * Whether username and password match. Both are always compared, in constant time whatever their
 * lengths. A blank expected username or password refuses everybody (`docs/interface.md` (Credentials)).
 */
export function credentialsMatch(given: Credentials | undefined, expected: Credentials): boolean {
  const username = isNamed(given, expected)
  const password = sameText(given?.password ?? '', expected.password)
  return username && password && isComplete(expected)
}

export const isComplete = ({ username, password }: Credentials): boolean =>
  username !== '' && password !== ''

const isNamed = (given: Credentials | undefined, expected: Credentials): boolean =>
  sameText(given?.username ?? '', expected.username)

/** A refused login with the username of the settings, which strangers do not know. */
export const loginWithRightUsername = 'named'

/**
 * Checks ShipStation's credentials. Right credentials always pass, however many wrong ones came
 * before; wrong ones are throttled. A request without credentials is no failed login, because some
 * clients wait for the challenge first.
 *
 * @throws {Problem} ACCESS_DENIED, LOGIN_MISSING or TOO_MANY_FAILED_LOGINS.
 */
export async function requireShippingAccess(
  { request, clientIp }: Visit,
  expected: Credentials,
  throttle: LoginThrottle,
): Promise<void> {
  const given = readBasicCredentials(request.headers)
  if (credentialsMatch(given, expected)) return

  const hasTried = Boolean(request.headers.get('authorization')?.trim())
  const kind =
    expected.username !== '' && isNamed(given, expected) ? loginWithRightUsername : 'other'
  if (hasTried) await countTry({ clientIp, account: 'shipping', kind }, throttle)
  throw new Problem(hasTried ? 'ACCESS_DENIED' : 'LOGIN_MISSING', {
    headers: { 'www-authenticate': 'Basic realm="Storeconnect", charset="UTF-8"' },
    log: { clientIp },
  })
}
