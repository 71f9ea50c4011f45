import type { DeliveryMode } from '../../marketing/delivery/delivery-mode.js'
import type { DeliveryParts } from '../../marketing/delivery/parts.js'
import { Problem } from '../../core/errors.js'
import type { HttpParts } from '../../core/http/parts.js'
import { createTokenCheck } from '../../core/http/token-check.js'
import { jsonReply } from '../../core/http/reply.js'
import { requireMethod } from '../../core/http/request-body.js'
import type { Action } from '../../core/http/visit.js'
import { readLastSentAt } from '../../marketing/delivery/delivery-facts.js'
import type { ShippingParts } from '../../shipping/parts.js'
import type { Shop } from '../../core/shop.js'
import type { Alerts } from './alerts.js'
import type { AlertSettings } from './alert-settings.js'

type Watching = HttpParts &
  ShippingParts &
  DeliveryParts & { alerts: Alerts; alertSettings: { get: () => Promise<AlertSettings> } }

export const healthPath = 'storeconnect/health'

/** How old the last round of the watchman may be. A task may run only once an hour. */
const staleAfterMs = (mode: DeliveryMode) => (mode === 'loop' ? 5 * 60_000 : 2 * 60 * 60_000)

/**
 * `GET storeconnect/health`, for uptime monitors (`docs/interface.md` (Health)): 200 while nothing is
 * wrong, and 503 while an alert is open or the watchman does not go round. Without a token in the settings
 * there is no such action.
 */
export function createHealth(
  { effects, log }: Shop,
  { alertSettings, alerts, shipStation, sends, counts, deliveryStatus }: Watching,
): Action {
  const requireToken = createTokenCheck('health', { counts, log, now: effects.now })
  return async (visit) => {
    const { healthToken } = await alertSettings.get()
    if (healthToken === '') throw new Problem('ACTION_NOT_FOUND')
    requireMethod(visit.request, ['GET', 'HEAD'])
    await requireToken(visit, {
      expected: healthToken,
      inUrl: await visit.flatParameter('token'),
    })

    const [{ open, checkedAt }, lastPull, { lastRunAt, mode }, deliveredAt] = await Promise.all([
      alerts.state(),
      shipStation.lastPull(),
      deliveryStatus(),
      readLastSentAt(sends),
    ])
    const isWatching =
      checkedAt !== undefined && effects.now().getTime() - checkedAt.getTime() <= staleAfterMs(mode)
    const status = !isWatching ? 'unwatched' : open.length > 0 ? 'alert' : 'ok'
    const reply = jsonReply({
      status,
      checkedAt: checkedAt?.toISOString() ?? null,
      alerts: open.map(({ condition, begunAt }) => ({ condition, since: begunAt.toISOString() })),
      lastPull: lastPull?.at.toISOString() ?? null,
      lastRun: lastRunAt?.toISOString() ?? null,
      lastDelivery: deliveredAt?.toISOString() ?? null,
    })
    return status === 'ok' ? reply : { ...reply, status: 503 }
  }
}
