import { Problem } from '../../errors.js'
import { credentialsMatch, readBasicCredentials } from '../../http/basic-credentials.js'
import type { Credentials } from '../../http/basic-credentials.js'
import type { FailedLogins } from '../../http/failed-logins.js'
import type { Visit } from '../visit.js'

/**
 * Lets the shipping platform in. Right credentials always pass, whatever else came from their
 * address; wrong ones are throttled per address.
 *
 * @throws {Problem} ACCESS_DENIED or TOO_MANY_FAILED_LOGINS.
 */
export async function requireShippingAccess(
  { request, address }: Visit,
  expected: Credentials,
  failedLogins: FailedLogins,
): Promise<void> {
  if (credentialsMatch(readBasicCredentials(request.headers), expected)) return

  const seconds = address === undefined ? 0 : await failedLogins.secondsToWait(address)
  if (seconds > 0) {
    throw new Problem('TOO_MANY_FAILED_LOGINS', {
      headers: { 'retry-after': String(seconds) },
      log: { address },
    })
  }
  throw new Problem('ACCESS_DENIED', {
    headers: { 'www-authenticate': 'Basic realm="Storeconnect", charset="UTF-8"' },
    log: { address },
  })
}
