/** What the checkout's form says, as the payment wants it. */
export interface CheckoutDetails {
  customerEmail: string
  shippingAddress: Record<string, string>
  billingAddress: Record<string, string>
  customerNotes: string
  gift: boolean
  giftMessage: string
}

/** @param accountEmail Of who is logged in; the form does not ask for it then. */
export function readCheckout(form: FormData, accountEmail: string | undefined): CheckoutDetails {
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const shippingAddress = addressIn(form, 'shipping')
  const giftMessage = text('giftMessage')
  return {
    customerEmail: accountEmail ?? text('email'),
    shippingAddress,
    billingAddress: form.has('isBilledThere') ? shippingAddress : addressIn(form, 'billing'),
    customerNotes: text('customerNotes'),
    // Who writes a card gives a present, ticked or not.
    gift: form.has('gift') || giftMessage !== '',
    giftMessage,
  }
}

function addressIn(form: FormData, of: 'shipping' | 'billing'): Record<string, string> {
  const entries = [...form.entries()].flatMap(([name, value]) =>
    name.startsWith(`${of}.`) && typeof value === 'string' && value.trim() !== ''
      ? [[name.slice(of.length + 1), value.trim()]]
      : [],
  )
  return Object.fromEntries(entries) as Record<string, string>
}

/** Stores what the shopper agreed to with the cart, which hands it over to the order. */
export async function keepConsent(form: FormData, updateCartPath: string): Promise<void> {
  const fields = [...form.entries()].flatMap(([name, value]) =>
    typeof value === 'string' && !name.includes('.') ? [[name, value]] : [],
  )
  const answer = await fetch(updateCartPath, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams(fields),
  })
  if (!answer.ok) throw new Error('The consent could not be stored')
}
