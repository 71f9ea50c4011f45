import { Problem } from '../../errors.js'
import { credentialsMatch, readBasicCredentials } from '../../http/basic-credentials.js'
import type { Credentials } from '../../http/basic-credentials.js'
import type { LoginThrottle } from '../../http/login-throttle.js'
import type { Visit } from '../visit.js'

/**
 * Lets the shipping platform in. Right credentials always pass, whatever else was tried; wrong ones
 * are throttled. A client that waits for the challenge has tried nothing yet.
 *
 * @throws {Problem} ACCESS_DENIED or TOO_MANY_FAILED_LOGINS.
 */
export async function requireShippingAccess(
  { request, clientIp }: Visit,
  expected: Credentials,
  throttle: LoginThrottle,
): Promise<void> {
  if (credentialsMatch(readBasicCredentials(request.headers), expected)) return

  const hasTried = Boolean(request.headers.get('authorization')?.trim())
  const seconds = hasTried ? await throttle.try({ clientIp, account: 'shipping' }) : 0
  if (seconds > 0) {
    throw new Problem('TOO_MANY_FAILED_LOGINS', {
      headers: { 'retry-after': String(seconds) },
      log: { clientIp },
    })
  }
  throw new Problem('ACCESS_DENIED', {
    headers: { 'www-authenticate': 'Basic realm="Storeconnect", charset="UTF-8"' },
    log: { clientIp },
  })
}
