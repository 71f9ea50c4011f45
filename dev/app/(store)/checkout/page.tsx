import type { Metadata } from 'next'
import {
  CheckoutConsent,
  CsrfInput,
  readCart,
  readSite,
  readVisitor,
} from '../../../storeconnect.ts'
import { cartThings } from '../cart-things.ts'
import { siteLinks } from '../site-links.ts'
import { AddressFields } from './address-fields.tsx'
import { BillingAddress } from './billing-address.tsx'
import { CheckoutForm } from './checkout-form.tsx'
import { Summary } from './summary.tsx'
import { WordsFields } from './words-fields.tsx'
import '../styles/checkout.css'

export const metadata: Metadata = { title: 'Checkout' }

export default async function CheckoutPage() {
  const [cart, visitor, site, link] = await Promise.all([
    readCart(),
    readVisitor(),
    readSite(),
    siteLinks(),
  ])
  if (!cart || cart.lines.length === 0) {
    return (
      <section className="page">
        <h1>Checkout</h1>
        <p>
          There is nothing in your cart to pay for. <a href={link('/')}>To the shop</a>
        </p>
      </section>
    )
  }
  const language = site?.language || 'en'
  const profile = await visitor?.profile()
  const buyer = profile && {
    firstName: profile.firstName,
    lastName: profile.lastName,
    phone: profile.phoneNumber,
  }
  return (
    <section className="page">
      <h1>Checkout</h1>
      <div className="checkout">
        <Summary cart={cart} things={await cartThings(cart)} />
        <CheckoutForm
          cartId={cart.id}
          email={profile?.email}
          ordersPath={link('/orders')}
          updateCartPath={link('/actions/commerce/cart/update-cart')}
        >
          <fieldset>
            <legend>Where it goes</legend>
            <AddressFields buyer={buyer} language={language} of="shipping" />
          </fieldset>
          <BillingAddress>
            <AddressFields language={language} of="billing" />
          </BillingAddress>
          <WordsFields />
          <CheckoutConsent
            email="Yes, send me the tea letter of Kettle & Quill by email, about once a month. I can leave at any time."
            legend="News from us"
            phoneLabel="Phone number for text messages, such as +44 7400 123456"
            sms="Yes, send me offers of Kettle & Quill by text message. I can answer STOP at any time."
            version="2026-03"
          />
          <CsrfInput />
        </CheckoutForm>
      </div>
      <noscript>
        <p className="problem">Paying needs JavaScript. All else in the shop works without.</p>
      </noscript>
    </section>
  )
}
