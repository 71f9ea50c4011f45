import { Problem, problems } from '../../errors.js'
import { textParameter, type RequestParameters } from '../../http/parameters.js'
import type { Reply } from '../../http/reply.js'
import type { LoginThrottle } from '../../http/login-throttle.js'
import type { ShippingSettings } from '../../settings/shipping-settings.js'
import type { Log } from '../../store/log.js'
import type { FailedVisit, PlatformVisits } from '../../store/platform-visits.js'
import type { SettingsSource } from '../../store/settings-source.js'
import type { Action, Visit } from '../visit.js'
import { requireShippingAccess } from './shipping-access.js'

/** What both directions of the shipping URL receive. */
export interface ShippingCall {
  visit: Visit
  parameters: RequestParameters
  settings: ShippingSettings
}

export type ShippingDirection = (call: ShippingCall) => Promise<Reply>

const directions: Readonly<Record<FailedVisit['action'], { methods: readonly string[] }>> = {
  export: { methods: ['GET', 'HEAD', 'POST'] },
  shipnotify: { methods: ['POST'] },
}

/**
 * The one shipping URL, split by `action`. The checks come in the order of `decisions.md`
 * (Shipping): credentials, action, method, then the rest.
 */
export function createShippingAction(parts: {
  settings: SettingsSource
  throttle: LoginThrottle
  exportOrders: ShippingDirection
  recordShipment: ShippingDirection
  visits: Pick<PlatformVisits, 'failed'>
  log: Log
  now: () => Date
}): Action {
  return async (visit) => {
    const settings = await parts.settings.shipping()
    await requireShippingAccess(visit, settings.credentials, parts.throttle)

    const parameters = await visit.parameters()
    const action = textParameter(parameters.tree, 'action') ?? ''
    if (!isDirection(action)) throw new Problem('SHIPPING_ACTION_INVALID')
    const direction = directions[action]
    if (!direction.methods.includes(visit.request.method)) {
      throw new Problem('METHOD_NOT_ALLOWED', { headers: { allow: direction.methods.join(', ') } })
    }

    const call = { visit, parameters, settings }
    try {
      return await (action === 'export' ? parts.exportOrders(call) : parts.recordShipment(call))
    } catch (error) {
      const code = error instanceof Problem ? error.code : 'UNEXPECTED'
      // One that was refused for a crowd comes again.
      if (problems[code].status === 500) await note(parts, { at: parts.now(), action, code })
      throw error
    }
  }
}

const isDirection = (action: string): action is FailedVisit['action'] =>
  Object.hasOwn(directions, action)

/** For the merchant's page, who cannot see what the platform is answered. */
async function note(
  { visits, log }: { visits: Pick<PlatformVisits, 'failed'>; log: Log },
  visit: FailedVisit,
): Promise<void> {
  try {
    await visits.failed(visit)
  } catch (error) {
    log.warn({ err: error }, 'A failed request of the shipping platform could not be noted')
  }
}
