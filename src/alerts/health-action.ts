import { Problem } from '../errors.js'
import type { LoginThrottle } from '../http/login-throttle.js'
import { jsonReply } from '../http/reply.js'
import { requireMethod } from '../http/request-body.js'
import { sameText } from '../http/same-text.js'
import type { Action, Visit } from '../http/visit.js'
import type { AlertState } from './alerts.js'
import type { AlertSettings } from './alert-settings.js'

interface HealthParts {
  settings: () => Promise<Pick<AlertSettings, 'healthToken'>>
  state: () => Promise<Pick<AlertState, 'open' | 'checkedAt'>>
  lastPullAt: () => Promise<Date | undefined>
  lastDeliveryAt: () => Promise<Date | undefined>
  staleAfterMs: number
  throttle: LoginThrottle
  now: () => Date
}

export const healthPath = 'storeconnect/health'

/** How old the last round of the watchman may be. A task may run only once an hour. */
export const staleAfterMs = { loop: 5 * 60_000, task: 2 * 60 * 60_000 } as const

/**
 * `GET storeconnect/health`, for uptime monitors (`docs/interface.md` (Health)): 200 while nothing is
 * wrong, and 503 while an alert is open or the watchman does not go round. Without a token in the settings
 * there is no such action.
 */
export function createHealth(parts: HealthParts): Action {
  const { settings, state, lastPullAt, lastDeliveryAt, staleAfterMs, throttle, now } = parts
  return async (visit) => {
    const { healthToken } = await settings()
    if (healthToken === '') throw new Problem('ACTION_NOT_FOUND')
    requireMethod(visit.request, ['GET', 'HEAD'])
    await requireToken(visit, healthToken, throttle)

    const [{ open, checkedAt }, pulledAt, deliveredAt] = await Promise.all([
      state(),
      lastPullAt(),
      lastDeliveryAt(),
    ])
    const isWatching =
      checkedAt !== undefined && now().getTime() - checkedAt.getTime() <= staleAfterMs
    const status = !isWatching ? 'unwatched' : open.length > 0 ? 'alert' : 'ok'
    const reply = jsonReply({
      status,
      checkedAt: checkedAt?.toISOString() ?? null,
      alerts: open.map(({ condition, begunAt }) => ({ condition, since: begunAt.toISOString() })),
      lastPull: pulledAt?.toISOString() ?? null,
      lastDelivery: deliveredAt?.toISOString() ?? null,
    })
    return status === 'ok' ? reply : { ...reply, status: 503 }
  }
}

/**
 * The right token always passes, however many wrong ones came before.
 *
 * @throws {Problem} TOKEN_REFUSED or TOO_MANY_FAILED_LOGINS.
 */
async function requireToken(
  visit: Visit,
  expected: string,
  throttle: LoginThrottle,
): Promise<void> {
  const { request, clientIp } = visit
  const [, bearer] =
    /^Bearer +(.+)$/i.exec(request.headers.get('authorization')?.trim() ?? '') ?? []
  const given = bearer ?? (await visit.flatParameter('token')) ?? ''
  if (sameText(given, expected)) return
  const seconds = given === '' ? 0 : await throttle.try({ clientIp, account: 'health' })
  if (seconds > 0) {
    throw new Problem('TOO_MANY_FAILED_LOGINS', {
      headers: { 'retry-after': String(seconds) },
      log: { clientIp },
    })
  }
  throw new Problem('TOKEN_REFUSED', {
    headers: { 'www-authenticate': 'Bearer realm="Storeconnect"' },
    log: { clientIp },
  })
}
