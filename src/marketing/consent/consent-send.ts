import type { NewSend } from '../delivery/send.js'
import { readEmail } from '../../core/people/email.js'
import { consentKey } from '../events/order-ids.js'
import type { Channel, SubscribeMessage } from '../klaviyo/message.js'
import { readPhoneNumber } from '../../core/people/phone-number.js'
import { throughHooks, type HookContext } from '../klaviyo/through-hooks.js'
import type { Order } from '../../shop/orders/order.js'
import type { CheckoutConsent } from './checkout-consent.js'

/** Undefined without a consent, a moment of its proof, or an address that can be used: SMS needs an international number. */
export function consentMessage(
  { email: ofEmail, sms }: CheckoutConsent,
  { email: text, list }: { email: string; list: string },
): SubscribeMessage | undefined {
  const email = readEmail(text)
  const phoneNumber = sms?.given ? readPhoneNumber(sms.phone) : undefined
  const moments: [Channel, Date][] = [
    ...(ofEmail?.given && ofEmail.at && email !== undefined
      ? [['email', ofEmail.at] satisfies [Channel, Date]]
      : []),
    ...(sms?.at && phoneNumber !== undefined ? [['sms', sms.at] satisfies [Channel, Date]] : []),
  ]
  if (moments.length === 0) return undefined
  const hasSms = moments.some(([channel]) => channel === 'sms')
  return {
    kind: 'subscribe',
    profile: {
      ...(email !== undefined && { email }),
      ...(hasSms && phoneNumber !== undefined && { phoneNumber }),
    },
    list,
    channels: moments.map(([channel]) => channel),
    basis: 'explicit',
    consentedAt: Object.fromEntries(moments.map(([channel, at]) => [channel, at.toISOString()])),
  }
}

/** Undefined also when the store's `beforeProfile` keeps it back. */
export async function consentSend(
  consent: CheckoutConsent,
  {
    order,
    email,
    list,
    ...context
  }: { order: Order; email: string; list: string; now: Date } & Pick<HookContext, 'hooks' | 'log'>,
): Promise<NewSend | undefined> {
  const message = consentMessage(givenUntil(consent, context.now), { email, list })
  if (message === undefined) return undefined
  const about = { reference: order.reference }
  const identify = { kind: 'identify', profile: message.profile } as const
  const allowed = await throughHooks(identify, { ...context, about })
  return allowed && { message, key: consentKey(order), acceptedAt: context.now }
}

/** The clock of the machine that took an answer may be ahead: nobody has consented later than now. */
const givenUntil = (consent: CheckoutConsent, now: Date): CheckoutConsent =>
  Object.fromEntries(
    Object.entries(consent).map(([channel, proof]) => [
      channel,
      proof.at && proof.at > now ? { ...proof, at: now } : proof,
    ]),
  )
