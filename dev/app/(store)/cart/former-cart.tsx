import { readFormerCart } from '../../../storeconnect.ts'

/** Offers the cart that the visitor had before another one was restored. */
export async function FormerCart() {
  const former = await readFormerCart()
  if (!former) return null
  const things = former.quantity === 1 ? 'one thing' : `${former.quantity} things`
  return (
    <p className="former-cart">
      You also had a cart with {things}. <a href={former.restoreUrl}>Bring it back</a>
    </p>
  )
}
