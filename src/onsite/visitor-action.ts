import type { Carts } from '../carts/carts.js'
import { cartHolder } from '../carts/find-cart.js'
import { Problem } from '../errors.js'
import { requirePostCapacity, type PostThrottle } from '../forms/post-throttle.js'
import { formAction, formReply, type FormParts } from '../http/form-action.js'
import { invalidParameter } from '../http/parameter-tree.js'
import { textParameter, type ParameterTree } from '../http/parameters.js'
import { publicUrl } from '../http/public-origin.js'
import type { Action } from '../http/visit.js'
import type { MarketingSettings } from '../marketing-settings/marketing-settings.js'
import type { Sites } from '../sites/sites.js'
import { exchangeIdParameter, isExchangeId } from './exchange-id.js'

interface OnsiteVisitorParts {
  form: FormParts
  settings: () => Promise<MarketingSettings>
  throttle: PostThrottle
  /** Undefined in a store without carts. */
  shop: { carts: Pick<Carts, 'identify' | 'forgetVisitor'>; sites: Pick<Sites, 'at'> } | undefined
}

/**
 * `POST …/onsite/visitor`: notes in the visitor's session, and with their cart, that they consented to
 * Klaviyo's script and who they are to it (`_kx`); with `consent=0`, forgets both. Anybody can post any
 * exchange id: it only says whom the events of their own cart are about, and gives access to nothing.
 */
export const createOnsiteVisitor = ({ form: forms, ...parts }: OnsiteVisitorParts): Action =>
  formAction(forms, async (form) => {
    const settings = await parts.settings()
    if (settings.publicApiKey === '') throw new Problem('ACTION_NOT_FOUND')
    requirePostCapacity(form, settings, parts.throttle)
    const { hasConsented, exchangeId } = readVisitor(form.tree)
    const { session } = form
    const holder = async () => {
      const site = await parts.shop?.sites.at(publicUrl(form.request))
      return cartHolder(session.data, { visitor: await form.visitor(), site })
    }
    if (hasConsented) {
      session.change({ hasOnsiteConsent: true, ...(exchangeId !== undefined && { exchangeId }) })
      if (exchangeId !== undefined) await parts.shop?.carts.identify(await holder())
    } else {
      session.change({ hasOnsiteConsent: undefined, exchangeId: undefined })
      await parts.shop?.carts.forgetVisitor(await holder())
    }
    return formReply(form, { ajax: 'success' })
  })

/** @throws {Problem} PARAMETER_INVALID, which names the parameter. */
function readVisitor(tree: ParameterTree) {
  const consent = textParameter(tree, 'consent')
  if (consent !== '0' && consent !== '1') {
    throw invalidParameter('The parameter "consent" must be 0 or 1.')
  }
  const exchangeId = textParameter(tree, exchangeIdParameter)
  if (exchangeId !== undefined && !isExchangeId(exchangeId)) {
    throw invalidParameter(`The parameter "${exchangeIdParameter}" is no exchange id of Klaviyo.`)
  }
  return { hasConsented: consent === '1', exchangeId }
}
