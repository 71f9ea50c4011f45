import { Problem } from '../../errors.js'
import { textParameter, type RequestParameters } from '../../http/parameters.js'
import type { FailedLogins } from '../../http/failed-logins.js'
import type { ShippingSettings } from '../../settings/shipping-settings.js'
import type { SettingsSource } from '../../store/settings-source.js'
import type { Action, Visit } from '../visit.js'
import { requireShippingAccess } from './shipping-access.js'

/** What both directions of the shipping URL receive. */
export interface ShippingCall {
  visit: Visit
  parameters: RequestParameters
  settings: ShippingSettings
}

export type ShippingDirection = (call: ShippingCall) => Promise<Response>

const directions: Record<string, { methods: readonly string[] }> = {
  export: { methods: ['GET', 'HEAD', 'POST'] },
  shipnotify: { methods: ['POST'] },
}

/**
 * The one shipping URL, split by `action`. The checks come in the order of `decisions.md`
 * (Shipping): credentials, action, method, then the rest.
 */
export function createShippingAction(parts: {
  settings: SettingsSource
  failedLogins: FailedLogins
  exportOrders: ShippingDirection
  recordShipment: ShippingDirection
}): Action {
  return async (visit) => {
    const settings = await parts.settings.shipping()
    await requireShippingAccess(visit, settings.credentials, parts.failedLogins)

    const parameters = await visit.parameters()
    const action = textParameter(parameters.tree, 'action') ?? ''
    const direction = Object.hasOwn(directions, action) ? directions[action] : undefined
    if (direction === undefined) throw new Problem('SHIPPING_ACTION_INVALID')
    if (!direction.methods.includes(visit.request.method)) {
      throw new Problem('METHOD_NOT_ALLOWED', { headers: { allow: direction.methods.join(', ') } })
    }

    const call = { visit, parameters, settings }
    return action === 'export' ? parts.exportOrders(call) : parts.recordShipment(call)
  }
}
