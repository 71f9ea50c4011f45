import type { DeliveryMode } from '../../core/workers/delivery-mode.js'
import type { WorkerParts } from '../../core/workers/parts.js'
import type { DeliveryParts } from '../../marketing/delivery/parts.js'
import { Problem } from '../../core/errors.js'
import type { HttpParts } from '../../core/http/parts.js'
import { createTokenCheck } from '../../core/http/login-throttle.js'
import { jsonReply } from '../../core/http/reply.js'
import { requireMethod } from '../../core/http/request-body.js'
import type { Action } from '../../core/http/visit.js'
import type { ShippingParts } from '../../shipping/parts.js'
import type { Shop } from '../../core/shop.js'
import type { Alerts } from './alerts.js'
import type { AlertSettings } from './alert-settings.js'

export type Watching = HttpParts &
  WorkerParts &
  Partial<ShippingParts & DeliveryParts> & {
    alerts: Alerts
    alertSettings: { get: () => Promise<AlertSettings> }
  }

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
  { alertSettings, alerts, shipStation, lastSentAt, counts, deliveryMode, lastRunAt }: Watching,
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

    const [{ open, checkedAt }, lastPull, runAt, deliveredAt] = await Promise.all([
      alerts.state(),
      shipStation?.lastPull(),
      lastRunAt(),
      lastSentAt?.(),
    ])
    const isWatching =
      checkedAt !== undefined &&
      effects.now().getTime() - checkedAt.getTime() <= staleAfterMs(deliveryMode)
    const status = !isWatching ? 'unwatched' : open.length > 0 ? 'alert' : 'ok'
    const reply = jsonReply({
      status,
      checkedAt: iso(checkedAt),
      alerts: open.map(({ condition, begunAt }) => ({ condition, since: begunAt.toISOString() })),
      lastPull: iso(lastPull?.at),
      lastRun: iso(runAt),
      lastDelivery: iso(deliveredAt),
    })
    return status === 'ok' ? reply : { ...reply, status: 503 }
  }
}

const iso = (at: Date | undefined): string | null => at?.toISOString() ?? null
