import { defineParts, type Contributions } from '../feature.js'
import type { HttpParts } from '../http/parts.js'
import type { OptionsOf } from '../options-schema.js'
import type { Shop } from '../shop.js'
import { createDeliverer } from './deliverer.js'
import { createDeliveryLoop } from './delivery-loop.js'
import { deliveryMode, runsLoop, type deliveryOptions } from './delivery-mode.js'
import { keepLease } from './session-work.js'
import { createLeases } from './lease.js'
import { createNotifications } from './notifications.js'
import { cronSecret } from './delivery-task.js'
import { Problem } from '../errors.js'
import { jsonReply } from '../http/reply.js'
import { requireMethod } from '../http/request-body.js'
import { createTokenCheck } from '../http/login-throttle.js'
import type { Action } from '../http/visit.js'

export type WorkerParts = ReturnType<typeof build>

export type Options = { marketing: OptionsOf<typeof deliveryOptions> }

function build(shop: Shop<Options>, _parts: object, all: Contributions) {
  const { marketing } = shop.options
  const leases = createLeases(shop)
  const deliverer = createDeliverer(shop, {
    leases,
    open: (lease, onChange) =>
      all.openSession()?.(lease, onChange) ?? Promise.resolve(keepLease(shop, lease, onChange)),
  })
  const mode = deliveryMode(marketing)
  const delivery = createDeliveryLoop(shop, {
    mode,
    deliverer,
    notifications: createNotifications(shop),
    workers: all.workers,
    flush: all.flush,
  })
  return {
    leases,
    deliverer,
    deliveryMode: mode,
    delivery,
    /** When a process last had the lease. */
    lastRunAt: async (): Promise<Date | undefined> => {
      const { at } = await leases.notes()
      return at === undefined ? undefined : new Date(at)
    },
    /** Delivers until nothing is left, or for as long as one call may take. */
    deliverForAWhile: () => {
      const { now } = shop.effects
      return delivery.runUntilIdle({
        deadline: new Date(now().getTime() + marketing.runSeconds * 1000),
      })
    },
  }
}

export const workerParts = defineParts({
  build,
  actions: (shop: Shop<Options>, { deliverForAWhile, counts }: WorkerParts & HttpParts) => ({
    [runPath]: createRunAction(shop, {
      run: deliverForAWhile,
      counts,
    }),
  }),
  answered: (_shop: Shop, { delivery }: WorkerParts) => delivery.answered(),
  start({ options }: Shop<Options>, { delivery }: WorkerParts) {
    if (runsLoop(options.marketing)) delivery.start()
  },
})

export const runPath = 'storeconnect/run'

/**
 * `GET storeconnect/run`, for a cron service (`docs/interface.md` (Run)). Without `CRON_SECRET` there is no such
 * action.
 */
export function createRunAction(
  { effects, log }: Shop,
  { run, counts }: Pick<HttpParts, 'counts'> & { run: () => Promise<boolean> },
): Action {
  const requireToken = createTokenCheck('run', { counts, log, now: effects.now })
  return async (visit) => {
    const secret = cronSecret()
    if (secret === '') throw new Problem('ACTION_NOT_FOUND')
    requireMethod(visit.request, ['GET'])
    await requireToken(visit, { expected: secret })
    return jsonReply({ status: (await run()) ? 'done' : 'another process delivers' })
  }
}
