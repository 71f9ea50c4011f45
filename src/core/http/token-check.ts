import { Problem } from '../errors.js'
import { countTry, createLoginThrottle } from './login-throttle.js'
import { sameText } from './same-text.js'
import type { Visit } from './visit.js'

/**
 * Checks the token of a URL for machines: `Authorization: Bearer …`, else the one in a parameter of the URL, where it
 * has one. The right token always passes, however many wrong ones came before.
 *
 * @throws {Problem} TOKEN_REFUSED or TOO_MANY_FAILED_LOGINS.
 */
export function createTokenCheck(
  name: string,
  counting: Parameters<typeof createLoginThrottle>[1],
): (visit: Visit, token: { expected: string; inUrl?: string | undefined }) => Promise<void> {
  const throttle = createLoginThrottle(name, counting)
  return async (visit, { expected, inUrl = '' }) => {
    const { request, clientIp } = visit
    const [, bearer] =
      /^Bearer +(.+)$/i.exec(request.headers.get('authorization')?.trim() ?? '') ?? []
    const given = bearer ?? inUrl
    if (sameText(given, expected)) return
    if (given !== '') await countTry({ clientIp, account: name }, throttle)
    throw new Problem('TOKEN_REFUSED', {
      headers: { 'www-authenticate': 'Bearer realm="Storeconnect"' },
      log: { clientIp },
    })
  }
}
