import type { deliveryOptions } from '../delivery/delivery-options.js'
import type { DeliveryParts } from '../delivery/feature.js'
import { Problem } from '../errors.js'
import type { HttpParts } from '../http/feature.js'
import { createLoginThrottle, type LoginThrottle } from '../http/login-throttle.js'
import { jsonReply } from '../http/reply.js'
import { requireMethod } from '../http/request-body.js'
import { sameText } from '../http/same-text.js'
import type { Action, Visit } from '../http/visit.js'
import type { OptionsOf } from '../options-schema.js'
import { readLastSentAt } from '../overview/read-overview.js'
import type { ShippingParts } from '../shipping/feature.js'
import type { Shop } from '../shop.js'
import type { Alerts } from './alerts.js'
import type { AlertSettings } from './alert-settings.js'

type Watching = HttpParts &
  ShippingParts &
  DeliveryParts & { alerts: Alerts; alertSettings: { get: () => Promise<AlertSettings> } }

export const healthPath = 'storeconnect/health'

/** How old the last round of the watchman may be. A task may run only once an hour. */
const staleAfterMs = { loop: 5 * 60_000, task: 2 * 60 * 60_000 } as const

/**
 * `GET storeconnect/health`, for uptime monitors (`docs/interface.md` (Health)): 200 while nothing is
 * wrong, and 503 while an alert is open or the watchman does not go round. Without a token in the settings
 * there is no such action.
 */
export function createHealth(
  { options, effects, log }: Shop<{ marketing: OptionsOf<typeof deliveryOptions> }>,
  { alertSettings, alerts, shipStation, sends, counts }: Watching,
): Action {
  const longestMs = staleAfterMs[options.marketing.delivery]
  const throttle = createLoginThrottle('health', { counts, log, now: effects.now })
  return async (visit) => {
    const { healthToken } = await alertSettings.get()
    if (healthToken === '') throw new Problem('ACTION_NOT_FOUND')
    requireMethod(visit.request, ['GET', 'HEAD'])
    await requireToken(visit, healthToken, throttle)

    const [{ open, checkedAt }, lastPull, deliveredAt] = await Promise.all([
      alerts.state(),
      shipStation.lastPull(),
      readLastSentAt(sends),
    ])
    const isWatching =
      checkedAt !== undefined && effects.now().getTime() - checkedAt.getTime() <= longestMs
    const status = !isWatching ? 'unwatched' : open.length > 0 ? 'alert' : 'ok'
    const reply = jsonReply({
      status,
      checkedAt: checkedAt?.toISOString() ?? null,
      alerts: open.map(({ condition, begunAt }) => ({ condition, since: begunAt.toISOString() })),
      lastPull: lastPull?.at.toISOString() ?? null,
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
