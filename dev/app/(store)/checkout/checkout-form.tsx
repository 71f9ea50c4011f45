'use client'

import { useCart, usePayments } from '@payloadcms/plugin-ecommerce/client/react'
import { useState, type FormEvent, type ReactNode } from 'react'
import { keepConsent, readCheckout, type CheckoutDetails } from '../../../checkout-details.ts'
import { paymentProblem } from '../../../payments/payment-problem.ts'

interface CheckoutFormProps {
  /** The cart that the page shows. */
  cartId: number | string
  /** Of who is logged in. */
  email: string | undefined
  /** Where the pages of orders are. */
  ordersPath: string
  /** The action that changes the cart. */
  updateCartPath: string
  children: ReactNode
}

type Step =
  { at: 'form'; problem?: string } | { at: 'payment' | 'order' } | { at: 'end'; orderUrl: string }

/** Pays through the extension: its cart, its `initiatePayment` and its `confirmOrder`. */
export function CheckoutForm({
  cartId,
  children,
  email,
  ordersPath,
  updateCartPath,
}: CheckoutFormProps) {
  const { cart } = useCart()
  const { confirmOrder, initiatePayment } = usePayments()
  const [step, setStep] = useState<Step>({ at: 'form' })
  const isReady = cart !== undefined && String(cart.id) === String(cartId)

  async function pay(details: CheckoutDetails, form: FormData) {
    setStep({ at: 'payment' })
    await keepConsent(form, updateCartPath)
    await initiatePayment('demo', { additionalData: { ...details } })
    setStep({ at: 'order' })
    const { customerEmail } = details
    const order = await confirmOrder('demo', { additionalData: { customerEmail } })
    const orderUrl = `${ordersPath}/${numberOf(order)}`
    setStep({ at: 'end', orderUrl })
    location.assign(orderUrl)
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (step.at !== 'form' || !isReady) return
    const form = new FormData(event.currentTarget)
    pay(readCheckout(form, email), form).catch((error: unknown) =>
      setStep({ at: 'form', problem: paymentProblem(error) }),
    )
  }

  return (
    <form className="checkout-form" onSubmit={submit}>
      <fieldset>
        <legend>Who you are</legend>
        {email ? <p className="known">You buy as {email}.</p> : <EmailField />}
      </fieldset>
      {children}
      <p aria-live="polite" role="status">
        {step.at === 'payment' && 'Starting the payment …'}
        {step.at === 'order' && 'Placing your order …'}
        {step.at === 'end' && <a href={step.orderUrl}>Your order is placed.</a>}
      </p>
      {step.at === 'form' && step.problem && (
        <p className="problem" role="alert">
          {step.problem}
        </p>
      )}
      {cart && !isReady && (
        <p className="problem" role="alert">
          Your cart has changed meanwhile. <a href="">Show it as it is now</a>
        </p>
      )}
      <button disabled={!isReady || step.at !== 'form'} type="submit">
        Buy now
      </button>
    </form>
  )
}

const EmailField = () => (
  <div className="field">
    <label htmlFor="email">Email</label>
    <input autoComplete="email" id="email" maxLength={254} name="email" required type="email" />
  </div>
)

/** The unguessable number of the order that was just made. */
function numberOf(order: unknown): string {
  const { orderNumber } = order as { orderNumber?: unknown }
  if (typeof orderNumber !== 'string') throw new Error('The order came without its number')
  return orderNumber
}
