import { Problem, problems } from '../core/errors.js'
import { textParameter, type RequestParameters } from '../core/http/parameters.js'
import type { Reply } from '../core/http/reply.js'
import { requireMethod } from '../core/http/request-body.js'
import type { LoginThrottle } from '../core/http/login-throttle.js'
import type { Shop } from '../core/shop.js'
import type { ShippingSettings } from './shipping-settings.js'
import type { FailedRequest, ShipStationRequests } from './shipstation-requests.js'
import type { Action, Visit } from '../core/http/visit.js'
import { requireShippingAccess } from './shipping-access.js'

interface ShippingRequest {
  visit: Visit
  parameters: RequestParameters
  settings: ShippingSettings
}

export type ShippingHandler = (request: ShippingRequest) => Promise<Reply>

const methods: Readonly<Record<FailedRequest['action'], readonly string[]>> = {
  export: ['GET', 'HEAD', 'POST'],
  shipnotify: ['POST'],
}

/**
 * Answers the shipping URL and chooses the handler by the parameter `action`. The checks come in the
 * order of `docs/interface.md` (Credentials): credentials, action, method, then the rest.
 */
export function createShippingAction(
  { effects }: Shop,
  parts: {
    shippingSettings: { get: () => Promise<ShippingSettings> }
    shippingThrottle: LoginThrottle
    shipStation: ShipStationRequests
  },
  {
    exportOrders,
    recordShipment,
  }: { exportOrders: ShippingHandler; recordShipment: ShippingHandler },
): Action {
  return async (visit) => {
    const settings = await parts.shippingSettings.get()
    await requireShippingAccess(visit, settings.credentials, parts.shippingThrottle)

    const parameters = await visit.parameters()
    const action = textParameter(parameters.tree, 'action') ?? ''
    if (!isShippingAction(action)) throw new Problem('SHIPPING_ACTION_INVALID')
    requireMethod(visit.request, methods[action])

    const request = { visit, parameters, settings }
    try {
      return await (action === 'export' ? exportOrders(request) : recordShipment(request))
    } catch (error) {
      const code = error instanceof Problem ? error.code : 'UNEXPECTED'
      // Only a 500 is stored: ShipStation repeats a request that was refused because of a crowd.
      if (problems[code].status === 500) {
        await parts.shipStation.failed({ at: effects.now(), action, code })
      }
      throw error
    }
  }
}

const isShippingAction = (action: string): action is FailedRequest['action'] =>
  Object.hasOwn(methods, action)
