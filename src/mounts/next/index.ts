import { getPayload, type SanitizedConfig } from 'payload'
import { handlerOf } from '../../core/installation.js'

export type { CheckoutConsentProps } from './checkout-consent.js'
export {
  storePages,
  type CsrfOptions,
  type KlaviyoScript,
  type ViewedProductOptions,
} from './store-pages.js'

type RouteHandler = (request: Request) => Promise<Response>

/**
 * Makes the handlers of the Next.js route file that answers `/actions/*`. Where Storeconnect is
 * switched off (`enabled: false`), every answer is a 404.
 *
 * @example
 * // app/actions/[...path]/route.ts
 * import config from '@payload-config'
 * import { actionRoutes } from 'payload-storeconnect/next'
 * export const { DELETE, GET, HEAD, PATCH, POST, PUT } = actionRoutes(config)
 */
export function actionRoutes(config: Promise<SanitizedConfig> | SanitizedConfig) {
  const handle: RouteHandler = async (request) => {
    const payload = await getPayload({ config })
    return handlerOf(payload)(request)
  }
  return { DELETE: handle, GET: handle, HEAD: handle, PATCH: handle, POST: handle, PUT: handle }
}
