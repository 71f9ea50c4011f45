import type { CartParts } from '../../carts/parts.js'
import { cartHolder } from '../../carts/find-cart.js'
import { Problem } from '../../core/errors.js'
import type { FormsParts } from '../forms/parts.js'
import { requirePostCapacity } from '../forms/post-throttle.js'
import type { HttpParts } from '../../core/http/parts.js'
import { formAction, formReply } from '../../core/http/form-action.js'
import { invalidParameter } from '../../core/http/parameter-tree.js'
import { textParameter, type ParameterTree } from '../../core/http/parameters.js'
import { publicUrl } from '../../core/http/public-origin.js'
import type { Action } from '../../core/http/visit.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import type { SiteParts } from '../../shop/sites/parts.js'
import { exchangeIdParameter, isExchangeId } from './exchange-id.js'

/**
 * `POST …/onsite/visitor`: notes in the visitor's session, and with their cart, that they consented to
 * Klaviyo's script and who they are to it (`_kx`); with `consent=0`, forgets both. Anybody can post any
 * exchange id: it only says whom the events of their own cart are about, and gives access to nothing.
 */
export const createOnsiteVisitor = ({
  forms,
  marketingSettings,
  postThrottle,
  carts,
  sites,
}: HttpParts & SiteParts & MarketingSettingsParts & CartParts & FormsParts): Action =>
  formAction(forms, async (form) => {
    const settings = await marketingSettings.get()
    if (settings.publicApiKey === '') throw new Problem('ACTION_NOT_FOUND')
    requirePostCapacity(form, settings, postThrottle)
    const { hasConsented, exchangeId } = readVisitor(form.tree)
    const { session } = form
    const holder = async () => {
      const site = await sites.at(publicUrl(form.request))
      return cartHolder(session.data, { visitor: await form.visitor(), site })
    }
    if (hasConsented) {
      session.change({ hasOnsiteConsent: true, ...(exchangeId !== undefined && { exchangeId }) })
      if (exchangeId !== undefined) await carts?.identify(await holder())
    } else {
      session.change({ hasOnsiteConsent: undefined, exchangeId: undefined })
      await carts?.forgetVisitor(await holder())
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
